//! Prompt templates: text with `{name}` placeholders; `{{` and `}}` stand for braces.

use std::path::Path;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::diag::Sink;
use crate::syntax::meta::Spanned;

/// A template, read.
pub(crate) struct Template {
    pub(crate) parts: Vec<Part>,
    /// The literal that it, or its file's name, stands in.
    pub(crate) span: Span,
    /// The file that it was read from.
    file: Option<String>,
}

/// A piece of a template.
pub(crate) enum Part {
    Text(String),
    Value(String),
}

impl Template {
    /// The template in a literal.
    pub(crate) fn inline(text: &Spanned<String>, sink: &Sink) -> Self {
        Template { parts: parts(&text.value, text.span, sink), span: text.span, file: None }
    }

    /// The template in a file, its name relative to the package's folder.
    pub(crate) fn file(name: &Spanned<String>, sink: &Sink) -> Option<Self> {
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        match std::fs::read_to_string(Path::new(&folder).join(&name.value)) {
            Ok(text) => {
                Some(Template { parts: parts(&text, name.span, sink), span: name.span, file: Some(name.value.clone()) })
            }
            Err(error) => {
                sink.error(
                    name.span,
                    format!("this template can't be read: {error}\nhelp: the name is relative to the folder of the package's Cargo.toml"),
                );
                None
            }
        }
    }

    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Value(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// Makes the compiler watch the file.
    pub(crate) fn tracked(&self) -> Option<TokenStream> {
        let file = self.file.as_ref()?;
        Some(quote!(
            const _: &str = ::core::include_str!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #file));
        ))
    }
}

fn parts(text: &str, span: Span, sink: &Sink) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        if let Some(behind) = from.strip_prefix("{{") {
            plain.push('{');
            rest = behind;
        } else if let Some(behind) = from.strip_prefix("}}") {
            plain.push('}');
            rest = behind;
        } else if let Some((name, behind)) = from.strip_prefix('{').and_then(|inside| inside.split_once('}')) {
            if syn::parse_str::<syn::Ident>(name).is_err() {
                sink.error(
                    span,
                    format!("`{{{name}}}` is no placeholder\nhelp: write a parameter's name, or `{{{{` for a brace"),
                );
            } else {
                parts.push(Part::Text(std::mem::take(&mut plain)));
                parts.push(Part::Value(name.to_owned()));
            }
            rest = behind;
        } else {
            sink.error(span, "a brace stands alone\nhelp: write `{{` or `}}` for a brace in the text");
            return parts;
        }
    }
    plain.push_str(rest);
    parts.push(Part::Text(plain));
    parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    parts
}
