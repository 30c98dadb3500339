//! How one field's value gets onto the wire and off it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::place;
use crate::model::{Carrier, Field};

/// The type that carries the value by way of `__geode::Carrier`.
fn built(name: &str, optional: bool, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    if optional {
        quote_spanned!(span=> __geode::Optional<__geode::#name>)
    } else {
        quote_spanned!(span=> __geode::#name)
    }
}

/// The shape of the value, as an expression.
pub(super) fn shape(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let span = place(ty);
    match &field.carrier {
        Carrier::Own => quote_spanned!(span=> <#ty as __geode::StructuredOutput>::SHAPE),
        Carrier::Built { name, optional } => {
            let carrier = built(name, *optional, span);
            quote_spanned!(span=> <#carrier as __geode::Carrier<#ty>>::SHAPE)
        }
        Carrier::By(path) => quote!(#path::SHAPE),
    }
}

/// The link to that shape.
pub(super) fn edge(field: &Field) -> TokenStream {
    let shape = shape(field);
    let span = place(&field.ty);
    if field.lazy {
        quote_spanned!(span=> __geode::Edge::Lazy(|| #shape))
    } else {
        quote_spanned!(span=> __geode::fit::edge(#shape))
    }
}

/// The slot, lent to the reader.
pub(super) fn slot(field: &Field, slot: &Ident) -> TokenStream {
    let ty = &field.ty;
    let span = place(ty);
    match &field.carrier {
        Carrier::Own if distinct(field) => quote_spanned!(span=> &mut __geode::Distinct(&mut #slot)),
        Carrier::Own => quote_spanned!(span=> <#ty as __geode::StructuredOutput>::slot(&mut #slot)),
        Carrier::Built { name, optional } => {
            let carrier = built(name, *optional, span);
            quote_spanned!(span=> &mut <#carrier as __geode::Carrier<#ty>>::slot(&mut #slot))
        }
        Carrier::By(path) => quote!(&mut __geode::By(&mut #slot, #path::read)),
    }
}

/// Reads the value into its slot. `properties` is the object's table, in which the field has that index.
pub(super) fn fill(field: &Field, slot: &Ident, properties: &TokenStream, index: usize) -> TokenStream {
    let (ty, ruled) = (&field.ty, field.constraints.is_some());
    match &field.carrier {
        Carrier::Own if !distinct(field) => quote_spanned! {place(ty)=>
            <#ty as __geode::StructuredOutput>::read_field::<#ruled>(&mut #slot, __r, &#properties[#index])
        },
        _ => {
            let slot = self::slot(field, slot);
            quote!(__geode::Slot::read(#slot, __r, &#properties[#index]))
        }
    }
}

/// Whether the field's elements are held against each other.
fn distinct(field: &Field) -> bool {
    field.constraints.as_ref().is_some_and(|constraints| constraints.unique)
}

/// The value, lent to the writer. `value` is a reference to it.
pub(super) fn member(field: &Field, value: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let span = place(ty);
    match &field.carrier {
        Carrier::Own => quote_spanned!(span=> <#ty as __geode::StructuredOutput>::member(#value)),
        Carrier::Built { name, optional } => {
            let carrier = built(name, *optional, span);
            quote_spanned!(span=> &<#carrier as __geode::Carrier<#ty>>::member(#value))
        }
        Carrier::By(path) => quote!(&__geode::WriteBy(#value, #path::write)),
    }
}

/// What an absent value is: an expression of type `Option<T>`.
pub(super) fn absent(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let span = place(ty);
    match &field.carrier {
        Carrier::Own => quote_spanned!(span=> <#ty as __geode::StructuredOutput>::absent()),
        Carrier::Built { name, optional } => {
            let carrier = built(name, *optional, span);
            quote_spanned!(span=> <#carrier as __geode::Carrier<#ty>>::absent())
        }
        Carrier::By(_) => quote!(__geode::None),
    }
}

/// Reads a value: an expression of type `Option<T>`. `rules` is the place where the field's rules stand.
pub(super) fn read(field: &Field, rules: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let span = place(ty);
    match &field.carrier {
        Carrier::Own if field.constraints.is_some() => quote_spanned!(span=> __r.checked::<#ty>(#rules)),
        Carrier::Own => quote_spanned!(span=> <#ty as __geode::StructuredOutput>::read(__r)),
        Carrier::Built { name, optional } => {
            let carrier = built(name, *optional, span);
            let rules = if field.constraints.is_some() { rules.clone() } else { quote!(&__geode::Rules::NONE) };
            quote_spanned!(span=> <#carrier as __geode::Carrier<#ty>>::read(__r, #rules))
        }
        Carrier::By(path) => quote!(#path::read(__r)),
    }
}

/// Writes a value; `value` is a reference to it.
pub(super) fn write(field: &Field, value: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let span = place(ty);
    match &field.carrier {
        Carrier::Own => quote_spanned!(span=> <#ty as __geode::StructuredOutput>::write(#value, __w)),
        Carrier::Built { name, optional } => {
            let carrier = built(name, *optional, span);
            quote_spanned!(span=> <#carrier as __geode::Carrier<#ty>>::write(#value, __w))
        }
        Carrier::By(path) => quote!(#path::write(#value, __w)),
    }
}
