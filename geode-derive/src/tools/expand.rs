//! The tools to tokens. Nothing here can fail.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Ident, Path};

use super::variant::{Arguments, Variant};
use crate::tool::words::duration_tokens;

/// The trait's implementation, and the types of the arguments that have to be made.
pub(super) fn implementation(tools: &Ident, krate: &Path, variants: &[Variant]) -> TokenStream {
    let made = variants.iter().map(|variant| made(variant, krate));
    let offered = variants.iter().map(|variant| offered(variant, krate));
    quote! {
        const _: () = {
            #(#made)*

            #[automatically_derived]
            impl #krate::__private::Tools for #tools {
                fn offered() -> ::std::vec::Vec<#krate::__private::Offered<Self>> {
                    ::std::vec![#(#offered),*]
                }
            }
        };
    }
}

/// Name of the type of arguments that is made of a variant's fields. No type that a field names is called so.
fn structure(variant: &Variant) -> Ident {
    format_ident!("__{}Arguments", variant.ident.unraw())
}

fn made(variant: &Variant, krate: &Path) -> TokenStream {
    match &variant.arguments {
        Arguments::Nothing => TokenStream::new(),
        Arguments::Whole(kind) => {
            let shape = quote_spanned!(kind.span()=> <#kind as #krate::__private::StructuredOutput>::SHAPE);
            let object = quote_spanned!(kind.span()=> #krate::__private::arguments_are_an_object(#shape));
            quote!(const _: () = #object;)
        }
        Arguments::Made(fields) => {
            let structure = structure(variant);
            let name = format!("{}Arguments", variant.ident.unraw());
            let text = format!("Arguments of the tool `{}`.", variant.name);
            quote! {
                #[doc = #text]
                #[derive(#krate::StructuredOutput)]
                #[geode(crate = #krate, name = #name)]
                #[allow(non_camel_case_types)]
                struct #structure { #(#fields),* }
            }
        }
    }
}

fn offered(variant: &Variant, krate: &Path) -> TokenStream {
    let Variant { ident, name, description, words, arguments } = variant;
    let tier = &words.tier;
    let timeout = match words.timeout.map(duration_tokens) {
        Some(timeout) => quote!(#krate::__private::Some(#timeout)),
        None => quote!(#krate::__private::None),
    };
    let (kind, variant) = match arguments {
        Arguments::Nothing => (quote!(#krate::__private::NoArguments), quote!(|_| Self::#ident)),
        Arguments::Whole(kind) => (quote!(#kind), quote!(Self::#ident)),
        Arguments::Made(fields) => {
            let structure = structure(variant);
            let names: Vec<_> = fields.iter().filter_map(|field| field.ident.as_ref()).collect();
            (quote!(#structure), quote!(|arguments| Self::#ident { #(#names: arguments.#names),* }))
        }
    };
    quote! {
        #krate::__private::Offered::new::<#kind>(
            #name, #description, #krate::__private::Tier::#tier, #timeout, #variant
        )
    }
}
