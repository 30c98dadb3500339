//! schemars' words that change its schema and nothing else: read where they say what a schema of ours can say.

use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Expr, LitStr, Token};

use super::literal::json;
use super::meta::{Meta, Spanned, Value};
use crate::diag::Sink;

/// Keywords that say nothing of which values there are.
const ANNOTATIONS: [&str; 8] =
    ["$comment", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];

/// An example as JSON text. What is no literal has a value only once the program runs.
pub(super) fn example(meta: &Meta) -> Result<String, Spanned<String>> {
    let found = match &meta.value {
        Value::Expr(expr) => json(expr, None),
        _ => None,
    };
    found.ok_or_else(|| {
        let message = "`example` of `#[schemars(…)]` can't be read: only a literal has a value before the program runs\n\
                       help: add `#[geode(example = …)]` with a string, a number or a boolean, on a struct to its \
                       fields; or `#[geode(plain)]`, to go without";
        Spanned::new(message.to_owned(), meta.value_span())
    })
}

/// What is wrong with each keyword that `extend` adds and that says which values there are.
pub(super) fn extend(meta: &Meta, sink: &Sink) -> Vec<Spanned<String>> {
    let Value::List(tokens) = &meta.value else {
        meta.refuse("`extend` takes a list\nhelp: write `extend(\"x-key\" = …)`", sink);
        return Vec::new();
    };
    let parser = Punctuated::<(LitStr, Token![=], Expr), Token![,]>::parse_terminated_with;
    let pair = |input: syn::parse::ParseStream<'_>| Ok((input.parse()?, input.parse()?, input.parse()?));
    let pairs = sink.keep((|input: syn::parse::ParseStream<'_>| parser(input, pair)).parse2(tokens.clone()));
    let narrowing = pairs.into_iter().flatten().map(|(key, ..)| key).filter(|key| {
        let key = key.value();
        !key.starts_with("x-") && !ANNOTATIONS.contains(&key.as_str())
    });
    let mistake = |key: LitStr| {
        let message = format!(
            "`{}` of `extend` isn't carried into the schema, so schema and parser would differ\nhelp: write the \
             constraint as `#[geode(…)]`; where it is none, add `#[geode(plain)]`",
            key.value()
        );
        Spanned::new(message, key.span())
    };
    narrowing.map(mistake).collect()
}

/// What is wrong with a transform: it is code.
pub(super) fn transform(meta: &Meta) -> Spanned<String> {
    let message = "`transform` changes the schema by code that geode can't look into\n\
                   help: write the constraint as `#[geode(…)]`; where it is none, add `#[geode(plain)]`";
    Spanned::new(message.to_owned(), meta.span)
}
