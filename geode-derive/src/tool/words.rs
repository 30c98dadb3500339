//! The words of the attribute.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, Path};

use crate::diag::{Sink, nearest};
use crate::syntax::Namespace;
use crate::syntax::meta::{self, Meta, Spanned};

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
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) description: Option<Spanned<String>>,
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
        let mut seen: Vec<String> = Vec::new();
        for word in meta::words(Namespace::Geode, tokens, sink) {
            if !known.contains(&word.name.as_str()) {
                sink.error(word.span, unknown(&word.name, known));
                continue;
            }
            if seen.contains(&word.name) {
                sink.error(word.span, format!("`{}` is given twice\nhelp: keep one", word.name));
            }
            self.set(&word, sink);
            seen.push(word.name);
        }
        self
    }

    fn set(&mut self, word: &Meta, sink: &Sink) {
        match word.name.as_str() {
            "tier" => self.tier = word.text(sink).and_then(|text| tier(&text, sink)).unwrap_or(self.tier.clone()),
            "name" => self.name = word.text(sink).filter(|text| checked(text, sink)),
            "description" => self.description = word.text(sink),
            "timeout" => self.timeout = word.text(sink).and_then(|text| duration(&text, sink)),
            "authorize" => self.authorize = word.path(sink),
            "struct" => self.structure = word.text(sink).and_then(|text| structure(&text, sink)),
            _ => self.krate = word.path(sink).unwrap_or(self.krate.clone()),
        }
    }
}

fn unknown(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown word `{name}`\nhelp: did you mean `{near}`?"),
        None => format!("unknown word `{name}`\nhelp: the words are `{}`", known.join("`, `")),
    }
}

fn structure(text: &Spanned<String>, sink: &Sink) -> Option<Ident> {
    let name = syn::parse_str::<Ident>(&text.value).ok().map(|name| Ident::new(&name.to_string(), text.span));
    if name.is_none() {
        let message = format!("{:?} is no name of a struct\nhelp: write one such as \"LookupOrder\"", text.value);
        sink.error(text.span, message);
    }
    name
}

fn tier(text: &Spanned<String>, sink: &Sink) -> Option<Ident> {
    let written = &text.value;
    if let Some((_, variant)) = TIERS.iter().find(|(name, _)| name == written) {
        return Some(Ident::new(variant, text.span));
    }
    let names = TIERS.map(|(name, _)| name);
    let help = match nearest(written, names.into_iter()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("the tiers are \"{}\"", names.join("\", \"")),
    };
    sink.error(text.span, format!("there is no tier {written:?}\nhelp: {help}"));
    None
}

/// Whether every provider takes a name.
pub(crate) fn legal(name: &str) -> bool {
    let characters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    characters && (1..=64).contains(&name.len()) && !name.starts_with("__")
}

fn checked(text: &Spanned<String>, sink: &Sink) -> bool {
    let legal = legal(&text.value);
    if !legal {
        let message = "providers refuse this name\nhelp: use 1 to 64 ASCII letters, digits, `_` and `-`, without a \
                       leading `__`";
        sink.error(text.span, message);
    }
    legal
}

fn duration(text: &Spanned<String>, sink: &Sink) -> Option<Duration> {
    let written = &text.value;
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
        sink.error(text.span, message);
    }
    duration
}

/// A time as an expression.
pub(crate) fn duration_tokens(duration: Duration) -> TokenStream {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    quote!(::core::time::Duration::from_millis(#millis))
}
