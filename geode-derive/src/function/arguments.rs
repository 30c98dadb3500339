//! The words of `#[geode::function(…)]`.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::Parser as _;
use syn::spanned::Spanned as _;
use syn::{LitStr, Path, parse_quote};

use super::template::Template;
use crate::diag::{Sink, nearest};

const WORDS: [&str; 17] = [
    "system",
    "system_file",
    "user",
    "user_file",
    "model",
    "mode",
    "require",
    "retry",
    "deadline",
    "max_output_tokens",
    "temperature",
    "reading",
    "prompt_release",
    "check",
    "check_async",
    "fallback",
    "crate",
];

/// These may be given several times; each adds one.
const REPEATED: [&str; 3] = ["check", "check_async", "fallback"];

/// What the attribute says.
pub(crate) struct Arguments {
    pub(crate) system: Option<Template>,
    user: Option<Template>,
    /// Whether `user` or `user_file` was written, well or badly.
    has_user: bool,
    /// Calls on the request.
    pub(crate) settings: Vec<TokenStream>,
    pub(crate) krate: Path,
}

impl Arguments {
    pub(crate) fn read(tokens: TokenStream, sink: &Sink) -> Self {
        let mut arguments =
            Arguments { system: None, user: None, has_user: false, settings: Vec::new(), krate: parse_quote!(::geode) };
        let mut given = BTreeSet::new();
        let parser = syn::meta::parser(|meta| {
            let word = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let known = WORDS.contains(&word.as_str()) && !REPEATED.contains(&word.as_str());
            // a template and its file are one thing
            if known && !given.insert(word.trim_end_matches("_file").to_owned()) {
                return Err(meta.error(match word.as_str() {
                    "user" | "user_file" => {
                        "the user's turn is given twice\nhelp: keep one of `user` and `user_file`".to_owned()
                    }
                    "system" | "system_file" => {
                        "the instructions are given twice\nhelp: keep one of `system` and `system_file`".to_owned()
                    }
                    word => format!("`{word}` is given twice\nhelp: keep one"),
                }));
            }
            match word.as_str() {
                "system" => arguments.system = Some(Template::inline(&meta.value()?.parse()?, sink)),
                "system_file" => arguments.system = Template::file(&meta.value()?.parse()?, sink),
                "user" | "user_file" => {
                    arguments.has_user = true;
                    let literal: LitStr = meta.value()?.parse()?;
                    arguments.user = match word.as_str() {
                        "user" => Some(Template::inline(&literal, sink)),
                        _ => Template::file(&literal, sink),
                    };
                }
                "crate" => arguments.krate = meta.value()?.parse()?,
                "model" | "mode" | "require" | "retry" | "deadline" | "max_output_tokens" | "temperature"
                | "reading" | "prompt_release" | "check" | "check_async" | "fallback" => {
                    let (method, value): (_, syn::Expr) = (meta.path.clone(), meta.value()?.parse()?);
                    arguments.settings.push(quote_spanned!(value.span()=> .#method(#value)));
                }
                unknown => {
                    let help = match nearest(unknown, WORDS.into_iter()) {
                        Some(close) => format!("did you mean `{close}`?"),
                        None => format!("known words: {}", WORDS.join(", ")),
                    };
                    return Err(meta.error(format!("unknown word in `#[geode::function(…)]`\nhelp: {help}")));
                }
            }
            Ok(())
        });
        if sink.keep(parser.parse2(quote!(#tokens))).is_none() {
            arguments.has_user = true; // it may stand behind the mistake
        }
        arguments
    }

    /// The user's turn.
    pub(crate) fn user(&self, sink: &Sink) -> Option<&Template> {
        if !self.has_user {
            sink.error(
                proc_macro2::Span::call_site(),
                "the user's turn is missing\nhelp: write `user = \"…{parameter}…\"`, or `user_file = \"prompts/….txt\"`",
            );
        }
        self.user.as_ref()
    }
}
