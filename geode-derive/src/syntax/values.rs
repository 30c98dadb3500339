//! The values of words, read.

use syn::punctuated::Punctuated;
use syn::{Expr, LitStr, Token, WherePredicate};

use super::attr::Default;
use super::literal::json;
use super::meta::{Meta, Spanned, Value};
use crate::case::{CASES, Case};
use crate::diag::{Sink, nearest};

/// `word = "…"`, or the deserialising half of `word(serialize = "…", deserialize = "…")`.
pub(super) fn deserialize_name(meta: &Meta, name: &str, sink: &Sink) -> Option<Spanned<String>> {
    if !matches!(meta.value, Value::List(_)) {
        return meta.text(sink);
    }
    let mut found = None;
    for half in meta.list(sink) {
        match half.name.as_str() {
            "deserialize" => found = half.text(sink),
            "serialize" => {}
            other => sink.error(half.span, format!("unknown word `{other}` in `{name}(…)`\nhelp: write `deserialize`")),
        }
    }
    found
}

pub(super) fn case(meta: &Meta, sink: &Sink) -> Option<Spanned<Case>> {
    let text = deserialize_name(meta, &meta.name, sink)?;
    let case = Case::named(&text.value);
    if case.is_none() {
        let known = CASES.map(|(name, _)| name);
        let help = match nearest(&text.value, known.into_iter()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("one of \"{}\"", known.join("\", \"")),
        };
        sink.error(text.span, format!("unknown case rule \"{}\"\nhelp: {help}", text.value));
    }
    case.map(|case| Spanned::new(case, text.span))
}

pub(super) fn default(meta: &Meta, sink: &Sink) -> Option<Spanned<Default>> {
    let value = match &meta.value {
        Value::None => Default::Trait,
        _ => Default::Function(meta.path(sink)?),
    };
    Some(Spanned::new(value, meta.span))
}

/// Examples as JSON texts. An example that is no literal can't be turned into JSON by a macro.
pub(super) fn examples(meta: &Meta, sink: &Sink) -> Vec<String> {
    let expressions: Vec<Expr> = match &meta.value {
        Value::Expr(Expr::Array(array)) if meta.name == "examples" => array.elems.iter().cloned().collect(),
        Value::Expr(expr) => vec![expr.clone()],
        Value::List(tokens) => {
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            let parsed = syn::parse::Parser::parse2(parser, tokens.clone());
            sink.keep(parsed).map(|list| list.into_iter().collect()).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    if expressions.is_empty() {
        meta.refuse(format!("`{0}` takes a value\nhelp: write `{0} = …`", meta.name), sink);
    }
    expressions.iter().filter_map(|expr| json(expr, Some(sink))).collect()
}

pub(super) fn bound(meta: &Meta, sink: &Sink) -> Option<Spanned<Vec<WherePredicate>>> {
    let parser = Punctuated::<WherePredicate, Token![,]>::parse_terminated;
    let parsed = match &meta.value {
        Value::List(tokens) if syn::parse2::<LitStr>(tokens.clone()).is_err() => {
            syn::parse::Parser::parse2(parser, tokens.clone())
        }
        _ => {
            let text = meta.text(sink)?;
            let literal = LitStr::new(&text.value, text.span);
            literal.parse_with(parser)
        }
    };
    sink.keep(parsed).map(|list| Spanned::new(list.into_iter().collect(), meta.value_span()))
}
