//! `#[derive(Partial)]`: a view of a value that is still coming, in which each field is pending, growing or done.
//!
//! Names on the wire come from the type's own `SHAPE`, so that they can't differ from it.

mod enumeration;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, GenericParam, Generics, Lifetime, Path, Type, parse_quote};

use crate::diag::Sink;
use crate::lower::bounds::{mentioned, names};
use crate::syntax::{self, Field, Kind, Style};

/// The whole derive.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let sink = Sink::default();
    // what is wrong with other attributes is for the derive of `StructuredOutput` to say
    let Some(parsed) = syntax::parse(input, &Sink::default()) else { return TokenStream::new() };
    let krate: Path = parsed.attrs.krate.clone().map_or_else(|| parse_quote!(::geode), |krate| krate.value);
    let attrs = &parsed.attrs;
    if attrs.from.is_some() || attrs.try_from.is_some() {
        sink.error(
            input.ident.span(),
            "a type with `from` or `try_from` has another type's wire form\nhelp: write `#[partial(preview)]` on the fields that hold it",
        );
    }
    for param in &input.generics.params {
        if let GenericParam::Lifetime(lifetime) = param {
            sink.error_in(lifetime, "a view of a type with lifetimes is not supported\nhelp: write owned types, or `#[partial(preview)]` on the fields that hold it");
        }
    }
    let tokens = match (&parsed.kind, &input.data) {
        (Kind::Struct(fields), Data::Struct(data)) if fields.style == Style::Named => {
            let raw: Vec<bool> = data.fields.iter().map(|field| as_preview(&field.attrs, &sink)).collect();
            view_struct(input, &krate, &fields.list, &raw)
        }
        (Kind::Struct(fields), _) => {
            match fields.list.iter().filter(|field| field.attrs.skip.is_none()).collect::<Vec<_>>()[..] {
                [inner] => same_view(input, &krate, inner),
                _ => {
                    sink.error(
                    input.ident.span(),
                    "a partial view needs named fields\nhelp: name the fields, or write `#[partial(preview)]` on the fields that hold this type",
                );
                    TokenStream::new()
                }
            }
        }
        (Kind::Enum(variants), _) => enumeration::view(input, &krate, &parsed.attrs, variants, &sink),
    };
    match sink.finish() {
        Some(errors) => errors,
        None => tokens,
    }
}

/// Whether `#[partial(preview)]` stands on a field: it is then shown without its type.
fn as_preview(attributes: &[Attribute], sink: &Sink) -> bool {
    let mut found = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("partial")) {
        let read = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("preview") {
                found = true;
                return Ok(());
            }
            Err(meta.error("unknown word in `#[partial(…)]`\nhelp: the only one is `preview`: it shows the field untyped, as a `Preview`"))
        });
        sink.keep(read);
    }
    found
}

/// The lifetime of the text that a view shows.
fn lifetime() -> Lifetime {
    Lifetime::new("'preview", Span::call_site())
}

/// How a field is shown: its type in the view, and the function that makes it of a preview.
fn shown(krate: &Path, ty: &Type, raw: bool) -> (TokenStream, TokenStream) {
    let (span, lifetime) = (located(ty.span()), lifetime());
    let krate = at(krate, span);
    if raw {
        return (
            quote_spanned!(span=> #krate::__private::Progress<#krate::__private::Preview<#lifetime>>),
            quote_spanned!(span=> #krate::__private::progress_untyped),
        );
    }
    (
        quote_spanned!(span=> #krate::__private::Progress<<#ty as #krate::__private::Partial>::View<#lifetime>>),
        quote_spanned!(span=> #krate::__private::progress::<#ty>),
    )
}

fn view_struct(input: &DeriveInput, krate: &Path, fields: &[Field], raw: &[bool]) -> TokenStream {
    let view = view_name(input);
    let (mut members, mut made, mut shows, mut typed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let on_wire = fields.iter().zip(raw).filter(|(field, _)| field.attrs.skip.is_none());
    for (index, (field, raw)) in on_wire.enumerate() {
        let Some(name) = &field.ident else { continue };
        // where the type is, so that nothing more is said of one that has no view
        let mut placed = name.clone();
        placed.set_span(located(field.ty.span()));
        let label = name.unraw().to_string();
        shows.push(quote_spanned!(placed.span()=> .field(#label, &self.#placed)));
        typed.extend((!raw).then_some(&field.ty));
        let doc = format!("`{name}` as far as it has come.");
        let vis = visibility(input, name);
        let (ty, make) = shown(krate, &field.ty, *raw);
        members.push(quote!(#[doc = #doc] #vis #name: #ty));
        made.push(quote!(#name: #make(#krate::__private::partial_member(value, shape, #index))));
    }
    if let Some(marker) = marker(input, members.is_empty(), &typed) {
        members.push(quote!(#[doc(hidden)] __unused: #marker));
        made.push(quote!(__unused: ::core::marker::PhantomData));
    }
    let make = quote! {
        if value.kind() != #krate::__private::PreviewKind::Object {
            return #krate::__private::None;
        }
        #krate::__private::Some(#view { #(#made),* })
    };
    let label = view.to_string();
    let debug = quote!(f.debug_struct(#label) #(#shows)* .finish());
    implement(input, krate, &View { keyword: quote!(struct), members, typed, make, debug })
}

/// The type of a field that stands for the parameters that no field of the view names: each has to be named.
fn marker(input: &DeriveInput, empty: bool, typed: &[&Type]) -> Option<TokenStream> {
    let lifetime = lifetime();
    let unused = |param: &&Ident| !typed.iter().any(|ty| names(ty.to_token_stream(), &[param]));
    let unused: Vec<&Ident> = input.generics.type_params().map(|param| &param.ident).filter(unused).collect();
    let marker = quote!(::core::marker::PhantomData);
    (empty || !unused.is_empty()).then(|| quote!(#marker<fn() -> (&#lifetime (), #(#marker<#unused>,)*)>))
}

/// The parts of a view that differ from a struct to an enum.
struct View<'t> {
    keyword: TokenStream,
    members: Vec<TokenStream>,
    /// The types of the fields that are shown by their type.
    typed: Vec<&'t Type>,
    /// What makes it of `value`, whose type has the shape `shape`.
    make: TokenStream,
    /// How far it has come, for `f`.
    debug: TokenStream,
}

/// The type of the view, and its impls.
fn implement(input: &DeriveInput, krate: &Path, parts: &View<'_>) -> TokenStream {
    let View { keyword, members, typed, make, debug } = parts;
    let (ident, vis, view, lifetime) = (&input.ident, &input.vis, view_name(input), lifetime());
    let generics = bounded(input, krate, typed);
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    let mut with_lifetime = generics.clone();
    with_lifetime.params.insert(0, parse_quote!(#lifetime));
    let (view_impl_generics, view_type_generics, view_clause) = with_lifetime.split_for_impl();
    let view_params = &with_lifetime.params;
    let mut readable = clause.cloned().unwrap_or_else(|| parse_quote!(where));
    readable.predicates.push(parse_quote!(#ident #type_generics: #krate::__private::StructuredOutput));
    let doc = format!("A [`{ident}`] that is still coming: for showing, not validated.");
    quote! {
        #[doc = #doc]
        #vis #keyword #view <#view_params> #view_clause { #(#members),* }

        #[automatically_derived]
        impl #view_impl_generics ::core::fmt::Debug for #view #view_type_generics #view_clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #debug
            }
        }

        #[automatically_derived]
        impl #impl_generics #krate::__private::Partial for #ident #type_generics #readable {
            type View<#lifetime> = #view #view_type_generics;
            fn view(value: #krate::__private::Preview<'_>) -> #krate::__private::Option<<Self as #krate::__private::Partial>::View<'_>> {
                let shape = <Self as #krate::__private::StructuredOutput>::SHAPE;
                #make
            }
        }
    }
}

/// The type's generics, and `T: Partial` for each parameter (and each projection of one) that a typed field mentions.
fn bounded(input: &DeriveInput, krate: &Path, typed: &[&Type]) -> Generics {
    let mut generics = input.generics.clone();
    for ty in mentioned(&input.generics, typed) {
        generics.make_where_clause().predicates.push(parse_quote!(#ty: #krate::__private::Partial));
    }
    generics
}

/// A newtype looks as what it holds.
fn same_view(input: &DeriveInput, krate: &Path, inner: &Field) -> TokenStream {
    let (ident, ty) = (&input.ident, &inner.ty);
    let generics = bounded(input, krate, &[ty]);
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    let span = located(ty.span());
    let partial = quote_spanned!(span=> <#ty as #krate::__private::Partial>);
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::__private::Partial for #ident #type_generics #clause {
            type View<'preview> = #partial::View<'preview>;
            fn view(value: #krate::__private::Preview<'_>) -> #krate::__private::Option<#partial::View<'_>> {
                #partial::view(value)
            }
        }
    }
}

/// Name of the view's type.
fn view_name(input: &DeriveInput) -> Ident {
    format_ident!("{}Partial", input.ident)
}

/// A field of the view is as visible as the field that it shows.
fn visibility(input: &DeriveInput, name: &Ident) -> syn::Visibility {
    let Data::Struct(data) = &input.data else { return syn::Visibility::Inherited };
    let field = data.fields.iter().find(|field| field.ident.as_ref() == Some(name));
    field.map_or(syn::Visibility::Inherited, |field| field.vis.clone())
}

/// The path to geode, placed where a mistake is to be shown.
fn at(krate: &Path, span: Span) -> TokenStream {
    let placed = krate.to_token_stream().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    placed.collect()
}

/// A place in the source, with the hygiene of generated code.
fn located(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}
