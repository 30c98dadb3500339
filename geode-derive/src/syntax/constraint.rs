//! Constraints: our own words, and those of schemars, validator and garde that mean the same.

use proc_macro2::Span;

use super::literal::{Number, count, json, number};
use super::meta::{Meta, Spanned, Value};
use super::words::Namespace;
use crate::diag::{Sink, nearest};

/// The constraints on one value. A length is one of characters or of elements: the shape decides.
#[derive(Default, Clone)]
pub(crate) struct Constraints {
    /// The first constraint's word.
    pub(crate) span: Option<Span>,
    pub(crate) minimum: Option<Spanned<Number>>,
    pub(crate) maximum: Option<Spanned<Number>>,
    pub(crate) exclusive_minimum: Option<Spanned<Number>>,
    pub(crate) exclusive_maximum: Option<Spanned<Number>>,
    pub(crate) multiple_of: Option<Spanned<Number>>,
    pub(crate) min_length: Option<Spanned<usize>>,
    pub(crate) max_length: Option<Spanned<usize>>,
    pub(crate) min_items: Option<Spanned<usize>>,
    pub(crate) max_items: Option<Spanned<usize>>,
    pub(crate) unique: bool,
    pub(crate) pattern: Option<Spanned<String>>,
    pub(crate) format: Option<Spanned<&'static str>>,
    /// The only value, as JSON text.
    pub(crate) constant: Option<Spanned<String>>,
    pub(crate) inner: Option<Box<Constraints>>,
    /// garde's `inner` steps into an `Option` too.
    pub(crate) inner_of_option: bool,
    /// The length counts bytes, which is no constraint on text that a schema could state.
    pub(crate) counts_bytes: Option<Span>,
}

/// Formats: JSON Schema's name, and the IR's.
pub(crate) const FORMATS: [(&str, &str); 10] = [
    ("date-time", "DateTime"),
    ("date", "Date"),
    ("time", "Time"),
    ("duration", "Duration"),
    ("email", "Email"),
    ("hostname", "Hostname"),
    ("ipv4", "Ipv4"),
    ("ipv6", "Ipv6"),
    ("uri", "Uri"),
    ("uuid", "Uuid"),
];

/// Our words in `inner(…)`.
const INNER: [&str; 10] =
    ["range", "multiple_of", "length", "items", "pattern", "format", "email", "url", "inner", "const"];

impl Constraints {
    /// Reads one constraint word.
    pub(crate) fn read(&mut self, meta: &Meta, sink: &Sink) {
        use Namespace::{Garde, Geode, Schemars, Validate};
        self.span.get_or_insert(meta.span);
        match (meta.name.as_str(), meta.namespace) {
            ("range", _) => self.range(meta, sink),
            ("multiple_of", _) => once(&mut self.multiple_of, number(meta, sink), sink),
            ("length", _) => self.length(meta, sink),
            ("items", _) => self.items(meta, sink),
            ("pattern", _) => once(&mut self.pattern, meta.text(sink), sink),
            ("regex", Schemars) => {
                for word in meta.list(sink) {
                    match word.name.as_str() {
                        "pattern" => once(&mut self.pattern, word.text(sink), sink),
                        _ => unread(&word, "the expression must stand here as a string", sink),
                    }
                }
            }
            ("format", _) => once(&mut self.format, format(meta, sink), sink),
            ("email", _) => once(&mut self.format, Some(Spanned::new("Email", meta.span)), sink),
            ("url", _) => once(&mut self.format, Some(Spanned::new("Uri", meta.span)), sink),
            ("ipv4", Garde) => once(&mut self.format, Some(Spanned::new("Ipv4", meta.span)), sink),
            ("ipv6", Garde) => once(&mut self.format, Some(Spanned::new("Ipv6", meta.span)), sink),
            ("ascii", Garde) => self.text_of(r"^[\x00-\x7F]*$", meta, sink),
            ("inner", _) => {
                let mut inner = self.inner.take().unwrap_or_default();
                for word in meta.list(sink) {
                    inner.read(&word, sink);
                }
                self.inner = Some(inner);
                self.inner_of_option |= meta.namespace == Garde;
            }
            ("const", Geode) => {
                let found = match &meta.value {
                    Value::Expr(expr) => json(expr, Some(sink)).map(|text| Spanned::new(text, meta.value_span())),
                    _ => {
                        sink.error(meta.span, "`const` takes a value\nhelp: write `const = \"…\"`");
                        None
                    }
                };
                once(&mut self.constant, found, sink);
            }
            // Every property is required anyhow.
            ("required", Schemars) => {}
            (_, Schemars | Validate | Garde) => {
                unread(meta, "it isn't carried into the schema, so schema and parser would differ", sink);
            }
            // The table of words let it pass, so it stands in a list.
            _ => unknown(meta, "inner", &INNER, sink),
        }
    }

    fn text_of(&mut self, pattern: &str, meta: &Meta, sink: &Sink) {
        once(&mut self.pattern, Some(Spanned::new(pattern.to_owned(), meta.span)), sink);
    }

    fn range(&mut self, meta: &Meta, sink: &Sink) {
        for word in meta.list(sink) {
            match word.name.as_str() {
                "min" => once(&mut self.minimum, number(&word, sink), sink),
                "max" => once(&mut self.maximum, number(&word, sink), sink),
                "exclusive_min" => once(&mut self.exclusive_minimum, number(&word, sink), sink),
                "exclusive_max" => once(&mut self.exclusive_maximum, number(&word, sink), sink),
                _ => unknown(&word, "range", &["min", "max", "exclusive_min", "exclusive_max"], sink),
            }
        }
        let lows = [(&self.minimum, false), (&self.exclusive_minimum, true)];
        let highs = [(&self.maximum, false), (&self.exclusive_maximum, true)];
        for (low, open) in lows {
            for (high, beside) in highs {
                if let (Some(low), Some(high)) = (low, high)
                    && low.value.leaves_nothing_below(high.value, open || beside)
                {
                    sink.error(high.span, "no number is in this range\nhelp: the upper limit goes above the lower one");
                }
            }
        }
    }

    fn length(&mut self, meta: &Meta, sink: &Sink) {
        let mut counts_bytes = meta.namespace == Namespace::Garde;
        for word in meta.list(sink) {
            match (word.name.as_str(), meta.namespace) {
                ("min", _) => once(&mut self.min_length, count(&word, sink), sink),
                ("max", _) => once(&mut self.max_length, count(&word, sink), sink),
                ("equal", _) => {
                    let both = count(&word, sink);
                    once(&mut self.min_length, both.clone(), sink);
                    once(&mut self.max_length, both, sink);
                }
                ("chars", Namespace::Garde) => counts_bytes = false,
                ("bytes" | "graphemes" | "utf16", Namespace::Garde) => {
                    unread(&word, "JSON Schema counts characters", sink);
                }
                ("simple", Namespace::Garde) => {}
                _ => unknown(&word, "length", &["min", "max", "equal"], sink),
            }
        }
        // garde counts bytes unless told otherwise. "Not empty" means the same in both, and a list has no bytes: whether
        // it matters, only the shape knows.
        let beyond_empty = self.max_length.is_some() || self.min_length.as_ref().is_some_and(|min| min.value > 1);
        if counts_bytes && beyond_empty {
            self.counts_bytes = Some(meta.span);
        }
        ordered(self.min_length.as_ref(), self.max_length.as_ref(), "length", sink);
    }

    fn items(&mut self, meta: &Meta, sink: &Sink) {
        for word in meta.list(sink) {
            match word.name.as_str() {
                "min" => once(&mut self.min_items, count(&word, sink), sink),
                "max" => once(&mut self.max_items, count(&word, sink), sink),
                "equal" => {
                    let both = count(&word, sink);
                    once(&mut self.min_items, both.clone(), sink);
                    once(&mut self.max_items, both, sink);
                }
                "unique" => {
                    word.flag(sink);
                    self.unique = true;
                }
                _ => unknown(&word, "items", &["min", "max", "equal", "unique"], sink),
            }
        }
        ordered(self.min_items.as_ref(), self.max_items.as_ref(), "number of items", sink);
    }
}

fn once<T: PartialEq>(slot: &mut Option<Spanned<T>>, value: Option<Spanned<T>>, sink: &Sink) {
    match (slot.as_ref(), value) {
        (None, value) => *slot = value,
        (Some(earlier), Some(later)) if earlier.value != later.value => {
            sink.error(later.span, "this constraint is given twice, with different values\nhelp: keep one");
        }
        _ => {}
    }
}

fn ordered(low: Option<&Spanned<usize>>, high: Option<&Spanned<usize>>, what: &str, sink: &Sink) {
    if let (Some(low), Some(high)) = (low, high)
        && low.value > high.value
    {
        sink.error(high.span, format!("no {what} fits: `min` is above `max`\nhelp: swap them"));
    }
}

fn unknown(word: &Meta, list: &str, known: &[&str], sink: &Sink) {
    let help = match nearest(&word.name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("one of `{}`", known.join("`, `")),
    };
    sink.error(word.span, format!("unknown word `{}` in `{list}(…)`\nhelp: {help}", word.name));
}

fn unread(meta: &Meta, why: &str, sink: &Sink) {
    let (label, name) = (meta.namespace.name(), &meta.name);
    let message = format!(
        "`{name}` of `#[{label}(…)]` can't be read: {why}\nhelp: write the constraint as `#[geode(…)]`, or check it in \
         `#[geode(check = path)]`"
    );
    sink.error(meta.span, message);
}

fn format(meta: &Meta, sink: &Sink) -> Option<Spanned<&'static str>> {
    let text = meta.text(sink)?;
    let found = FORMATS.iter().find(|(name, _)| *name == text.value);
    if found.is_none() {
        let known = FORMATS.map(|(name, _)| name);
        let help = match nearest(&text.value, known.into_iter()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("one of \"{}\"; for anything else write a `pattern`", known.join("\", \"")),
        };
        sink.error(text.span, format!("unknown format \"{}\"\nhelp: {help}", text.value));
    }
    found.map(|(_, variant)| Spanned::new(*variant, text.span))
}
