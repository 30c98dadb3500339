//! The tool to tokens. Nothing here can fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{FnArg, ItemFn};

use super::function::{Arguments, Parameter, Tool, is_ours, structure};
use super::words::{Words, duration_tokens};

/// The function as it was, without what only the macro understands.
pub(super) fn bare(mut function: ItemFn) -> ItemFn {
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(parameter) = input {
            parameter.attrs.retain(|attribute| !is_ours(attribute));
        }
    }
    function
}

/// A tool of the function's name that stands beside compile errors and never runs. Where the function is a method, no
/// struct can stand.
pub(super) fn stub(words: &Words, function: &ItemFn) -> TokenStream {
    if function.sig.receiver().is_some() {
        return TokenStream::new();
    }
    let (krate, visibility, structure) = (&words.krate, &function.vis, structure(function, words));
    quote! {
        #[allow(dead_code, missing_docs)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #visibility struct #structure;

        #[automatically_derived]
        impl #krate::tool::Tool for #structure {
            type Arguments = #krate::__private::NoArguments;
            type Output = ();
            fn name(&self) -> &str { "" }
            fn description(&self) -> &str { "" }
            fn tier(&self) -> #krate::tool::Tier { #krate::tool::Tier::Write }
            async fn call(
                &self,
                _: Self::Arguments,
                _: #krate::tool::ToolContext,
            ) -> ::core::result::Result<(), #krate::tool::ToolError> {
                ::core::unimplemented!()
            }
        }
    }
}

/// The unit struct that is the tool, and the type of its arguments where that has to be made.
pub(super) fn implementation(words: &Words, tool: &Tool) -> TokenStream {
    let Words { tier, timeout, authorize, krate, .. } = words;
    let Tool { conditions, visibility, function, structure, name, description, arguments, parameters, output } = tool;
    let conditions = quote!(#(#conditions)*);
    let (arguments, made) = match arguments {
        Arguments::Whole(kind) => {
            let shape = quote_spanned!(kind.span()=> <#kind as #krate::__private::StructuredOutput>::SHAPE);
            // A type error here is told by `cargo check`; the same assertion in `ToolSet::with` only by a build.
            let object = quote_spanned!(kind.span()=> #krate::__private::arguments_are_an_object(#shape));
            (quote!(#kind), Some(quote!(#conditions const _: () = #object;)))
        }
        Arguments::Made { structure: own, fields } => {
            let text = format!("Arguments of the tool `{name}`.");
            let attributes = fields.iter().map(|field| &field.attributes);
            let names = fields.iter().map(|field| &field.name);
            let kinds = fields.iter().map(|field| &field.kind);
            let made = quote! {
                #conditions
                #[doc = #text]
                #[derive(#krate::StructuredOutput)]
                #[geode(crate = #krate)]
                #[allow(missing_docs)]
                #visibility struct #own { #(#(#attributes)* #visibility #names: #kinds,)* }
            };
            (quote!(#own), Some(made))
        }
    };
    // names of our own, which the function's name can't meet
    let [own, given] = ["arguments", "context"].map(|name| Ident::new(name, Span::mixed_site()));
    let passed = parameters.iter().map(|parameter| match parameter {
        Parameter::Argument(name) => quote!(#own.#name),
        Parameter::Whole => quote!(#own),
        Parameter::Context => quote!(#given),
    });
    let timeout = timeout.map(|timeout| {
        let timeout = duration_tokens(timeout);
        quote! {
            fn timeout(&self) -> ::core::option::Option<::core::time::Duration> {
                ::core::option::Option::Some(#timeout)
            }
        }
    });
    let authorize = authorize.as_ref().map(|path| {
        let [own, caller] = ["arguments", "caller"].map(|name| Ident::new(name, Span::mixed_site()));
        let call = quote_spanned!(path.span()=> #path(#own, #caller).await);
        quote! {
            async fn authorize(
                &self,
                #own: &Self::Arguments,
                #caller: &#krate::tool::Caller,
            ) -> ::core::result::Result<(), #krate::tool::Denial> {
                #call
            }
        }
    });
    let text = format!("The tool `{name}`.");
    let returned = quote_spanned!(output.span()=> <#output as #krate::__private::ToolReturn>::Output);
    quote! {
        #made

        #conditions
        #[doc = #text]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #visibility struct #structure;

        #conditions
        #[automatically_derived]
        impl #krate::tool::Tool for #structure {
            type Arguments = #arguments;
            type Output = #returned;
            fn name(&self) -> &str {
                #name
            }
            fn description(&self) -> &str {
                #description
            }
            fn tier(&self) -> #krate::tool::Tier {
                #krate::tool::Tier::#tier
            }
            #timeout
            #authorize
            #[allow(unused_variables)]
            async fn call(
                &self,
                #own: Self::Arguments,
                #given: #krate::tool::ToolContext,
            ) -> ::core::result::Result<Self::Output, #krate::tool::ToolError> {
                #function(#(#passed),*).await
            }
        }
    }
}
