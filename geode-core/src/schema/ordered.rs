//! A JSON value whose objects keep their order, without changing `serde_json` for the whole build.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// A JSON value with ordered objects.
pub(super) enum Ordered {
    /// Anything but a list or an object.
    Scalar(Value),
    /// A list.
    Array(Vec<Ordered>),
    /// An object without repeated keys.
    Object(Vec<(String, Ordered)>),
}

impl Ordered {
    /// The value with its objects in `serde_json`'s own order.
    pub(super) fn into_value(self) -> Value {
        match self {
            Ordered::Scalar(value) => value,
            Ordered::Array(items) => items.into_iter().map(Ordered::into_value).collect(),
            Ordered::Object(members) => members.into_iter().map(|(key, value)| (key, value.into_value())).collect(),
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OrderedVisitor)
    }
}

struct OrderedVisitor;

impl<'de> Visitor<'de> for OrderedVisitor {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(Value::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(Value::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(Value::from(value)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Ordered, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("a number that is not finite"))?;
        Ok(Ordered::Scalar(Value::Number(number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(Value::from(value)))
    }

    fn visit_string<E>(self, value: String) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(Value::String(value)))
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Scalar(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Ordered, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Ordered::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Ordered, A::Error> {
        let mut object: Vec<(String, Ordered)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        while let Some((key, value)) = members.next_entry::<String, Ordered>()? {
            if !seen.insert(key.clone()) {
                let shown: String = key.chars().take(80).collect();
                return Err(A::Error::custom(format_args!("the key {shown:?} stands twice")));
            }
            object.push((key, value));
        }
        Ok(Ordered::Object(object))
    }
}
