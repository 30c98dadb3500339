//! Which variant of an enum a value that is still coming is, for generated code.

use super::partial::{member_of, unwrapped};
use super::preview::{Preview, PreviewKind};
use crate::shape::{Body, Enumeration, Shape, Tagging, Union};

/// The variant of an enum whose tag, or name, is complete, and what it carries as far as that has come, for generated
/// code.
#[doc(hidden)]
pub fn partial_variant<'a>(value: Preview<'a>, shape: &'static Shape) -> Option<(usize, Option<Preview<'a>>)> {
    match unwrapped(shape) {
        Shape::Enumeration(enumeration) => Some((value_of(value, enumeration)?, None)),
        Shape::Union(union) => variant_of(value, union),
        _ => None,
    }
}

/// What stands for the `index`th field of the `variant`th variant, for generated code.
#[doc(hidden)]
pub fn partial_variant_member<'a>(
    body: Option<Preview<'a>>,
    shape: &'static Shape,
    variant: usize,
    index: usize,
) -> Option<Preview<'a>> {
    let Shape::Union(union) = unwrapped(shape) else { return None };
    match &union.variants.get(variant)?.body {
        Body::Unit => None,
        Body::Newtype(_) => body,
        Body::Fields(fields) => member_of(body?, fields, index),
    }
}

fn value_of(value: Preview<'_>, enumeration: &Enumeration) -> Option<usize> {
    let name = if value.is_done() { value.as_str().or(value.as_number())? } else { return None };
    enumeration.values.iter().position(|value| value.name == name)
}

fn variant_of<'a>(value: Preview<'a>, union: &Union) -> Option<(usize, Option<Preview<'a>>)> {
    let named = |name: &str| union.variants.iter().position(|variant| variant.name == name);
    let tagged = |tag: Preview<'a>| named(tag.as_str().filter(|_| tag.is_done())?);
    match &union.tagging {
        Tagging::External if value.kind() == PreviewKind::String => Some((tagged(value)?, None)),
        // where the enum is flattened into an object, other members may stand before its own
        Tagging::External => value.members().find_map(|(name, body)| Some((named(name)?, Some(body)))),
        Tagging::Internal { tag } | Tagging::Version { tag } => Some((tagged(value.member(tag)?)?, Some(value))),
        Tagging::Adjacent { tag, content } => Some((tagged(value.member(tag)?)?, value.member(content))),
        Tagging::Untagged => None,
    }
}
