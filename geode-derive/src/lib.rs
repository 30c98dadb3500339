//! The derive macro of geode. Use it through the `geode` facade.
//!
//! Three passes: tokens to [`syntax`] (what is written, every span kept), to [`model`] (what is true, by [`lower`]), to
//! tokens again ([`expand`], which can't fail).

use proc_macro::TokenStream;

mod case;
mod diag;
mod expand;
mod lower;
mod model;
mod partial;
mod syntax;

/// Derives `StructuredOutput`: the wire form of a type, its parser and its encoder.
///
/// Reads the attributes `geode` and `serde`, and those of `schemars`, `validate` and `garde` that mean the same.
#[proc_macro_derive(StructuredOutput, attributes(geode, serde, schemars, validate, garde))]
pub fn structured_output(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    expand::derive(&input).into()
}

/// Derives `Partial`: a view of a value that is still coming, in which each field is pending, growing or done.
///
/// For a struct `Ticket` it makes `TicketPartial`, with the same field names. A field of a type without a partial view
/// is shown untyped by `#[partial(preview)]`.
#[proc_macro_derive(Partial, attributes(partial, geode, serde, schemars, validate, garde))]
pub fn partial(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    partial::derive(&input).into()
}
