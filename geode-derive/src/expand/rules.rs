//! Constraints to a `Rules` value, held against the shape at compile time.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::tables::{Table, Tables};
use super::{carrier, located};
use crate::model::{Constraints, Field, Number};

/// A reference to no rules.
pub(super) fn none() -> TokenStream {
    quote!(&__geode::Rules::NONE)
}

/// The rules of a newtype, or of a variant that is one. `within` is a constant expression that finds them in the shape.
pub(super) fn of(field: &Field, name: &str, within: &TokenStream, tables: &mut Tables<'_>) -> Table {
    table(value(field).map(|(rules, _)| rules), name, within, tables)
}

/// The rules on a type that has another's shape.
pub(super) fn on(
    constraints: &Constraints,
    shape: &TokenStream,
    within: &TokenStream,
    tables: &mut Tables<'_>,
) -> Table {
    table(Some(fitted(constraints, shape)), "RULES", within, tables)
}

fn table(value: Option<TokenStream>, name: &str, within: &TokenStream, tables: &mut Tables<'_>) -> Table {
    match value {
        Some(value) => tables.add(name, &quote!(__geode::Rules), value, within),
        None => Table { place: none(), access: none() },
    }
}

/// The rules of a field, and the shape that they stand on, as constant expressions.
pub(super) fn value(field: &Field) -> Option<(TokenStream, TokenStream)> {
    let constraints = field.constraints.as_ref()?;
    // The shape of a type that refers back to this one can't be looked into here: it is a list or something behind one.
    let shape = if field.lazy { quote!(__geode::fit::RECURSIVE) } else { carrier::shape(field) };
    Some((fitted(constraints, &shape), shape))
}

fn fitted(constraints: &Constraints, shape: &TokenStream) -> TokenStream {
    let span = constraints.span.map_or_else(Span::call_site, located);
    let mut members = TokenStream::new();
    let mut set = |name: &str, value: TokenStream| {
        let name = format_ident!("{name}");
        members.extend(quote!(.#name(#value)));
    };
    let numbers = [
        ("minimum", &constraints.minimum),
        ("maximum", &constraints.maximum),
        ("exclusive_minimum", &constraints.exclusive_minimum),
        ("exclusive_maximum", &constraints.exclusive_maximum),
        ("multiple_of", &constraints.multiple_of),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            set(name, number(value.value));
        }
    }
    let counts = [
        ("min_length", &constraints.min_length),
        ("max_length", &constraints.max_length),
        ("min_items", &constraints.min_items),
        ("max_items", &constraints.max_items),
    ];
    for (name, value) in counts {
        if let Some(value) = value {
            let count = value.value;
            set(name, quote!(#count));
        }
    }
    if let Some(pattern) = &constraints.pattern {
        let source = &pattern.value;
        let checked = quote_spanned!(located(pattern.span)=> const { __geode::fit::pattern(#source) });
        set(
            "pattern",
            quote! {
                __geode::Pattern {
                    source: #checked,
                    is_match: |text| { static M: __geode::Matcher = __geode::Matcher::new(#source); M.is_match(text) },
                }
            },
        );
    }
    if let Some(format) = &constraints.format {
        let variant = Ident::new(format.value, Span::call_site());
        set("format", quote!(__geode::Format::#variant.checked()));
    }
    if let Some(constant) = &constraints.constant {
        let text = &constant.value;
        set("constant", quote!(#text));
    }
    if let Some(inner) = &constraints.inner {
        let items = if constraints.inner_of_option {
            quote_spanned!(span=> __geode::fit::inside(#shape))
        } else {
            quote_spanned!(span=> __geode::fit::items(#shape))
        };
        let inner = fitted(inner, &items);
        set("inner", quote!(const { &#inner }));
    }
    if constraints.unique {
        members.extend(quote!(.unique_items()));
    }
    let rules = quote_spanned!(span=> __geode::Rules::NONE #members);
    let rules = if constraints.inner_of_option {
        quote_spanned!(span=> __geode::fit::unwrapped(#shape, #rules))
    } else {
        rules
    };
    let bytes = match constraints.counts_bytes {
        Some(span) => quote_spanned!(located(span)=> __geode::fit::characters(#shape);),
        None => TokenStream::new(),
    };
    quote_spanned!(span=> { #bytes __geode::fit::rules(#shape, #rules) })
}

fn number(number: Number) -> TokenStream {
    match number {
        Number::Integer(n) => quote!(__geode::Limit::Integer(#n)),
        Number::Unsigned(n) => quote!(__geode::Limit::Unsigned(#n)),
        Number::Real(n) => quote!(__geode::Limit::Real(#n)),
    }
}
