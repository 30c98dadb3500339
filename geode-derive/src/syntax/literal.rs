//! Literals: numbers that limit, counts, and what a literal is as JSON.

use std::cmp::Ordering;

use syn::{Expr, ExprLit, Lit, LitStr, UnOp};

use super::meta::{Meta, Spanned, Value};
use crate::diag::Sink;

/// A numeric literal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Unsigned(u128),
    Real(f64),
}

impl Number {
    fn real(self) -> f64 {
        match self {
            Number::Integer(n) => n as f64,
            Number::Unsigned(n) => n as f64,
            Number::Real(n) => n,
        }
    }

    /// Whether no number is between this limit and an upper one; `open` where one of the two doesn't count.
    pub(super) fn leaves_nothing_below(self, upper: Number, open: bool) -> bool {
        let order = match (self, upper) {
            (Number::Integer(a), Number::Integer(b)) => Some(a.cmp(&b)),
            _ => self.real().partial_cmp(&upper.real()),
        };
        order == Some(Ordering::Greater) || open && order == Some(Ordering::Equal)
    }
}

pub(super) fn number(meta: &Meta, sink: &Sink) -> Option<Spanned<Number>> {
    let found = match &meta.value {
        Value::Expr(expr) => literal(expr).and_then(|(negative, lit)| match lit {
            Lit::Int(lit) => match lit.base10_parse::<u128>().ok()? {
                n if n <= i128::MAX as u128 => Some(Number::Integer(if negative { -(n as i128) } else { n as i128 })),
                n => (!negative).then_some(Number::Unsigned(n)),
            },
            Lit::Float(lit) => {
                let n = lit.base10_parse::<f64>().ok()?;
                Some(Number::Real(if negative { -n } else { n }))
            }
            _ => None,
        }),
        _ => None,
    };
    if found.is_none() {
        let name = &meta.name;
        meta.refuse(format!("`{name}` takes a number\nhelp: write the number itself, `{name} = 1`"), sink);
    }
    found.map(|number| Spanned::new(number, meta.value_span()))
}

pub(super) fn count(meta: &Meta, sink: &Sink) -> Option<Spanned<usize>> {
    let found = match &meta.value {
        Value::Expr(expr) => literal(expr),
        _ => None,
    };
    let found = match found {
        Some((false, Lit::Int(lit))) => lit.base10_parse::<usize>().ok(),
        _ => None,
    };
    if found.is_none() {
        let name = &meta.name;
        meta.refuse(format!("`{name}` takes a count\nhelp: write the number itself, `{name} = 1`"), sink);
    }
    found.map(|count| Spanned::new(count, meta.value_span()))
}

/// A literal as JSON text. Where it is no literal, that is a mistake if there is a sink for it.
pub(crate) fn json(expr: &Expr, sink: Option<&Sink>) -> Option<String> {
    let found = match literal(expr) {
        Some((false, Lit::Str(text))) => Some(quoted(&text.value())),
        Some((false, Lit::Char(c))) => Some(quoted(&c.value().to_string())),
        Some((false, Lit::Bool(b))) => Some(b.value.to_string()),
        Some((negative, Lit::Int(n))) => Some(format!("{}{}", if negative { "-" } else { "" }, n.base10_digits())),
        Some((negative, Lit::Float(n))) => Some(format!("{}{}", if negative { "-" } else { "" }, float(&n)?)),
        _ => None,
    };
    if let (None, Some(sink)) = (&found, sink) {
        let message = "only a literal can be turned into JSON here\nhelp: write a string, a number or a boolean";
        sink.error_in(expr, message);
    }
    found
}

fn float(lit: &syn::LitFloat) -> Option<String> {
    let n = lit.base10_parse::<f64>().ok()?;
    Some(format!("{n:?}"))
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The string literal that an expression is.
pub(crate) fn string(expr: &Expr) -> Option<LitStr> {
    match literal(expr) {
        Some((false, Lit::Str(text))) => Some(text),
        _ => None,
    }
}

/// The literal that an expression is, and whether a minus stands before it. References are looked through.
pub(crate) fn literal(expr: &Expr) -> Option<(bool, Lit)> {
    match expr {
        Expr::Lit(ExprLit { lit, .. }) => Some((false, lit.clone())),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            literal(&unary.expr).map(|(negative, lit)| (!negative, lit))
        }
        Expr::Reference(reference) => literal(&reference.expr),
        Expr::Group(group) => literal(&group.expr),
        Expr::Paren(paren) => literal(&paren.expr),
        _ => None,
    }
}
