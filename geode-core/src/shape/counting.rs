//! Sizes of a shape, counted at compile time.
//!
//! Every type counts as often as it stands there, as if its schema were written out each time. What is behind `Box`,
//! `Rc`, `Arc` or recursion, and a foreign type's schema, is not known at compile time and counts as nothing.

use super::{Body, Edge, Field, Object, Role, Shape, Union};

/// Sizes of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Sizes {
    /// Levels of objects within objects.
    pub depth: usize,
    /// Properties of all objects.
    pub properties: usize,
    /// Values of all enums, tags included.
    pub enum_values: usize,
    /// Bytes of all property names and enum values.
    pub name_bytes: usize,
    /// Properties whose value is one schema or `null`.
    pub nullable: usize,
    /// Schemas that are a union of more than a schema and `null`, or a nullable element of a list.
    pub unions: usize,
}

const NOTHING: Sizes = Sizes { depth: 0, properties: 0, enum_values: 0, name_bytes: 0, nullable: 0, unions: 0 };

impl Sizes {
    /// The sizes of a shape.
    pub const fn of(shape: &Shape) -> Sizes {
        match shape {
            Shape::Enumeration(enumeration) => {
                let mut sizes = NOTHING;
                let mut values = enumeration.values;
                while let [value, rest @ ..] = values {
                    sizes = sizes.value(if enumeration.integer { "" } else { value.name });
                    values = rest;
                }
                sizes
            }
            Shape::Array { items, .. } => element(items),
            Shape::Map { key, value } => {
                let entry = NOTHING.property("key").property("value").beside(Sizes::edge(key)).beside(element(value));
                entry.inside()
            }
            Shape::Object(object) => Sizes::object(object),
            Shape::Union(union) => Sizes::union(union),
            Shape::Nullable(of) => Sizes::edge(of),
            Shape::Annotated(annotated) => Sizes::edge(&annotated.of),
            _ => NOTHING,
        }
    }

    const fn edge(edge: &Edge) -> Sizes {
        match edge {
            Edge::Eager(shape) => Sizes::of(shape),
            Edge::Lazy(_) => NOTHING,
        }
    }

    const fn object(object: &Object) -> Sizes {
        Sizes::fields(object.fields).inside()
    }

    const fn fields(mut fields: &[Field]) -> Sizes {
        let mut sizes = NOTHING;
        while let [field, rest @ ..] = fields {
            if let Role::Flatten = field.role() {
                sizes = sizes.beside(Sizes::edge(&field.edge()).outside());
            } else {
                sizes = sizes.property(field.key.name()).beside(Sizes::edge(&field.edge()));
                if is_plain_option(&field.edge()) {
                    sizes.nullable += 1;
                }
            }
            fields = rest;
        }
        sizes
    }

    const fn union(union: &Union) -> Sizes {
        let mut sizes = NOTHING;
        let mut variants = union.variants;
        while let [variant, rest @ ..] = variants {
            let tagging = if variant.untagged { &super::Tagging::Untagged } else { &union.tagging };
            let body = match &variant.body {
                Body::Unit => NOTHING,
                Body::Newtype(edge) => Sizes::edge(edge),
                Body::Fields(fields) => Sizes::fields(fields).inside(),
            };
            sizes = sizes.beside(match tagging {
                super::Tagging::External => match variant.body {
                    Body::Unit => NOTHING.value(variant.name),
                    _ => body.property(variant.name).inside(),
                },
                super::Tagging::Internal { tag } => body.outside().property(tag).value(variant.name).inside(),
                super::Tagging::Adjacent { tag, content } => {
                    let tagged = body.property(tag).value(variant.name);
                    match variant.body {
                        Body::Unit => tagged.inside(),
                        _ => tagged.property(content).inside(),
                    }
                }
                super::Tagging::Untagged | super::Tagging::Version { .. } => body,
            });
            variants = rest;
        }
        if union.variants.len() > 1 {
            sizes.unions += 1;
        }
        sizes
    }

    const fn property(mut self, name: &str) -> Sizes {
        self.properties += 1;
        self.name_bytes += name.len();
        self
    }

    const fn value(mut self, name: &str) -> Sizes {
        self.enum_values += 1;
        self.name_bytes += name.len();
        self
    }

    /// Both in one object.
    const fn beside(mut self, other: Sizes) -> Sizes {
        self.depth = if other.depth > self.depth { other.depth } else { self.depth };
        self.properties += other.properties;
        self.enum_values += other.enum_values;
        self.name_bytes += other.name_bytes;
        self.nullable += other.nullable;
        self.unions += other.unions;
        self
    }

    /// One object further in.
    const fn inside(mut self) -> Sizes {
        self.depth += 1;
        self
    }

    /// The same without the outermost object.
    const fn outside(mut self) -> Sizes {
        self.depth = self.depth.saturating_sub(1);
        self
    }
}

/// An element of a list can't be absent: where it may be `null`, it is a union.
const fn element(edge: &Edge) -> Sizes {
    let mut sizes = Sizes::edge(edge);
    if is_plain_option(edge) {
        sizes.unions += 1;
    }
    sizes
}

/// Whether it is an `Option` of something that is no union itself.
const fn is_plain_option(edge: &Edge) -> bool {
    let Edge::Eager(shape) = edge else { return false };
    match shape {
        Shape::Annotated(annotated) => is_plain_option(&annotated.of),
        Shape::Nullable(Edge::Eager(Shape::Union(union))) => union.variants.len() < 2,
        Shape::Nullable(_) => true,
        _ => false,
    }
}
