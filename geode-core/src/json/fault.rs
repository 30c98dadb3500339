//! What is wrong, in the form that costs nothing until it is told: an offset and a reference to static data.

use std::borrow::Cow;

use crate::nearest::nearest;
#[cfg(feature = "schemars")]
use crate::report::Violation;
use crate::report::{Code, quote};
use crate::shape::{Enumeration, Field, Limit, Union};

/// One fault, before it has a place and words.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// A code and what was expected.
    Plain(Code, &'static str),
    /// A code and what was expected, where that had to be put together.
    Told(Code, String),
    /// The type's own parser or conversion refused the value: the type, and its reason.
    Refused(Code, &'static str, String),
    /// An integer outside of its type's range. Boxed, since limits are wide and faults are kept by the dozen.
    Outside(Box<[Limit; 2]>),
    /// A property that is not there. The offset is the object's.
    Missing(&'static str),
    /// A property that the object doesn't have.
    Unknown(&'static [Field]),
    /// A text that is no value of the enumeration.
    Value(&'static Enumeration),
    /// A text that is no tag of the union.
    Tag(&'static Union),
    /// A text that is none of the union's versions.
    Version(&'static Union),
    /// What the schema of a foreign type says. The offset is that of the foreign value, where the pointer starts.
    #[cfg(feature = "schemars")]
    Within(Box<Violation>),
}

impl Fault {
    /// Its code.
    pub(crate) fn code(&self) -> Code {
        match self {
            Fault::Plain(code, _) | Fault::Told(code, _) | Fault::Refused(code, ..) => *code,
            Fault::Outside(..) => Code::Range,
            Fault::Missing(_) => Code::Missing,
            Fault::Unknown(_) => Code::UnknownProperty,
            Fault::Value(_) | Fault::Tag(_) | Fault::Version(_) => Code::UnknownValue,
            #[cfg(feature = "schemars")]
            Fault::Within(violation) => violation.code,
        }
    }

    /// What was expected, a phrase.
    pub(crate) fn expected(self) -> Cow<'static, str> {
        match self {
            Fault::Plain(_, expected) => Cow::Borrowed(expected),
            Fault::Told(_, expected) => Cow::Owned(expected),
            Fault::Unknown([]) => Cow::Borrowed("no properties"),
            Fault::Unknown(_) => Cow::Borrowed("only the properties that the object has"),
            Fault::Refused(_, name, _) => Cow::Owned(format!("a value that `{name}` accepts")),
            Fault::Outside(limits) => {
                let [minimum, maximum] = *limits;
                Cow::Owned(format!("an integer from {minimum} to {maximum}"))
            }
            Fault::Missing(name) => {
                let mut phrase = String::with_capacity(name.len() + 24);
                phrase.push_str("the required property ");
                quote(name, &mut phrase);
                Cow::Owned(phrase)
            }
            Fault::Value(enumeration) => {
                Cow::Owned(one_of(enumeration.values.iter().map(|value| value.name), !enumeration.integer))
            }
            Fault::Tag(union) => Cow::Owned(one_of(union.variants.iter().map(|variant| variant.name), true)),
            Fault::Version(union) => {
                let known = one_of(union.variants.iter().map(|variant| variant.name), true);
                Cow::Owned(format!("a version that this reader knows: {known}"))
            }
            #[cfg(feature = "schemars")]
            Fault::Within(violation) => violation.expected,
        }
    }

    /// The known name that is nearest to `found`, where one is near.
    pub(crate) fn suggestion(&self, found: &str) -> Option<&'static str> {
        match self {
            Fault::Unknown(fields) => nearest(found, fields.iter().map(|field| field.key.name())),
            Fault::Value(enumeration) if !enumeration.integer => {
                nearest(found, enumeration.values.iter().map(|value| value.name))
            }
            Fault::Tag(union) => nearest(found, union.variants.iter().map(|variant| variant.name)),
            _ => None,
        }
    }
}

/// Most names that a phrase lists.
const LISTED: usize = 40;

fn one_of(names: impl ExactSizeIterator<Item = &'static str>, quoted: bool) -> String {
    let total = names.len();
    let mut phrase = String::with_capacity(16 * total.min(LISTED));
    phrase.push_str(if total == 1 { "" } else { "one of " });
    for (index, name) in names.take(LISTED).enumerate() {
        if index > 0 {
            phrase.push_str(", ");
        }
        if quoted {
            quote(name, &mut phrase);
        } else {
            phrase.push_str(name);
        }
    }
    if total > LISTED {
        phrase.push_str(&format!(" and {} more", total - LISTED));
    }
    phrase
}
