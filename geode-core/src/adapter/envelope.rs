//! Tolerant reading of the objects that providers wrap answers in.
//!
//! A derived `Deserialize` fails on a missing field, on `null` and on a member that comes twice; gateways send all
//! three (a model's answer itself is read strictly, by the typed parser). Here every field has a default, `null` is
//! that default, the last of two members wins and unknown members are skipped.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::value::RawValue;

/// Declares structs that are read in this way: `field: Type = "member"`.
macro_rules! envelope {
    ($($(#[$attribute:meta])* struct $name:ident { $($field:ident: $type:ty = $member:literal),* $(,)? })*) => {$(
        $(#[$attribute])*
        #[derive(Default)]
        pub(crate) struct $name { $(pub(crate) $field: $type),* }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members;
                impl<'de> serde::de::Visitor<'de> for Members {
                    type Value = $name;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        let mut read = $name::default();
                        while let Some(key) = map.next_key::<$crate::adapter::envelope::Key<'de>>()? {
                            match &*key.0 {
                                $($member => read.$field = map.next_value::<Option<$type>>()?.unwrap_or_default(),)*
                                _ => { map.next_value::<serde::de::IgnoredAny>()?; }
                            }
                        }
                        Ok(read)
                    }
                }
                deserializer.deserialize_map(Members)
            }
        }
    )*};
}
pub(crate) use envelope;

/// The name of a member; borrowed where it holds no escape.
pub(crate) struct Key<'de>(pub(crate) Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// Text that may also come as a number: error codes. Other JSON is kept as its text.
#[derive(Default)]
pub(crate) struct Loose(pub(crate) String);

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Loose(serde_json::from_str::<String>(raw.get()).unwrap_or_else(|_| raw.get().to_owned())))
    }
}

/// A call's arguments: JSON text in a string, or the JSON itself. Kept as text, exactly as it came.
#[derive(Default)]
pub(crate) struct Arguments(pub(crate) String);

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Arguments(match raw.get().starts_with('"') {
            true => serde_json::from_str(raw.get()).map_err(serde::de::Error::custom)?,
            false => Box::<str>::from(raw).into_string(),
        }))
    }
}
