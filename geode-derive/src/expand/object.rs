//! Reading and writing the properties of one object: a struct, or the body of a variant.
//!
//! ```text
//! let mut f0 = Place::<T0, false>::empty();
//! r.fill(&FIELDS, &mut [&mut f0]);
//! match (f0.into_inner(),) {
//!     (Some(f0),) => Some(Self { a: f0 }),
//!     rest => { forget(rest); None }
//! }
//! ```
//!
//! Where a value is missing, `fill` has emptied all slots. So nothing here drops one, which would be a good part of all
//! the code; a panic in the user's own conversion leaks what was read of the object.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Member;

use super::{carrier, located, place};
use crate::model::{Body, Fallback, Role, VERSION};

/// Statements that read an object and end in an `Option` of `constructor`. `fields` is the table.
pub(super) fn read(body: &Body, constructor: &TokenStream, fields: &TokenStream) -> TokenStream {
    let slots: Vec<Ident> = (0..body.fields.len()).map(|i| format_ident!("__f{i}")).collect();
    let starts = body.fields.iter().zip(&slots).map(|(field, slot)| {
        let ty = &field.ty;
        let ruled = field.constraints.is_some();
        quote_spanned!(place(ty)=> let mut #slot = __geode::Place::<#ty, #ruled>::empty();)
    });
    let constants = body.constants.iter().map(|(key, text)| match key.as_str() {
        VERSION => quote!(&mut __geode::Version(#text)),
        _ => quote!(&mut #text),
    });
    let constants: Vec<TokenStream> = constants.collect();
    let lent = body.fields.iter().zip(&slots).map(|(field, slot)| carrier::slot(field, slot));
    let lent = quote!(&mut [#(#constants,)* #(#lent,)*]);
    let flattens = body.fields.iter().any(|field| matches!(field.role, Role::Flatten(_)));
    let fill = match (body.hot, flattens) {
        (true, _) => line(body, &slots, &constants, fields, &lent),
        (_, true) => quote!(__r.fill_flattened(#fields, #lent);),
        _ => quote!(__r.fill(#fields, #lent);),
    };
    let values = body.fields.iter().zip(&slots).map(|(field, slot)| {
        let member = &field.member;
        match &field.role {
            Role::Defaulted(fallback) => {
                let fallback = self::fallback(fallback, member);
                quote!(#member: match #slot { __geode::Some(__v) => __v, __geode::None => #fallback },)
            }
            _ => quote!(#member: #slot,),
        }
    });
    let filled = body.fields.iter().zip(&slots).map(|(field, slot)| match &field.role {
        Role::Defaulted(_) => quote!(#slot),
        _ => quote!(__geode::Some(#slot)),
    });
    let skipped = body.skipped.iter().map(|skipped| {
        let (member, value) = (&skipped.member, fallback(&skipped.fallback, &skipped.member));
        quote!(#member: #value,)
    });
    quote! {
        #(#starts)*
        #fill
        match (#(#slots.into_inner(),)*) {
            (#(#filled,)*) => __geode::Some(#constructor { #(#values)* #(#skipped)* }),
            __rest => {
                __geode::forget(__rest);
                __geode::None
            }
        }
    }
}

/// Reads the properties of a hot type in a straight line, and what is left of them as any other type's:
///
/// ```text
/// let mut line = Line::enter(r, &FIELDS);
/// let whole = line.entered()
///     && line.comes(r, b"{\"a\":") && { T0::read_field(&mut f0, r, &FIELDS[0]); true }
///     && line.ends(r);
/// if !whole {
///     r.fill_rest(line, &FIELDS, &mut [&mut f0]);
/// }
/// ```
fn line(
    body: &Body,
    slots: &[Ident],
    constants: &[TokenStream],
    fields: &TokenStream,
    lent: &TokenStream,
) -> TokenStream {
    let own =
        constants.iter().enumerate().map(|(index, slot)| quote!(__geode::Slot::read(#slot, __r, &#fields[#index])));
    let others = body
        .fields
        .iter()
        .zip(slots)
        .enumerate()
        .map(|(index, (field, slot))| carrier::fill(field, slot, fields, constants.len() + index));
    let names = body.constants.iter().map(|(key, _)| key).chain(body.fields.iter().map(|field| &field.key));
    let steps = names.zip(own.chain(others)).enumerate().map(|(index, (name, read))| {
        let name = spelling(if index == 0 { '{' } else { ',' }, name);
        quote!(&& __l.comes(__r, #name) && { #read; true })
    });
    quote! {
        let mut __l = __geode::Line::enter(__r, #fields);
        let __whole = __l.entered() #(#steps)* && __l.ends(__r);
        if !__whole {
            __r.fill_rest(__l, #fields, #lent);
        }
    }
}

/// A property's name as JSON text has it where it is plain, behind what is due before it.
fn spelling(due: char, name: &str) -> Literal {
    let mut text = format!("{due}\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\0'..' ' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => text.push(c),
        }
    }
    text.push_str("\":");
    Literal::byte_string(text.as_bytes())
}

/// What fills a field that the text doesn't.
pub(super) fn fallback(fallback: &Fallback, member: &Member) -> TokenStream {
    match fallback {
        Fallback::Default(span) => quote_spanned!(located(*span)=> __geode::Default::default()),
        Fallback::Function(path) => quote!(#path()),
        Fallback::OfContainer(span) => quote_spanned!(located(*span)=> <Self as __geode::Default>::default().#member),
        Fallback::OfContainersFunction(path) => quote!(#path().#member),
    }
}

/// Writes an object. `access` gives a reference to a field's value.
pub(super) fn write(body: &Body, fields: &TokenStream, access: impl Fn(&Member) -> TokenStream) -> TokenStream {
    let constants = body.constants.iter().map(|_| quote!(&()));
    let members = body.fields.iter().map(|field| carrier::member(field, &access(&field.member)));
    quote!(__w.members(#fields, &[#(#constants,)* #(#members,)*]))
}
