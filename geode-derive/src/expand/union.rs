//! Enums with data.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Member;

use super::{Parts, carrier, object, place, rules, shape, versions};
use crate::model::{Body, Tagging, Union, Variant, VariantBody};

/// Everything of an enum with data.
pub(super) fn parts(union: &Union) -> Parts {
    Parts { shape: shape(union), read: read(union), write: write(union), others: TokenStream::new() }
}

fn shape(union: &Union) -> TokenStream {
    let title = &union.title;
    let (name, description, id) = (&title.name, shape::optional(title.description.as_deref()), shape::id());
    let key = |name: &str| quote!(__geode::Key::new(#name));
    let tagging = match &union.tagging {
        Tagging::External => quote!(External),
        Tagging::Untagged => quote!(Untagged),
        Tagging::Version { .. } => quote!(Version { tag: __geode::Key::new(__geode::VERSION) }),
        Tagging::Internal(tag) => {
            let tag = key(tag);
            quote!(Internal { tag: #tag })
        }
        Tagging::Adjacent(tag, content) => {
            let (tag, content) = (key(tag), key(content));
            quote!(Adjacent { tag: #tag, content: #content })
        }
    };
    let internal = matches!(union.tagging, Tagging::Internal(_));
    let fallback = union.fallback.is_some();
    let variants = union.variants.iter().enumerate().map(|(index, variant)| {
        let (name, description, aliases) = (&variant.name, shape::optional(variant.description.as_deref()), &variant.aliases);
        let body = body(variant, internal);
        let untagged = variant.untagged;
        let name = match union.tagging {
            Tagging::Version { .. } => versions::name(&union.variants, index),
            _ => quote!(#name),
        };
        quote! {
            __geode::Variant {
                key: __geode::Key::new(#name), description: #description, aliases: &[#(#aliases),*], untagged: #untagged,
                body: __geode::Body::#body,
            }
        }
    });
    quote! {
        &__geode::Shape::Union(&__geode::Union {
            name: #name, id: #id, description: #description, tagging: __geode::Tagging::#tagging,
            variants: &[#(#variants),*], fallback: #fallback,
        })
    }
}

fn body(variant: &Variant, internal: bool) -> TokenStream {
    match &variant.body {
        VariantBody::Unit => quote!(Unit),
        VariantBody::Newtype(field) => {
            let mut edge = carrier::edge(field);
            if field.constraints.is_some() {
                let rules = rules::of(field);
                let annotated = shape::annotated(None, None, &[], &rules, edge);
                edge = quote!(__geode::Edge::Eager(#annotated));
            }
            if internal && !variant.untagged && !field.lazy {
                edge = quote_spanned!(place(&field.ty)=> __geode::fit::tagged(#edge));
            }
            quote!(Newtype(#edge))
        }
        VariantBody::Fields(body) => {
            let fields = shape::fields(body);
            quote!(Fields(#fields))
        }
    }
}

/// The table of the union, as an expression.
fn table() -> TokenStream {
    quote!(const { <Self as __geode::StructuredOutput>::SHAPE.as_union() })
}

/// The table of a variant's fields, as an expression.
fn fields(index: usize) -> TokenStream {
    quote!(const { <Self as __geode::StructuredOutput>::SHAPE.as_union().variants[#index].fields() })
}

fn read(union: &Union) -> TokenStream {
    let table = table();
    let arms = union.variants.iter().enumerate().map(|(index, variant)| {
        let ident = &variant.ident;
        match &variant.body {
            VariantBody::Unit => quote! {
                #index => {
                    __r.unit()?;
                    __geode::Some(Self::#ident)
                }
            },
            VariantBody::Newtype(field) => {
                let rules =
                    quote!(const { <Self as __geode::StructuredOutput>::SHAPE.as_union().variants[#index].rules() });
                let value = carrier::read(field, &rules);
                let member = &field.member;
                quote! {
                    #index => {
                        let __f0 = #value?;
                        __geode::Some(Self::#ident { #member: __f0 })
                    }
                }
            }
            VariantBody::Fields(body) => {
                let value = object::read(body, &quote!(Self::#ident), &fields(index));
                quote!(#index => { #value })
            }
        }
    });
    let other = match &union.fallback {
        Some(ident) => quote!(__geode::Some(Self::#ident)),
        None => quote!(__geode::None),
    };
    quote!(__r.union(#table, |__r, __k| match __k { #(#arms)* _ => #other }))
}

fn write(union: &Union) -> TokenStream {
    let table = table();
    let arms = union.variants.iter().enumerate().map(|(index, variant)| {
        let ident = &variant.ident;
        match &variant.body {
            VariantBody::Unit => quote!(Self::#ident => __w.union(__u, #index, |_| {}),),
            VariantBody::Newtype(field) => {
                let value = carrier::write(field, &quote!(__f0));
                let member = &field.member;
                quote!(Self::#ident { #member: __f0 } => __w.union(__u, #index, |__w| #value),)
            }
            VariantBody::Fields(body) => {
                let bindings = bindings(body);
                let place = |member: &Member| {
                    let at = body.fields.iter().position(|field| field.member == *member).unwrap_or_default();
                    let binding = format_ident!("__f{at}");
                    quote!(#binding)
                };
                let value = object::write(body, &fields(index), place);
                quote!(Self::#ident { #bindings .. } => __w.union(__u, #index, |__w| #value),)
            }
        }
    });
    let count = union.variants.len();
    let rest = union.fallback.iter().chain(&union.skipped);
    let rest = rest.map(|ident| quote!(Self::#ident { .. } => __w.union(__u, #count, |_| {}),));
    quote! {
        let __u = #table;
        match self { #(#arms)* #(#rest)* }
    }
}

fn bindings(body: &Body) -> TokenStream {
    let pairs = body.fields.iter().enumerate().map(|(at, field)| {
        let (member, binding) = (&field.member, format_ident!("__f{at}"));
        quote!(#member: #binding,)
    });
    pairs.collect()
}
