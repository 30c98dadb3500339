//! The words of the attribute.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Path, Token};

use crate::diag::{Sink, nearest};

/// The words of the attribute on a function.
pub(super) const FUNCTION: &[&str] = &["tier", "name", "description", "timeout", "authorize", "struct", "crate"];
/// The words on an enum of tools: what its variants have in common.
pub(crate) const ENUM: &[&str] = &["tier", "timeout", "crate"];
/// The words on a variant of such an enum.
pub(crate) const VARIANT: &[&str] = &["tier", "name", "description", "timeout"];

/// Tiers as they are written, and the variants that they are.
const TIERS: [(&str, &str); 5] = [
    ("safe", "Safe"),
    ("pre_approved", "PreApproved"),
    ("expensive", "Expensive"),
    ("write", "Write"),
    ("dangerous", "Dangerous"),
];

/// What the attribute says.
#[derive(Clone)]
pub(crate) struct Words {
    /// The variant of `Tier`.
    pub(crate) tier: Ident,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) timeout: Option<Duration>,
    pub(super) authorize: Option<Path>,
    pub(super) structure: Option<Ident>,
    pub(crate) krate: Path,
}

impl Default for Words {
    fn default() -> Self {
        Words {
            tier: Ident::new("Write", Span::call_site()),
            name: None,
            description: None,
            timeout: None,
            authorize: None,
            structure: None,
            krate: syn::parse_quote!(::geode),
        }
    }
}

impl Words {
    /// The words of one attribute, over those that hold without it.
    pub(crate) fn over(mut self, tokens: TokenStream, known: &[&str], sink: &Sink) -> Self {
        let parser = |input: ParseStream<'_>| {
            let mut seen: Vec<String> = Vec::new();
            while !input.is_empty() {
                let word = input.call(Ident::parse_any)?;
                let name = word.unraw().to_string();
                if !known.contains(&name.as_str()) {
                    return Err(syn::Error::new(word.span(), unknown(&name, known)));
                }
                if seen.contains(&name) {
                    sink.error(word.span(), format!("`{name}` is given twice\nhelp: keep one"));
                }
                input.parse::<Token![=]>()?;
                self.set(&name, &input.parse()?, sink);
                seen.push(name);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        sink.keep(parser.parse2(tokens));
        self
    }

    fn set(&mut self, name: &str, value: &Expr, sink: &Sink) {
        match name {
            "tier" => {
                self.tier = text(value, name, sink).and_then(|text| tier(&text, sink)).unwrap_or(self.tier.clone())
            }
            "name" => self.name = text(value, name, sink).filter(|text| legal(text, sink)),
            "description" => self.description = text(value, name, sink),
            "timeout" => self.timeout = text(value, name, sink).and_then(|text| duration(&text, sink)),
            "authorize" => self.authorize = path(value, name, sink),
            "struct" => self.structure = text(value, name, sink).and_then(|text| sink.keep(text.parse())),
            _ => self.krate = path(value, name, sink).unwrap_or(self.krate.clone()),
        }
    }
}

fn unknown(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown word `{name}`\nhelp: did you mean `{near}`?"),
        None => format!("unknown word `{name}`\nhelp: the words are `{}`", known.join("`, `")),
    }
}

fn text(value: &Expr, name: &str, sink: &Sink) -> Option<LitStr> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.clone()),
        other => {
            let message = format!("`{name}` takes a string\nhelp: write `{name} = \"…\"`");
            sink.push(syn::Error::new_spanned(other, message));
            None
        }
    }
}

fn path(value: &Expr, name: &str, sink: &Sink) -> Option<Path> {
    match value {
        Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
        other => {
            let message = format!("`{name}` takes a path\nhelp: write `{name} = some::path`");
            sink.push(syn::Error::new_spanned(other, message));
            None
        }
    }
}

fn tier(text: &LitStr, sink: &Sink) -> Option<Ident> {
    let written = text.value();
    if let Some((_, variant)) = TIERS.iter().find(|(name, _)| *name == written) {
        return Some(Ident::new(variant, text.span()));
    }
    let names = TIERS.map(|(name, _)| name);
    let help = match nearest(&written, names.into_iter()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("the tiers are \"{}\"", names.join("\", \"")),
    };
    sink.error(text.span(), format!("there is no tier {written:?}\nhelp: {help}"));
    None
}

/// Whether every provider takes a name.
fn legal(text: &LitStr, sink: &Sink) -> bool {
    let name = text.value();
    let characters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let legal = characters && (1..=64).contains(&name.len()) && !name.starts_with("__");
    if !legal {
        let message =
            "providers refuse this name\nhelp: use 1 to 64 letters, digits, `_` and `-`, without a leading `__`";
        sink.error(text.span(), message);
    }
    legal
}

fn duration(text: &LitStr, sink: &Sink) -> Option<Duration> {
    let written = text.value();
    let split = written.find(|character: char| !character.is_ascii_digit()).unwrap_or(written.len());
    let (number, unit) = written.split_at(split);
    let number: Option<u64> = number.parse().ok().filter(|number| *number > 0);
    let duration = match (number, unit) {
        (Some(number), "ms") => Some(Duration::from_millis(number)),
        (Some(number), "s") => Some(Duration::from_secs(number)),
        (Some(number), "m") => number.checked_mul(60).map(Duration::from_secs),
        _ => None,
    };
    if duration.is_none() {
        let message =
            format!("{written:?} is no time\nhelp: write a whole number and `ms`, `s` or `m`, such as \"30s\"");
        sink.error(text.span(), message);
    }
    duration
}

/// A time as an expression.
pub(crate) fn duration_tokens(duration: Duration) -> TokenStream {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    quote!(::core::time::Duration::from_millis(#millis))
}
