//! Enums without data.

use proc_macro2::TokenStream;
use quote::quote;

use super::tables::{Table, Tables};
use super::{Parts, shape};
use crate::model::Enumeration;

/// Everything of an enum without data.
pub(super) fn parts(enumeration: &Enumeration, tables: &mut Tables<'_>) -> Parts {
    let Table { place, access: table } = shape::enumeration(enumeration, tables);
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
        shape: shape::stored(quote!(__geode::Shape::Enumeration(#place)), tables),
        read: quote! {
            __geode::Some(match __r.enumeration(#table)? { #(#reads)* _ => return #other })
        },
        write: quote! {
            __w.enumeration(#table, match self { #(#writes)* #(#rest)* })
        },
        others: TokenStream::new(),
    }
}
