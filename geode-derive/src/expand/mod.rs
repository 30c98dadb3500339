//! The model to tokens. Nothing here can fail.
//!
//! Everything generated stands in one `const _` block and names geode's items through one alias, so that it depends on
//! nothing in the caller's scope. It is thin: tables, one loop with a jump by index, calls of non-generic functions.

mod carrier;
mod fallback;
mod object;
mod rules;
mod shape;
mod union;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Path, Type};

use crate::diag::Sink;
use crate::lower::lower;
use crate::model::{Converted, Enumeration, Form, Model, Newtype};
use crate::syntax;

/// The whole derive.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let sink = Sink::default();
    let parsed = syntax::parse(input, &sink);
    let model = parsed.as_ref().and_then(|parsed| lower(parsed, &sink));
    match (sink.finish(), model) {
        (None, Some(model)) => implementation(&model, parsed.as_ref().and_then(|parsed| parsed.attrs.check.as_ref())),
        (errors, _) => {
            let krate = parsed.and_then(|parsed| parsed.attrs.krate).unwrap_or_else(|| syn::parse_quote!(::geode));
            let stub = fallback::stub(input, &krate);
            quote!(#errors #stub)
        }
    }
}

/// A place in the source, with the hygiene of generated code: what goes wrong is shown there, names resolve here.
fn located(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// The place of a type.
fn place(ty: &Type) -> Span {
    located(ty.span())
}

/// The parts that differ from form to form.
struct Parts {
    shape: TokenStream,
    absent: Option<TokenStream>,
    read: TokenStream,
    write: TokenStream,
}

fn implementation(model: &Model, check: Option<&Path>) -> TokenStream {
    let Model { ident, generics, krate, form } = model;
    let Parts { shape, absent, read, write } = parts(form);
    // In a closure, so that leaving the parser early doesn't leave the rules out.
    let read = match check {
        None => read,
        Some(rules) => quote!(__r.ruled(|__r| { #read }, #rules)),
    };
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        #[allow(deprecated, non_upper_case_globals, unused_qualifications, clippy::all, clippy::pedantic)]
        const _: () = {
            use #krate::__private as __geode;
            #[automatically_derived]
            impl #impl_generics __geode::StructuredOutput for #ident #type_generics #clause {
                const SHAPE: &'static __geode::Shape = #shape;
                #absent
                fn read(__r: &mut __geode::Reader<'_>) -> __geode::Option<Self> { #read }
                fn write(&self, __w: &mut __geode::Writer) { #write }
            }
        };
    }
}

fn parts(form: &Form) -> Parts {
    match form {
        Form::Object(title, body) => {
            let fields = quote!(const { <Self as __geode::StructuredOutput>::SHAPE.as_object().fields });
            let access = |member: &syn::Member| quote!(&self.#member);
            Parts {
                shape: shape::object(title, body),
                absent: None,
                read: object::read(body, &quote!(Self), &fields),
                write: object::write(body, &fields, access),
            }
        }
        Form::Null(title) => Parts {
            shape: shape::annotated(
                Some(&title.name),
                title.description.as_deref(),
                &[],
                &quote!(__geode::Rules::NONE),
                quote!(__geode::Edge::Eager(&__geode::Shape::Null)),
            ),
            absent: None,
            read: quote! {
                <() as __geode::StructuredOutput>::read(__r)?;
                __geode::Some(Self)
            },
            write: quote!(__geode::StructuredOutput::write(&(), __w)),
        },
        Form::Newtype(newtype) => self::newtype(newtype),
        Form::Converted(converted) => self::converted(converted),
        Form::Enumeration(enumeration) => self::enumeration(enumeration),
        Form::Union(union) => {
            Parts { shape: union::shape(union), absent: None, read: union::read(union), write: union::write(union) }
        }
    }
}

fn newtype(newtype: &Newtype) -> Parts {
    let field = &newtype.field;
    let member = &field.member;
    let rules = quote!(const { <Self as __geode::StructuredOutput>::SHAPE.as_annotated().rules });
    let read = carrier::read(field, &rules);
    let skipped = newtype.skipped.iter().map(|skipped| {
        let (member, value) = (&skipped.member, object::fallback(&skipped.fallback, &skipped.member));
        quote!(#member: #value,)
    });
    let bare = !newtype.named
        && !field.lazy
        && field.description.is_none()
        && field.examples.is_empty()
        && field.constraints.is_none();
    let shape = if bare {
        carrier::shape(field)
    } else {
        let name = (newtype.named || field.lazy).then_some(newtype.name.as_str());
        let edge = carrier::edge(field);
        shape::annotated(name, field.description.as_deref(), &field.examples, &rules::of(field), edge)
    };
    Parts {
        shape,
        absent: None,
        read: quote! {
            let __f0 = #read?;
            __geode::Some(Self { #member: __f0, #(#skipped)* })
        },
        write: carrier::write(field, &quote!(&self.#member)),
    }
}

fn converted(converted: &Converted) -> Parts {
    let through = &converted.through;
    let span = place(through);
    let title = &converted.title;
    let name = &title.name;
    let of = quote_spanned!(span=> <#through as __geode::StructuredOutput>::SHAPE);
    let shape = if converted.named || title.description.is_some() {
        let name = converted.named.then_some(title.name.as_str());
        shape::annotated(
            name,
            title.description.as_deref(),
            &[],
            &quote!(__geode::Rules::NONE),
            quote!(__geode::Edge::Eager(#of)),
        )
    } else {
        of
    };
    let read = if converted.fallible {
        quote_spanned! {span=>
            let __at = __r.offset();
            let __f0 = <#through as __geode::StructuredOutput>::read(__r)?;
            __r.converted(__at, #name, <Self as __geode::TryFrom<#through>>::try_from(__f0))
        }
    } else {
        quote_spanned! {span=>
            let __f0 = <#through as __geode::StructuredOutput>::read(__r)?;
            __geode::Some(<Self as __geode::From<#through>>::from(__f0))
        }
    };
    let write = quote_spanned! {span=>
        let __f0 = <#through as __geode::From<Self>>::from(__geode::Clone::clone(self));
        __geode::StructuredOutput::write(&__f0, __w)
    };
    Parts { shape, absent: None, read, write }
}

fn enumeration(enumeration: &Enumeration) -> Parts {
    let table = quote!(const { <Self as __geode::StructuredOutput>::SHAPE.as_enumeration() });
    let count = enumeration.values.len();
    let reads = enumeration.values.iter().enumerate().map(|(index, value)| {
        let ident = &value.ident;
        quote!(#index => Self::#ident,)
    });
    let other = match &enumeration.fallback {
        Some(ident) => quote!(__geode::Some(Self::#ident)),
        None => quote!(__geode::None),
    };
    let writes = enumeration.values.iter().enumerate().map(|(index, value)| {
        let ident = &value.ident;
        quote!(Self::#ident => #index,)
    });
    let rest = enumeration.fallback.iter().chain(&enumeration.skipped).map(|ident| quote!(Self::#ident => #count,));
    Parts {
        shape: shape::enumeration(enumeration),
        absent: None,
        read: quote! {
            __geode::Some(match __r.enumeration(#table)? { #(#reads)* _ => return #other })
        },
        write: quote! {
            __w.enumeration(#table, match self { #(#writes)* #(#rest)* })
        },
    }
}
