//! The views of enums: without data, the value itself; with data, a variant whose fields are still coming.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Path};

use super::{View, as_preview, implement, shown, view_name};
use crate::diag::Sink;
use crate::syntax::{Attrs, Style, Variant};

const UNTAGGED: &str = "without a tag nothing says which variant comes before it is complete\nhelp: give the enum a tag, or write `#[partial(preview)]` on the fields that hold it";

/// The view of an enum.
pub(super) fn view(input: &DeriveInput, krate: &Path, attrs: &Attrs, variants: &[Variant], sink: &Sink) -> TokenStream {
    let untagged = attrs.untagged.into_iter().chain(variants.iter().filter_map(|variant| variant.attrs.untagged));
    untagged.for_each(|span| sink.error(span, UNTAGGED));
    let raw = raw_fields(input, sink);
    let on_wire: Vec<(&Variant, &Vec<bool>)> = variants
        .iter()
        .zip(&raw)
        .filter(|(variant, _)| variant.attrs.skip.is_none() && variant.attrs.fallback.is_none())
        .collect();
    if on_wire.iter().all(|(variant, _)| variant.fields.style == Style::Unit) {
        return itself(input, krate, &on_wire);
    }
    if !on_wire.iter().any(|(variant, _)| variant.fields.list.iter().any(|field| field.attrs.skip.is_none())) {
        sink.error(
            input.ident.span(),
            "nothing in this enum could be shown while it comes\nhelp: make its variants unit variants",
        );
    }
    with_data(input, krate, &on_wire)
}

/// Which fields of each variant are shown untyped.
fn raw_fields(input: &DeriveInput, sink: &Sink) -> Vec<Vec<bool>> {
    let Data::Enum(data) = &input.data else { return Vec::new() };
    let fields = |fields: &syn::Fields| fields.iter().map(|field| as_preview(&field.attrs, sink)).collect();
    data.variants.iter().map(|variant| fields(&variant.fields)).collect()
}

/// An enum without data is shown as itself, once its name is complete.
fn itself(input: &DeriveInput, krate: &Path, variants: &[(&Variant, &Vec<bool>)]) -> TokenStream {
    let ident = &input.ident;
    let arms = variants.iter().enumerate().map(|(index, (variant, _))| {
        let name = &variant.ident;
        quote!(#index => #krate::__private::Some(#ident::#name),)
    });
    quote! {
        #[automatically_derived]
        impl #krate::__private::Partial for #ident {
            type View<'preview> = #ident;
            fn view(value: #krate::__private::Preview<'_>) -> #krate::__private::Option<#ident> {
                let shape = <Self as #krate::__private::StructuredOutput>::SHAPE;
                match #krate::__private::partial_variant(value, shape)?.0 {
                    #(#arms)*
                    _ => #krate::__private::None,
                }
            }
        }
    }
}

/// An enum with data is shown as a variant once its tag is complete; what the variant holds is then still coming.
fn with_data(input: &DeriveInput, krate: &Path, variants: &[(&Variant, &Vec<bool>)]) -> TokenStream {
    let view = view_name(input);
    let mut members = Vec::new();
    let mut arms = Vec::new();
    let (mut typed, mut shows) = (Vec::new(), Vec::new());
    for (place, (variant, raw)) in variants.iter().enumerate() {
        let name = &variant.ident;
        let on_wire = variant.fields.list.iter().zip(*raw).filter(|(field, _)| field.attrs.skip.is_none());
        let (mut types, mut values, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (field, raw)) in on_wire.enumerate() {
            let (ty, make) = shown(krate, &field.ty, *raw);
            types.push(ty);
            typed.extend((!raw).then_some(&field.ty));
            values.push(quote!(#make(#krate::__private::partial_variant_member(body, shape, #place, #index))));
            names.extend(&field.ident);
        }
        let label = name.unraw().to_string();
        let bound: Vec<_> = (0..types.len()).map(|at| format_ident!("__f{at}")).collect();
        shows.push(match variant.fields.style {
            Style::Unit => quote!(#view::#name => f.write_str(#label),),
            Style::Named => {
                let labels = names.iter().map(|name| name.unraw().to_string());
                quote!(#view::#name { #(#names: #bound),* } => f.debug_struct(#label) #(.field(#labels, #bound))* .finish(),)
            }
            Style::Tuple => quote!(#view::#name(#(#bound),*) => f.debug_tuple(#label) #(.field(#bound))* .finish(),),
        });
        let doc = format!("[`{}::{name}`]({}::{name}), as far as it has come.", input.ident, input.ident);
        let (declared, made) = match variant.fields.style {
            Style::Unit => (quote!(), quote!()),
            Style::Named => {
                let docs = names.iter().map(|name| format!("`{name}` as far as it has come."));
                (quote!({ #(#[doc = #docs] #names: #types),* }), quote!({ #(#names: #values),* }))
            }
            Style::Tuple => (quote!((#(#types),*)), quote!((#(#values),*))),
        };
        members.push(quote!(#[doc = #doc] #name #declared));
        arms.push(quote!(#place => #krate::__private::Some(#view::#name #made),));
    }
    let make = quote! {
        let (variant, body) = #krate::__private::partial_variant(value, shape)?;
        let _ = body;
        match variant {
            #(#arms)*
            _ => #krate::__private::None,
        }
    };
    let debug = quote!(match self { #(#shows)* });
    implement(input, krate, &View { keyword: quote!(enum), members, typed, make, debug })
}
