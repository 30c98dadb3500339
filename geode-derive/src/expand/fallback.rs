//! The impl that stands beside compile errors, so that they aren't drowned in "trait not implemented".

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path};

/// An impl that type-checks whatever the input, and never runs.
pub(super) fn stub(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, type_generics, clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::__private::StructuredOutput for #ident #type_generics #clause {
            const SHAPE: &'static #krate::__private::Shape = &#krate::__private::Shape::Null;
            fn read(_: &mut #krate::__private::Reader<'_>) -> #krate::__private::Option<Self> { #krate::__private::None }
            fn write(&self, _: &mut #krate::__private::Writer) {}
        }
    }
}
