//! Wire forms that a field asks for by an attribute, for types that have none of their own.

use crate::json::{Reader, Writer};
use crate::output::Carrier;
use crate::report::Code;
use crate::shape::{Edge, Rules, Shape};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::type_name;
use std::fmt::Display;
use std::str::FromStr;

/// As text, by `FromStr` and `Display` (`#[geode(as_string)]`).
#[derive(Debug)]
pub struct Text;

impl<T: FromStr<Err: Display> + Display> Carrier<T> for Text {
    const SHAPE: &'static Shape = &Shape::String;

    fn read(reader: &mut Reader<'_>, rules: &'static Rules) -> Option<T> {
        let at = reader.offset();
        let text = reader.string()?;
        reader.check_text(&text, rules, at);
        reader.parsed(at, type_name::<T>(), text.parse::<T>())
    }

    fn write(value: &T, writer: &mut Writer) {
        writer.display(value);
    }
}

/// As a string that holds JSON text, by serde: for values whose shape is open.
#[derive(Debug)]
pub struct Json;

impl<T: Serialize + DeserializeOwned> Carrier<T> for Json {
    const SHAPE: &'static Shape = &Shape::JsonText;

    fn read(reader: &mut Reader<'_>, rules: &'static Rules) -> Option<T> {
        let at = reader.offset();
        let text = reader.string()?;
        reader.check_text(&text, rules, at);
        match serde_json::from_str(&text) {
            Err(error) if !error.is_data() => {
                reader.refuse(at, Code::Format, "text that holds JSON");
                None
            }
            parsed => reader.parsed(at, type_name::<T>(), parsed),
        }
    }

    /// A value that serde can't write as JSON becomes the text `null`.
    fn write(value: &T, writer: &mut Writer) {
        writer.text(&serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned()));
    }
}

/// As schemars and serde say (`#[geode(schemars)]`). What carries it stands in `foreign`, behind the feature `schemars`.
#[derive(Debug)]
pub struct Schemars;

/// The same, or `null`.
#[derive(Debug)]
pub struct Optional<C>(C);

impl<T, C: Carrier<T>> Carrier<Option<T>> for Optional<C> {
    const SHAPE: &'static Shape = &Shape::Nullable(Edge::Eager(C::SHAPE));

    #[inline]
    fn absent() -> Option<Option<T>> {
        Some(None)
    }

    fn read(reader: &mut Reader<'_>, rules: &'static Rules) -> Option<Option<T>> {
        if reader.null() { Some(None) } else { C::read(reader, rules).map(Some) }
    }

    fn write(value: &Option<T>, writer: &mut Writer) {
        match value {
            Some(value) => C::write(value, writer),
            None => writer.null(),
        }
    }
}
