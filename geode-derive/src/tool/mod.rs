//! `#[geode::tool]`: an async function as a tool.
//!
//! Three passes, as in the derive: the words of the attribute ([`words`]) and the function ([`function`]) to what is
//! true, and that to tokens ([`expand`]).

mod expand;
mod function;
pub(crate) mod words;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diag::Sink;
use words::Words;

/// The whole macro. Where there is a mistake, the function stays as it is and there is a tool of its name that never
/// runs, so that no further errors follow.
pub(crate) fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function: syn::ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(_) => {
            let message =
                "`#[geode::tool]` stands on an async function\nhelp: for a type, implement `geode::tool::Tool`";
            let error = syn::Error::new_spanned(&item, message).to_compile_error();
            return quote!(#error #item);
        }
    };
    let sink = Sink::default();
    let words = Words::default().over(attribute, words::FUNCTION, &sink);
    let tool = function::parse(&function, &words, &sink);
    let bare = expand::bare(function);
    match (sink.finish(), tool) {
        (None, Some(tool)) => {
            let implementation = expand::implementation(&words, &tool);
            quote!(#bare #implementation)
        }
        (errors, _) => {
            let stub = expand::stub(&words, &bare);
            quote!(#errors #bare #stub)
        }
    }
}
