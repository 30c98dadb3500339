//! Names of schemas and definitions that every provider takes.

use std::borrow::Cow;

use crate::shape::Shape;

/// Most characters of a name: OpenAI's and Anthropic's limit.
const MAX_LENGTH: usize = 64;

/// `text` as a name of letters, digits, `_` and `-`, at most 64 characters.
///
/// Every other character becomes `_`, runs of them one. Where that loses letters, or the name is too long, a hash of the
/// text keeps two names apart. Nothing left gives `response`.
pub fn legal_name(text: &str) -> String {
    if is_legal(text) {
        return text.to_owned();
    }
    let mut name = String::new();
    let mut lossy = false;
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || character == '_' || character == '-' {
            name.push(character);
        } else {
            lossy |= character.is_alphanumeric();
            if !name.ends_with('_') {
                name.push('_');
            }
        }
    }
    let mut name = name.trim_matches('_').to_owned();
    if lossy || name.len() > MAX_LENGTH {
        name.truncate(MAX_LENGTH - 9);
        name = format!("{name}_{:08x}", hash(text));
        name = name.trim_start_matches('_').to_owned();
    }
    if name.is_empty() { "response".to_owned() } else { name }
}

fn is_legal(text: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(legal) && !text.starts_with('_') && !text.ends_with('_')
}

/// A hash folded to 32 bits: stable over versions and machines.
fn hash(text: &str) -> u32 {
    let hash = super::hash(text.as_bytes());
    (hash ^ (hash >> 32)) as u32
}

/// The name of the schema of `shape`: its type's, with its type arguments, else `response`.
pub fn name_of(shape: &'static Shape) -> Cow<'static, str> {
    match shape {
        Shape::Object(object) => type_name(object.name, (object.id)()),
        Shape::Union(union) => type_name(union.name, (union.id)()),
        Shape::Enumeration(enumeration) => type_name(enumeration.name, (enumeration.id)()),
        Shape::Annotated(annotated) => match annotated.name {
            Some(name) => legal(name),
            None => name_of(annotated.of.shape()),
        },
        Shape::Array { items, .. } => Cow::Owned(legal_name(&format!("{}_list", name_of(items.shape())))),
        _ => Cow::Borrowed("response"),
    }
}

/// `Payload` of `my_crate::Payload<alloc::vec::Vec<my_crate::Foo>>` is `Payload_Vec_Foo`.
pub(super) fn type_name<'n>(name: &'n str, id: &str) -> Cow<'n, str> {
    let start = id.find('<').filter(|_| id.ends_with('>'));
    let Some(arguments) = start.and_then(|start| id.get(start..)) else { return legal(name) };
    let mut full = name.to_owned();
    let mut word = String::new();
    // `::` ends a path segment that is not the last: only the last of each path counts.
    for character in arguments.chars() {
        if character == ':' {
            word.clear();
        } else if character.is_alphanumeric() || character == '_' {
            word.push(character);
        } else {
            full.push_str(&word);
            word.clear();
            full.push(character);
        }
    }
    Cow::Owned(legal_name(&full))
}

/// A name as it is, where it is legal.
fn legal(name: &str) -> Cow<'_, str> {
    if is_legal(name) { Cow::Borrowed(name) } else { Cow::Owned(legal_name(name)) }
}
