//! The `SHAPE` constant.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Member;
use syn::ext::IdentExt as _;

use super::tables::{Table, Tables};
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
pub(super) fn id(tables: &Tables<'_>) -> TokenStream {
    let this = tables.this();
    quote!(__geode::type_name::<#this>)
}

/// The type's own shape.
pub(super) fn own() -> TokenStream {
    quote!(<Self as __geode::StructuredOutput>::SHAPE)
}

/// A shape, as a table of its own. Gives a reference to it.
pub(super) fn stored(shape: TokenStream, tables: &mut Tables<'_>) -> TokenStream {
    tables.add("SHAPE", &quote!(__geode::Shape), shape, &own()).place
}

/// The shape of an object whose properties are `fields`.
pub(super) fn object(title: &Title, fields: &Table, tables: &mut Tables<'_>) -> TokenStream {
    let (name, description, id) = (&title.name, optional(title.description.as_deref()), id(tables));
    let fields = &fields.place;
    let object = quote!(__geode::Object { name: #name, id: #id, description: #description, fields: #fields });
    stored(quote!(__geode::Shape::Object(&#object)), tables)
}

/// The table of an object's properties. `within` is a constant expression that finds it in the type's shape.
pub(super) fn fields(body: &Body, name: &str, within: &TokenStream, tables: &mut Tables<'_>) -> Table {
    let constants = body.constants.iter().map(|(key, text)| {
        let extras = quote!(__geode::Extras { role: __geode::Role::Constant(#text), ..__geode::Extras::NONE });
        quote! {
            __geode::Field::new(#key, __geode::Edge::Eager(&__geode::Shape::String)).detailed(const { &__geode::Details::NONE.extended(const { &#extras }) })
        }
    });
    let mut checks = TokenStream::new();
    let fields: Vec<TokenStream> = body.fields.iter().map(|one| field(one, tables, &mut checks)).collect();
    let count = body.constants.len() + body.fields.len();
    let fields = quote!({ #checks [#(#constants,)* #(#fields,)*] });
    let ty = quote!([__geode::Field; #count]);
    let mut table = tables.add(name, &ty, fields, within);
    // Where the fields of another type are merged in, only their shapes can tell whether two names collide.
    let flattened = body.fields.iter().find_map(|field| match field.role {
        Role::Flatten(span) => Some(span),
        _ => None,
    });
    if let Some(span) = flattened {
        let place = &table.place;
        table.place = quote_spanned!(located(span)=> const { __geode::fit::flattened(const { #place }) });
    }
    table
}

/// One property. Constants of its own go to `checks`.
fn field(field: &Field, tables: &Tables<'_>, checks: &mut TokenStream) -> TokenStream {
    let (key, edge) = (&field.key, carrier::edge(field));
    let plain = quote_spanned!(place(&field.ty)=> __geode::Field::new(#key, #edge));
    // Methods, not a struct literal with a base: moving out of the base costs the compiler more than all the rest.
    let mut details = TokenStream::new();
    if let Some(text) = &field.description {
        details.extend(quote!(.described(#text)));
    }
    if let Some((rules, shape)) = rules::value(field) {
        let name = match &field.member {
            Member::Named(ident) => format_ident!("RULES_{}", ident.unraw()),
            Member::Unnamed(index) => format_ident!("RULES_{}", index.index),
        };
        let rules = tables.constant(&name, rules, checks);
        details.extend(quote!(.ruled(#rules, #shape)));
    }
    let role = match &field.role {
        Role::Property => quote!(Property),
        Role::Flatten(_) => quote!(Flatten),
        Role::Defaulted(_) => quote!(Defaulted),
    };
    let (aliases, examples) = (&field.aliases, &field.examples);
    if !matches!(field.role, Role::Property) || !aliases.is_empty() || !examples.is_empty() {
        details.extend(quote! {
            .extended(const {
                &__geode::Extras { aliases: &[#(#aliases),*], examples: &[#(#examples),*], role: __geode::Role::#role }
            })
        });
    }
    if details.is_empty() {
        return plain;
    }
    let details = tables.promoted(&quote!(__geode::Details::NONE #details));
    quote!(#plain.detailed(#details))
}

/// A shape with rules, or a name and description of its own. `rules` is a reference to the `Rules`.
pub(super) fn annotated(
    name: Option<&str>,
    description: Option<&str>,
    examples: &[String],
    rules: &TokenStream,
    of: TokenStream,
) -> TokenStream {
    let (name, description) = (optional(name), optional(description));
    quote! {
        __geode::Shape::Annotated(&__geode::Annotated {
            name: #name, description: #description, examples: &[#(#examples),*], rules: #rules, of: #of,
        })
    }
}

/// The table of a list of names.
pub(super) fn enumeration(enumeration: &Enumeration, tables: &mut Tables<'_>) -> Table {
    let title = &enumeration.title;
    let (name, description, id) = (&title.name, optional(title.description.as_deref()), id(tables));
    let (integer, fallback) = (enumeration.integer, enumeration.fallback.is_some());
    let values = enumeration.values.iter().map(|value| {
        let (name, description, aliases) = (&value.name, optional(value.description.as_deref()), &value.aliases);
        quote!(__geode::EnumValue { name: #name, description: #description, aliases: &[#(#aliases),*] })
    });
    let value = quote! {
        __geode::Enumeration {
            name: #name, id: #id, description: #description, values: &[#(#values),*], integer: #integer, fallback: #fallback,
        }
    };
    let own = own();
    tables.add("ENUMERATION", &quote!(__geode::Enumeration), value, &quote!(#own.as_enumeration()))
}
