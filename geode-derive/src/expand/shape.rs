//! The `SHAPE` constant.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::{carrier, located, place, rules};
use crate::model::{Body, Enumeration, Field, Role, Title};

/// `Some("…")` or `None`.
pub(super) fn optional(text: Option<&str>) -> TokenStream {
    match text {
        Some(text) => quote!(__geode::Some(#text)),
        None => quote!(__geode::None),
    }
}

/// A type's full name.
pub(super) fn id() -> TokenStream {
    quote!(__geode::type_name::<Self>)
}

pub(super) fn object(title: &Title, body: &Body) -> TokenStream {
    let (name, description, id) = (&title.name, optional(title.description.as_deref()), id());
    let fields = fields(body);
    quote! {
        &__geode::Shape::Object(&__geode::Object { name: #name, id: #id, description: #description, fields: #fields })
    }
}

/// The table of an object's properties.
pub(super) fn fields(body: &Body) -> TokenStream {
    let constants = body.constants.iter().map(|(key, text)| quote!(__geode::Field::constant(#key, #text)));
    let fields = body.fields.iter().map(field);
    let table = quote!(&[#(#constants,)* #(#fields,)*]);
    // Where the fields of another type are merged in, only their shapes can tell whether two names collide.
    match body.fields.iter().find_map(|field| if let Role::Flatten(span) = field.role { Some(span) } else { None }) {
        Some(span) => quote_spanned!(located(span)=> const { __geode::fit::flattened(const { #table }) }),
        None => table,
    }
}

fn field(field: &Field) -> TokenStream {
    let (key, edge) = (&field.key, carrier::edge(field));
    let plain = quote_spanned!(place(&field.ty)=> __geode::Field::new(#key, #edge));
    // Methods, not a struct literal with a base: moving out of the base costs the compiler more than all the rest.
    let mut extras = TokenStream::new();
    if !field.aliases.is_empty() {
        let aliases = &field.aliases;
        extras.extend(quote!(.aliased(&[#(#aliases),*])));
    }
    if let Some(text) = &field.description {
        extras.extend(quote!(.described(#text)));
    }
    if !field.examples.is_empty() {
        let examples = &field.examples;
        extras.extend(quote!(.exemplified(&[#(#examples),*])));
    }
    if field.constraints.is_some() {
        let rules = rules::of(field);
        extras.extend(quote!(.ruled(const { &#rules })));
    }
    match &field.role {
        Role::Property => {}
        Role::Flatten(_) => extras.extend(quote!(.standing(__geode::Role::Flatten))),
        Role::Defaulted(_) => extras.extend(quote!(.standing(__geode::Role::Defaulted))),
    }
    quote!(#plain #extras)
}

/// A shape with rules, or a name and description of its own. `rules` is a value of type `Rules`.
pub(super) fn annotated(
    name: Option<&str>,
    description: Option<&str>,
    examples: &[String],
    rules: &TokenStream,
    of: TokenStream,
) -> TokenStream {
    let (name, description) = (optional(name), optional(description));
    quote! {
        &__geode::Shape::Annotated(&__geode::Annotated {
            name: #name, description: #description, examples: &[#(#examples),*], rules: const { &#rules }, of: #of,
        })
    }
}

pub(super) fn enumeration(enumeration: &Enumeration) -> TokenStream {
    let title = &enumeration.title;
    let (name, description, id) = (&title.name, optional(title.description.as_deref()), id());
    let (integer, fallback) = (enumeration.integer, enumeration.fallback.is_some());
    let values = enumeration.values.iter().map(|value| {
        let (name, description, aliases) = (&value.name, optional(value.description.as_deref()), &value.aliases);
        quote!(__geode::EnumValue { name: #name, description: #description, aliases: &[#(#aliases),*] })
    });
    quote! {
        &__geode::Shape::Enumeration(&__geode::Enumeration {
            name: #name, id: #id, description: #description, values: &[#(#values),*], integer: #integer, fallback: #fallback,
        })
    }
}
