//! Enums with data.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Member;

use super::tables::{Table, Tables};
use super::{Parts, carrier, object, place, rules, shape, versions};
use crate::model::{Body, Tagging, Union, Variant, VariantBody};

/// Everything of an enum with data.
pub(super) fn parts(union: &Union, tables: &mut Tables<'_>) -> Parts {
    let within: Vec<Within> =
        union.variants.iter().enumerate().map(|(at, variant)| within(at, variant, tables)).collect();
    let Table { place, access } = table(union, &within, tables);
    Parts {
        shape: shape::stored(quote!(__geode::Shape::Union(#place)), tables),
        read: read(union, &access, &within),
        write: write(union, &access, &within),
        others: TokenStream::new(),
    }
}

/// The table of what a variant carries: the rules of its value, or its fields.
type Within = Option<Table>;

fn within(index: usize, variant: &Variant, tables: &mut Tables<'_>) -> Within {
    let own = shape::own();
    let place = quote!(#own.as_union().variants[#index]);
    match &variant.body {
        VariantBody::Unit => None,
        VariantBody::Newtype(field) => {
            Some(rules::of(field, &format!("RULES_{index}"), &quote!(#place.rules()), tables))
        }
        VariantBody::Fields(body) => {
            Some(shape::fields(body, &format!("FIELDS_{index}"), &quote!(#place.fields()), tables))
        }
    }
}

fn table(union: &Union, within: &[Within], tables: &mut Tables<'_>) -> Table {
    let title = &union.title;
    let (name, description, id) = (&title.name, shape::optional(title.description.as_deref()), shape::id(tables));
    let tagging = match &union.tagging {
        Tagging::External => quote!(External),
        Tagging::Untagged => quote!(Untagged),
        Tagging::Version { .. } => quote!(Version { tag: __geode::VERSION }),
        Tagging::Internal(tag) => quote!(Internal { tag: #tag }),
        Tagging::Adjacent(tag, content) => quote!(Adjacent { tag: #tag, content: #content }),
    };
    let fallback = union.fallback.is_some();
    let variants = union.variants.iter().zip(within).enumerate().map(|(index, (variant, within))| {
        let (name, description, aliases) =
            (&variant.name, shape::optional(variant.description.as_deref()), &variant.aliases);
        let body = body(variant, within.as_ref(), &union.tagging);
        let untagged = variant.untagged;
        let name = match union.tagging {
            Tagging::Version { .. } => versions::name(&union.variants, index),
            _ => quote!(#name),
        };
        quote! {
            __geode::Variant {
                name: #name, description: #description, aliases: &[#(#aliases),*], untagged: #untagged,
                body: __geode::Body::#body,
            }
        }
    });
    let value = quote! {
        __geode::Union {
            name: #name, id: #id, description: #description, tagging: __geode::Tagging::#tagging,
            variants: &[#(#variants),*], fallback: #fallback,
        }
    };
    let own = shape::own();
    tables.add("UNION", &quote!(__geode::Union), value, &quote!(#own.as_union()))
}

fn body(variant: &Variant, within: Option<&Table>, tagging: &Tagging) -> TokenStream {
    let table = within.map(|table| &table.place);
    let internal = matches!(tagging, Tagging::Internal(_)) && !variant.untagged;
    let merged = internal || matches!(tagging, Tagging::Version { .. });
    match &variant.body {
        VariantBody::Unit => quote!(Unit),
        VariantBody::Newtype(field) => {
            let mut edge = carrier::edge(field);
            // the properties of an object that has the tag among them are described one by one
            let (description, examples) = match merged {
                true => (None, &[][..]),
                false => (field.description.as_deref(), &field.examples[..]),
            };
            if field.constraints.is_some() || description.is_some() || !examples.is_empty() {
                let annotated = shape::annotated(None, description, examples, &quote!(#table), edge);
                edge = quote!(__geode::Edge::Eager(&#annotated));
            }
            if internal && !field.lazy {
                edge = quote_spanned!(place(&field.ty)=> __geode::fit::tagged(#edge));
            }
            quote!(Newtype(#edge))
        }
        VariantBody::Fields(_) => quote!(Fields(#table)),
    }
}

fn read(union: &Union, table: &TokenStream, within: &[Within]) -> TokenStream {
    let arms = union.variants.iter().zip(within).enumerate().map(|(index, (variant, within))| {
        let ident = &variant.ident;
        let access = within.as_ref().map(|table| &table.access);
        match &variant.body {
            VariantBody::Unit => quote! {
                #index => {
                    __r.unit()?;
                    __geode::Some(Self::#ident)
                }
            },
            VariantBody::Newtype(field) => {
                let value = carrier::read(field, &quote!(#access));
                let member = &field.member;
                quote! {
                    #index => {
                        let __f0 = #value?;
                        __geode::Some(Self::#ident { #member: __f0 })
                    }
                }
            }
            VariantBody::Fields(body) => {
                let value = object::read(body, &quote!(Self::#ident), &quote!(#access));
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

fn write(union: &Union, table: &TokenStream, within: &[Within]) -> TokenStream {
    let arms = union.variants.iter().zip(within).enumerate().map(|(index, (variant, within))| {
        let ident = &variant.ident;
        let access = within.as_ref().map(|table| &table.access);
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
                let value = object::write(body, &quote!(#access), place);
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
