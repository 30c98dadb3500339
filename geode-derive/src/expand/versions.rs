//! Unions of versions: their names, and the way from each to the latest.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;

use super::{carrier, located, place};
use crate::model::{Field, Tagging, Union, Variant, VariantBody};

/// The version that a variant's payload carries, as an expression that holds it against the versions before it.
pub(super) fn name(variants: &[Variant], index: usize) -> TokenStream {
    let mut fields = variants.iter().take(index + 1).filter_map(payload);
    let Some(own) = fields.next_back() else { return TokenStream::new() };
    let earlier = fields.map(carrier::shape);
    let shape = carrier::shape(own);
    quote_spanned!(place(&own.ty)=> __geode::fit::version(#shape, &[#(#earlier),*]))
}

fn payload(variant: &Variant) -> Option<&Field> {
    match &variant.body {
        VariantBody::Newtype(field) => Some(field),
        _ => None,
    }
}

/// The method that takes any version to the latest: one closure for each step, so that a missing step is one error.
///
/// ```text
/// let s0 = |old: V1| -> V2 { Step::step(old) };
/// let s1 = |old: V2| -> V3 { Step::step(old) };
/// match self { Self::A(v) => s1(s0(v)), Self::B(v) => s1(v), Self::C(v) => v }
/// ```
pub(super) fn latest(union: &Union) -> Option<TokenStream> {
    let Tagging::Version { fallible } = union.tagging else { return None };
    let versions: Vec<(&Ident, &Type)> =
        union.variants.iter().filter_map(|variant| Some((&variant.ident, &payload(variant)?.ty))).collect();
    let (_, last) = versions.last()?;
    let names: Vec<Ident> = (0..versions.len()).map(|i| format_ident!("__s{i}")).collect();
    let steps = versions.windows(2).zip(&names).enumerate().map(|(index, (pair, name))| {
        let [(ident, old), (_, new)] = pair else { return TokenStream::new() };
        let span = located(ident.span());
        if fallible {
            let version = |index: usize| quote!(__u.variants[#index].name);
            let (from, to) = (version(index), version(index + 1));
            quote_spanned! {span=>
                let #name = |__v: #old| <#new as __geode::TryStep<#old>>::try_step(__v, #from, #to);
            }
        } else {
            quote_spanned!(span=> let #name = |__v: #old| <#new as __geode::Step<#old>>::step(__v);)
        }
    });
    let question = fallible.then(|| quote!(?));
    let arms = versions.iter().enumerate().map(|(index, (ident, _))| {
        let way = names.iter().take(names.len().saturating_sub(1)).skip(index);
        let value = way.fold(quote!(__v), |value, step| quote!(#step(#value) #question));
        let value = if fallible { quote!(__geode::Ok(#value)) } else { value };
        quote!(Self::#ident(__v) => #value,)
    });
    let body = quote!(#(#steps)* match self { #(#arms)* });
    Some(if fallible {
        quote! {
            /// The value in the latest version, by `TryFrom` from each version to the next.
            ///
            /// # Errors
            ///
            /// Where a step refuses the value.
            pub fn try_latest(self) -> __geode::Result<#last, __geode::MigrationError> {
                let __u = const { <Self as __geode::StructuredOutput>::SHAPE.as_union() };
                #body
            }
        }
    } else {
        quote! {
            /// The value in the latest version, by `From` from each version to the next.
            pub fn latest(self) -> #last { #body }
        }
    })
}
