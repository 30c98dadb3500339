//! One word of an attribute as it is written: `name`, `name = value` or `name(...)`.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned as _;
use syn::{Expr, Ident, Lit, LitStr, Token, Type};

use super::literal::string;
use super::words::{Grammar, Namespace, grammar};
use crate::diag::Sink;

/// One word and its value.
pub(crate) struct Meta {
    pub(crate) namespace: Namespace,
    pub(crate) name: String,
    /// Where the word stands.
    pub(crate) span: Span,
    pub(crate) value: Value,
}

/// What stands behind a word.
pub(crate) enum Value {
    None,
    Expr(Expr),
    Type(Type),
    List(TokenStream),
}

/// A value, and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

impl<T> Spanned<T> {
    pub(crate) fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

/// Parses a comma-separated list of words. A broken one is told, and the others are read all the same.
pub(crate) fn words(namespace: Namespace, tokens: TokenStream, sink: &Sink) -> Vec<Meta> {
    let mut out = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            match one(namespace, input) {
                Ok(word) => out.push(word),
                Err(error) => {
                    sink.push(error);
                    while !input.is_empty() && !input.peek(Token![,]) {
                        input.parse::<TokenTree>()?;
                    }
                }
            }
            if input.peek(Token![,]) {
                input.parse::<Token![,]>()?;
            } else if !input.is_empty() {
                sink.push(input.error("no comma before this word\nhelp: write `,` between two words"));
            }
        }
        Ok(())
    };
    sink.keep(parser.parse2(tokens));
    out
}

fn one(namespace: Namespace, input: ParseStream<'_>) -> syn::Result<Meta> {
    if input.peek(Token![!]) {
        // schemars: `!word` takes a serde word back.
        return Err(input.error("words can't be taken back here\nhelp: remove the `!` word"));
    }
    if !input.peek(Ident::peek_any) {
        return Err(input.error("this is no word\nhelp: write `word`, `word = …` or `word(…)`"));
    }
    let ident = input.call(Ident::parse_any)?;
    let name = ident.unraw().to_string();
    if input.peek(Lit) {
        return Err(input.error(format!("no `=` before the value of `{name}`\nhelp: write `{name} = …`")));
    }
    let value = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(syn::Error::new(ident.span(), format!("no value behind `{name} =`\nhelp: write `{name} = …`")));
        }
        match grammar(namespace, &name) {
            Grammar::Type if input.peek(LitStr) => Value::Type(input.parse::<LitStr>()?.parse()?),
            Grammar::Type => Value::Type(input.parse()?),
            Grammar::Open => Value::Expr(input.parse()?),
        }
    } else if input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in input);
        Value::List(content.parse()?)
    } else {
        Value::None
    };
    Ok(Meta { namespace, name, span: ident.span(), value })
}

impl Meta {
    /// The value as a string literal.
    pub(crate) fn text(&self, sink: &Sink) -> Option<Spanned<String>> {
        let literal = match &self.value {
            Value::Expr(expr) => string(expr),
            Value::List(tokens) => syn::parse2::<LitStr>(tokens.clone()).ok(),
            _ => None,
        };
        if literal.is_none() {
            let name = &self.name;
            self.refuse(format!("`{name}` takes a string\nhelp: write `{name} = \"…\"`"), sink);
        }
        literal.map(|literal| Spanned::new(literal.value(), literal.span()))
    }

    /// The value as a path, bare or in quotes.
    pub(crate) fn path(&self, sink: &Sink) -> Option<syn::Path> {
        let found = match &self.value {
            Value::Expr(Expr::Path(path)) if path.qself.is_none() => Some(path.path.clone()),
            Value::Expr(expr) => string(expr).and_then(|literal| literal.parse().ok()),
            _ => None,
        };
        if found.is_none() {
            let name = &self.name;
            self.refuse(format!("`{name}` takes a path\nhelp: write `{name} = some::path`"), sink);
        }
        found
    }

    /// The value as a type.
    pub(crate) fn of_type(&self, sink: &Sink) -> Option<Spanned<Type>> {
        match &self.value {
            Value::Type(found) => Some(Spanned::new(found.clone(), found.span())),
            _ => {
                let name = &self.name;
                sink.error(self.span, format!("`{name}` takes a type\nhelp: write `{name} = \"SomeType\"`"));
                None
            }
        }
    }

    /// The words inside the parentheses.
    pub(crate) fn list(&self, sink: &Sink) -> Vec<Meta> {
        match &self.value {
            Value::List(tokens) => words(self.namespace, tokens.clone(), sink),
            _ => {
                let name = &self.name;
                let inside = match name.as_str() {
                    "range" | "length" | "items" => "min = …, max = …",
                    _ => "…",
                };
                sink.error(self.span, format!("`{name}` takes a list\nhelp: write `{name}({inside})`"));
                Vec::new()
            }
        }
    }

    /// Records a mistake where a word that takes no value has one.
    pub(crate) fn flag(&self, sink: &Sink) -> Span {
        if !matches!(self.value, Value::None) {
            self.refuse(format!("`{0}` takes no value\nhelp: write `{0}` alone", self.name), sink);
        }
        self.span
    }

    /// Records what is wrong with the value, or with the word where there is none.
    pub(crate) fn refuse(&self, message: impl Display, sink: &Sink) {
        match &self.value {
            Value::Expr(expr) => sink.error_in(expr, message),
            Value::Type(found) => sink.error_in(found, message),
            Value::List(tokens) if !tokens.is_empty() => sink.error_in(tokens, message),
            Value::None | Value::List(_) => sink.error(self.span, message),
        }
    }

    /// Where the value stands; the word where there is none.
    pub(crate) fn value_span(&self) -> Span {
        match &self.value {
            Value::None => self.span,
            Value::Expr(expr) => expr.span(),
            Value::Type(found) => found.span(),
            Value::List(tokens) if tokens.is_empty() => self.span,
            Value::List(tokens) => tokens.span(),
        }
    }
}
