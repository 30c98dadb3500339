//! Text, and what is carried as text.

use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;
use crate::report::Code;
use crate::shape::{Annotated, Edge, Field, Format, Rules, Shape, Tagging, Union, Variant};
use std::borrow::Cow;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

/// Types that are text: how one is read, and how fields are.
macro_rules! text {
    ($($type:ty, $read:expr $(, $field:ident)?;)*) => {$(
        impl StructuredOutput for $type {
            const SHAPE: &'static Shape = &Shape::String;

            #[inline]
            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                let read = $read;
                read(reader)
            }

            fn write(&self, writer: &mut Writer) {
                writer.text(self);
            }

            #[inline]
            fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
                reader.check_text(self, rules, at);
            }

            $(
                #[inline]
                fn read_field<const RULED: bool>(slot: &mut Option<Self>, reader: &mut Reader<'_>, field: &'static Field) {
                    reader.$field::<RULED>(slot, field);
                }
            )?
        }
    )*};
}

text! {
    String, Reader::text, text_field;
    Box<str>, |reader: &mut Reader<'_>| reader.string().map(Box::from);
    std::rc::Rc<str>, |reader: &mut Reader<'_>| reader.string().map(std::rc::Rc::from);
    std::sync::Arc<str>, |reader: &mut Reader<'_>| reader.string().map(std::sync::Arc::from);
    Cow<'_, str>, |reader: &mut Reader<'_>| reader.text().map(Cow::Owned);
}

impl StructuredOutput for char {
    const SHAPE: &'static Shape =
        &Shape::Annotated(&narrowed(&Rules { min_length: Some(1), max_length: Some(1), ..Rules::NONE }));

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let at = reader.offset();
        let text = reader.string()?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Some(c),
            _ => {
                reader.refuse(at, Code::Length, "exactly 1 character");
                None
            }
        }
    }

    fn write(&self, writer: &mut Writer) {
        writer.text(self.encode_utf8(&mut [0; 4]));
    }

    fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
        reader.check_text(self.encode_utf8(&mut [0; 4]), rules, at);
    }
}

impl StructuredOutput for PathBuf {
    const SHAPE: &'static Shape = &Shape::String;

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.string().map(|text| PathBuf::from(OsString::from(text.into_owned())))
    }

    /// A path that is not Unicode is written with replacement characters: JSON has no other text.
    fn write(&self, writer: &mut Writer) {
        writer.text(&self.to_string_lossy());
    }

    fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
        reader.check_text(&self.to_string_lossy(), rules, at);
    }
}

/// Text narrowed by rules.
pub(super) const fn narrowed(rules: &'static Rules) -> Annotated {
    Annotated { name: None, description: None, examples: &[], rules, of: Edge::Eager(&Shape::String) }
}

/// Reads text that the rules accept and that `parse` takes. What is expected of it is told once, whichever refuses.
pub(super) fn read_parsed<T>(
    reader: &mut Reader<'_>,
    rules: &Rules,
    expected: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let at = reader.offset();
    let text = reader.string()?;
    let fits = rules.format.is_none_or(|format| (format.accepts)(&text))
        && rules.pattern.is_none_or(|pattern| (pattern.is_match)(&text));
    let value = if fits { parse(&text) } else { None };
    if value.is_none() {
        reader.refuse(at, Code::Format, expected);
    }
    value
}

/// The rule of a format, or of a pattern, alone.
macro_rules! rule {
    (format $format:ident) => {
        Rules { format: Some(Format::$format.checked()), ..Rules::NONE }
    };
    (pattern $source:literal) => {
        Rules {
            pattern: Some(Pattern {
                source: $source,
                is_match: |text| {
                    static MATCHER: Matcher = Matcher::new($source);
                    MATCHER.is_match(text)
                },
            }),
            ..Rules::NONE
        }
    };
}
#[allow(unused_imports, reason = "for the foreign types, each of which is a feature")]
pub(super) use rule;

/// Types that are text on the wire: the rule for the text, what is expected, how it is parsed and displayed.
macro_rules! as_text {
    ($($type:ty: $kind:ident $rule:tt, $expected:expr, $parse:expr, $display:expr;)*) => {$(
        impl StructuredOutput for $type {
            const SHAPE: &'static Shape = &Shape::Annotated(&narrowed(&rule!($kind $rule)));

            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                read_parsed(reader, &rule!($kind $rule), $expected, $parse)
            }

            fn write(&self, writer: &mut Writer) {
                let display: fn(&Self) -> String = $display;
                writer.text(&display(self));
            }

            fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
                let display: fn(&Self) -> String = $display;
                reader.check_text(&display(self), rules, at);
            }
        }
    )*};
}
#[allow(unused_imports, reason = "for the foreign types, each of which is a feature")]
pub(super) use as_text;

as_text! {
    Ipv4Addr: format Ipv4, "an IPv4 address", |text| text.parse().ok(), Ipv4Addr::to_string;
    Ipv6Addr: format Ipv6, "an IPv6 address", |text| text.parse().ok(), Ipv6Addr::to_string;
}

impl StructuredOutput for IpAddr {
    const SHAPE: &'static Shape = &Shape::Union(&Union {
        name: "IpAddr",
        id: std::any::type_name::<IpAddr>,
        description: None,
        tagging: Tagging::Untagged,
        variants: &[
            Variant::newtype("V4", Edge::Eager(Ipv4Addr::SHAPE)),
            Variant::newtype("V6", Edge::Eager(Ipv6Addr::SHAPE)),
        ],
        fallback: false,
    });

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        read_parsed(reader, &Rules::NONE, "an IPv4 or IPv6 address", |text| text.parse().ok())
    }

    fn write(&self, writer: &mut Writer) {
        writer.display(self);
    }
}
