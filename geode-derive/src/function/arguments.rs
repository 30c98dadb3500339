//! The words of `#[geode::function(…)]`.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned as _;
use syn::{Ident, Path, parse_quote};

use super::template::Template;
use crate::diag::{Sink, nearest};
use crate::syntax::Namespace;
use crate::syntax::meta::{self, Meta, Value};

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
    /// The user's turn; `None` after a mistake.
    pub(crate) user: Option<Template>,
    /// Calls on the request.
    pub(crate) settings: Vec<TokenStream>,
    pub(crate) krate: Path,
}

impl Arguments {
    pub(crate) fn read(tokens: TokenStream, sink: &Sink) -> Self {
        let mut arguments = Arguments { system: None, user: None, settings: Vec::new(), krate: parse_quote!(::geode) };
        let mut given = BTreeSet::new();
        for word in meta::words(Namespace::Geode, tokens, sink) {
            let name = word.name.as_str();
            // a template and its file are one thing
            if !REPEATED.contains(&name) && !given.insert(name.trim_end_matches("_file").to_owned()) {
                sink.error(word.span, twice(name));
                continue;
            }
            arguments.set(&word, sink);
        }
        // a mistake may have swallowed it
        if arguments.user.is_none() && sink.is_empty() {
            let message = "the user's turn is missing\nhelp: write `user = \"…{parameter}…\"`, or `user_file = \
                           \"prompts/….txt\"`";
            sink.error(Span::call_site(), message);
        }
        arguments
    }

    fn set(&mut self, word: &Meta, sink: &Sink) {
        match word.name.as_str() {
            "system" => self.system = word.text(sink).map(|text| Template::inline(&text, sink)),
            "system_file" => self.system = word.text(sink).and_then(|name| Template::file(&name, sink)),
            "user" => self.user = word.text(sink).map(|text| Template::inline(&text, sink)),
            "user_file" => self.user = word.text(sink).and_then(|name| Template::file(&name, sink)),
            "crate" => self.krate = word.path(sink).unwrap_or(self.krate.clone()),
            name if WORDS.contains(&name) => match &word.value {
                Value::Expr(value) => {
                    let method = Ident::new(name, word.span);
                    self.settings.push(quote_spanned!(value.span()=> .#method(#value)));
                }
                _ => word.refuse(format!("`{name}` takes a value\nhelp: write `{name} = …`"), sink),
            },
            unknown => {
                let help = match nearest(unknown, WORDS.into_iter()) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("the words are `{}`", WORDS.join("`, `")),
                };
                sink.error(word.span, format!("unknown word `{unknown}` in `#[geode::function(…)]`\nhelp: {help}"));
            }
        }
    }
}

fn twice(name: &str) -> String {
    match name.trim_end_matches("_file") {
        "user" => "the user's turn is given twice\nhelp: keep one of `user` and `user_file`".to_owned(),
        "system" => "the instructions are given twice\nhelp: keep one of `system` and `system_file`".to_owned(),
        name => format!("`{name}` is given twice\nhelp: keep one"),
    }
}
