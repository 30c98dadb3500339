//! `#[derive(Tools)]`: an enum whose variants are tools.
//!
//! Two passes: the enum to what is true ([`variant`]), and that to tokens ([`expand`]).

mod expand;
mod variant;

use proc_macro2::TokenStream;
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput};

use crate::diag::Sink;
use crate::tool::words::{self, Words};

/// The whole derive. Where there is a mistake, the enum still is one of tools, without any, so that no further errors
/// follow.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let sink = Sink::default();
    let common = variant::words(&input.attrs, Words::default(), words::ENUM, &sink);
    if !input.generics.params.is_empty() || input.generics.where_clause.is_some() {
        let message = "an enum of tools can't be generic: its schemas would not be known\nhelp: name the types";
        sink.error(input.generics.span(), message);
        return sink.finish().unwrap_or_default();
    }
    let variants = match &input.data {
        Data::Enum(data) => variant::parse(data, &common, &sink),
        _ => {
            let message = "`Tools` is derived for an enum, each of whose variants is a tool\nhelp: for one tool write \
                           `#[geode::tool]` on an async function, or implement `geode::tool::Tool`";
            sink.error(input.ident.span(), message);
            Vec::new()
        }
    };
    match sink.finish() {
        None => expand::implementation(&input.ident, &common.krate, &variants),
        Some(errors) => {
            let empty = expand::implementation(&input.ident, &common.krate, &[]);
            quote::quote!(#errors #empty)
        }
    }
}
