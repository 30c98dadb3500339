//! Reading and writing the properties of one object: a struct, or the body of a variant.
//!
//! ```text
//! let fields = const { … };
//! let mut f0 = <T0 as StructuredOutput>::ABSENT;
//! let mut o = r.object(fields);
//! loop {
//!     match r.field(&mut o) {
//!         0 => f0 = <T0 as StructuredOutput>::read(r),
//!         _ => break,
//!     }
//! }
//! Some(Self { a: f0? })
//! ```

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Member;

use super::{carrier, place};
use crate::model::{Body, Fallback, Role};

/// Statements that read an object and end in an `Option` of `constructor`. `fields` is the table.
pub(super) fn read(body: &Body, constructor: &TokenStream, fields: &TokenStream) -> TokenStream {
    let before = body.constants.len();
    let slots: Vec<Ident> = (0..body.fields.len()).map(|i| format_ident!("__f{i}")).collect();
    let index = |i: usize| Literal::usize_unsuffixed(before + i);
    let constants = body.constants.iter().enumerate().map(|(i, (_, text))| {
        let i = Literal::usize_unsuffixed(i);
        quote!(#i => { __r.constant(#text); })
    });
    let properties =
        body.fields.iter().zip(&slots).enumerate().filter(|(_, (f, _))| !matches!(f.role, Role::Flatten(_)));
    let starts = properties.clone().map(|(_, (field, slot))| {
        let absent = carrier::absent(field);
        quote!(let mut #slot = #absent;)
    });
    let arms: Vec<TokenStream> = constants
        .chain(properties.map(|(i, (field, slot))| {
            let i = index(i);
            let value = carrier::read(field, &quote!(__fields[#i].rules));
            quote!(#i => #slot = #value,)
        }))
        .collect();
    let steps = if arms.is_empty() {
        quote!(let _ = __r.field(&mut __o);)
    } else {
        quote!(loop { match __r.field(&mut __o) { #(#arms)* _ => break } })
    };
    let flattened = body.fields.iter().zip(&slots).enumerate().filter(|(_, (f, _))| matches!(f.role, Role::Flatten(_)));
    let flattened = flattened.map(|(i, (field, slot))| {
        let (i, ty) = (index(i), &field.ty);
        quote_spanned!(place(ty)=> let #slot = __r.flattened::<#ty>(&__o, #i);)
    });
    let values = body.fields.iter().zip(&slots).map(|(field, slot)| {
        let member = &field.member;
        match &field.role {
            Role::Defaulted(fallback) => {
                let fallback = self::fallback(fallback, member);
                quote!(#member: match #slot { __geode::Some(__v) => __v, __geode::None => #fallback },)
            }
            _ => quote!(#member: #slot?,),
        }
    });
    let skipped = body.skipped.iter().map(|skipped| {
        let (member, value) = (&skipped.member, fallback(&skipped.fallback, &skipped.member));
        quote!(#member: #value,)
    });
    quote! {
        let __fields = #fields;
        #(#starts)*
        let mut __o = __r.object(__fields);
        #steps
        #(#flattened)*
        __geode::Some(#constructor { #(#values)* #(#skipped)* })
    }
}

/// What fills a field that the text doesn't.
pub(super) fn fallback(fallback: &Fallback, member: &Member) -> TokenStream {
    match fallback {
        Fallback::Default => quote!(__geode::Default::default()),
        Fallback::Function(path) => quote!(#path()),
        Fallback::OfContainer => quote!(<Self as __geode::Default>::default().#member),
    }
}

/// Writes an object. `access` gives a reference to a field's value.
pub(super) fn write(body: &Body, fields: &TokenStream, access: impl Fn(&Member) -> TokenStream) -> TokenStream {
    let before = body.constants.len();
    let constants = body.constants.iter().enumerate().map(|(i, (_, text))| {
        let i = Literal::usize_unsuffixed(i);
        quote!(#i => __geode::StructuredOutput::write(&__geode::Cow::Borrowed(#text), __w),)
    });
    let arms = body.fields.iter().enumerate().map(|(i, field)| {
        let i = Literal::usize_unsuffixed(before + i);
        let value = carrier::write(field, &access(&field.member));
        quote!(#i => #value,)
    });
    quote!(__w.object(#fields, |__w, __k| match __k { #(#constants)* #(#arms)* _ => {} }))
}
