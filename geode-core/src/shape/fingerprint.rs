//! A short name for a shape, known at compile time.

use super::{Body, Edge, Field, Limit, Object, Role, Rules, Shape, Tagging, Union};

/// FNV-1a with 64 bits over whatever a schema would say of the shape.
///
/// What is behind `Box`, `Rc`, `Arc` or recursion, and a foreign type's schema, is not known at compile time and counts
/// as an edge only.
pub const fn fingerprint(shape: &Shape) -> u64 {
    shape_into(0xcbf2_9ce4_8422_2325, shape)
}

const fn byte(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3)
}

const fn number(mut hash: u64, number: u128) -> u64 {
    let bytes = number.to_le_bytes();
    let mut left = bytes.as_slice();
    while let [first, rest @ ..] = left {
        hash = byte(hash, *first);
        left = rest;
    }
    hash
}

/// A text and its end, so that two texts can't run into each other.
const fn text(mut hash: u64, text: &str) -> u64 {
    let mut left = text.as_bytes();
    while let [first, rest @ ..] = left {
        hash = byte(hash, *first);
        left = rest;
    }
    byte(hash, 0xff)
}

const fn optional_text(hash: u64, value: Option<&str>) -> u64 {
    match value {
        Some(value) => text(byte(hash, 1), value),
        None => byte(hash, 0),
    }
}

const fn texts(mut hash: u64, mut list: &[&str]) -> u64 {
    while let [first, rest @ ..] = list {
        hash = text(hash, first);
        list = rest;
    }
    byte(hash, 0xfe)
}

const fn limit(hash: u64, limit: Limit) -> u64 {
    match limit {
        Limit::Integer(whole) => number(byte(hash, 1), whole as u128),
        Limit::Unsigned(whole) => number(byte(hash, 2), whole),
        Limit::Real(real) => number(byte(hash, 3), real.to_bits() as u128),
    }
}

const fn optional_limit(hash: u64, value: Option<Limit>) -> u64 {
    match value {
        Some(value) => limit(hash, value),
        None => byte(hash, 0),
    }
}

const fn optional_count(hash: u64, value: Option<usize>) -> u64 {
    match value {
        Some(value) => number(byte(hash, 1), value as u128),
        None => byte(hash, 0),
    }
}

const fn rules(mut hash: u64, rules: &Rules) -> u64 {
    if rules.is_none() {
        return byte(hash, 0);
    }
    hash = optional_limit(hash, rules.minimum);
    hash = optional_limit(hash, rules.maximum);
    hash = optional_limit(hash, rules.exclusive_minimum);
    hash = optional_limit(hash, rules.exclusive_maximum);
    hash = optional_limit(hash, rules.multiple_of);
    hash = optional_count(hash, rules.min_length);
    hash = optional_count(hash, rules.max_length);
    hash = match rules.pattern {
        Some(pattern) => text(byte(hash, 1), pattern.source),
        None => byte(hash, 0),
    };
    hash = match rules.format {
        Some(format) => text(byte(hash, 1), format.format.name()),
        None => byte(hash, 0),
    };
    hash = optional_count(hash, rules.min_items);
    hash = optional_count(hash, rules.max_items);
    hash = byte(hash, rules.unique_items as u8);
    hash = optional_text(hash, rules.constant);
    match rules.inner {
        Some(inner) => self::rules(byte(hash, 1), inner),
        None => byte(hash, 0),
    }
}

const fn edge(hash: u64, edge: &Edge) -> u64 {
    match edge {
        Edge::Eager(shape) => shape_into(hash, shape),
        Edge::Lazy(_) => byte(hash, 0xfd),
    }
}

const fn shape_into(hash: u64, shape: &Shape) -> u64 {
    match shape {
        Shape::Null => byte(hash, 1),
        Shape::Boolean => byte(hash, 2),
        Shape::Integer { minimum, maximum } => limit(limit(byte(hash, 3), *minimum), *maximum),
        Shape::Number => byte(hash, 4),
        Shape::String => byte(hash, 5),
        Shape::JsonText => byte(hash, 6),
        Shape::Enumeration(enumeration) => {
            let mut hash = optional_text(text(byte(hash, 7), enumeration.name), enumeration.description);
            let mut values = enumeration.values;
            while let [value, rest @ ..] = values {
                hash = optional_text(text(hash, value.name), value.description);
                values = rest;
            }
            byte(hash, enumeration.integer as u8)
        }
        Shape::Array { items, minimum, maximum, unique } => {
            let hash = optional_count(optional_count(byte(hash, 8), *minimum), *maximum);
            edge(byte(hash, *unique as u8), items)
        }
        Shape::Map { key, value } => edge(edge(byte(hash, 9), key), value),
        Shape::Object(object) => self::object(hash, object),
        Shape::Union(union) => self::union(hash, union),
        Shape::Nullable(of) => edge(byte(hash, 12), of),
        Shape::Annotated(annotated) => {
            let hash = optional_text(optional_text(byte(hash, 13), annotated.name), annotated.description);
            edge(rules(texts(hash, annotated.examples), annotated.rules), &annotated.of)
        }
        #[cfg(feature = "schemars")]
        Shape::Foreign(_) => byte(hash, 14),
    }
}

const fn object(hash: u64, object: &Object) -> u64 {
    fields(optional_text(text(byte(hash, 10), object.name), object.description), object.fields)
}

const fn fields(mut hash: u64, mut fields: &[Field]) -> u64 {
    while let [field, rest @ ..] = fields {
        hash = optional_text(text(hash, field.key.name()), field.description());
        hash = rules(texts(hash, field.examples()), field.rules());
        hash = match field.role() {
            Role::Constant(value) => text(byte(hash, 1), value),
            Role::Flatten => edge(byte(hash, 2), &field.edge()),
            Role::Property | Role::Defaulted => edge(byte(hash, 3), &field.edge()),
        };
        fields = rest;
    }
    byte(hash, 0xfc)
}

const fn union(hash: u64, union: &Union) -> u64 {
    let mut hash = optional_text(text(byte(hash, 11), union.name), union.description);
    hash = match &union.tagging {
        Tagging::External => byte(hash, 1),
        Tagging::Internal { tag } => text(byte(hash, 2), tag),
        Tagging::Adjacent { tag, content } => text(text(byte(hash, 3), tag), content),
        Tagging::Untagged => byte(hash, 4),
        Tagging::Version { tag } => text(byte(hash, 5), tag),
    };
    let mut variants = union.variants;
    while let [variant, rest @ ..] = variants {
        hash = optional_text(text(hash, variant.name), variant.description);
        hash = byte(hash, variant.untagged as u8);
        hash = match &variant.body {
            Body::Unit => byte(hash, 1),
            Body::Newtype(of) => edge(byte(hash, 2), of),
            Body::Fields(list) => fields(byte(hash, 3), list),
        };
        variants = rest;
    }
    hash
}
