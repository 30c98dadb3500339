//! The tables that a type's shape and its code share.
//!
//! A `static` is one place in the program and is evaluated once. A constant is copied into every unit of code that names
//! it, all that it refers to included, and validated anew for each type that holds it. Only a type with parameters, of
//! which a `static` can't speak, has its tables within the constant.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;

use crate::model::Model;

/// The tables of one type.
pub(super) struct Tables<'m> {
    model: &'m Model,
    statics: TokenStream,
}

/// Where a table stands.
pub(super) struct Table {
    /// A reference to it, within the type's shape.
    pub(super) place: TokenStream,
    /// A reference to it, within the type's methods.
    pub(super) access: TokenStream,
}

impl<'m> Tables<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Tables { model, statics: TokenStream::new() }
    }

    /// The type itself, as a table can say it: a `static` doesn't know `Self`.
    pub(super) fn this(&self) -> TokenStream {
        match self.model.generics.params.is_empty() {
            true => self.model.ident.to_token_stream(),
            false => quote!(Self),
        }
    }

    /// Puts a table of type `ty` aside. `within` is a constant expression that finds it in the type's shape.
    pub(super) fn add(&mut self, name: &str, ty: &TokenStream, value: TokenStream, within: &TokenStream) -> Table {
        if !self.model.generics.params.is_empty() {
            return Table { place: quote!(const { &#value }), access: quote!(const { #within }) };
        }
        // with the type's name, which the compiler tells where the table can't be
        let name = format_ident!("__{}_{name}", self.model.ident.unraw());
        self.statics.extend(quote!(static #name: #ty = #value;));
        Table { place: quote!(&#name), access: quote!(&#name) }
    }

    /// A reference to rules within a table, which the user's mistakes make fail. `constants` are to stand in front of it.
    ///
    /// Constants of their own are each evaluated, so that all mistakes show; a table alone ends at the first.
    pub(super) fn constant(&self, name: &Ident, value: TokenStream, constants: &mut TokenStream) -> TokenStream {
        if !self.model.generics.params.is_empty() {
            return quote!(const { &#value });
        }
        constants.extend(quote!(const #name: __geode::Rules = #value;));
        quote!(&#name)
    }

    /// A reference to a value within a table.
    ///
    /// The initialiser of a `static` gives it a place of its own. Anywhere else that takes an inline constant, which is a
    /// body of its own to the compiler.
    pub(super) fn promoted(&self, value: &TokenStream) -> TokenStream {
        match self.model.generics.params.is_empty() {
            true => quote!(&#value),
            false => quote!(const { &#value }),
        }
    }

    /// The tables that stand beside the type's implementation.
    pub(super) fn into_statics(self) -> TokenStream {
        self.statics
    }
}
