//! Lists, sets and maps.

use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;
use crate::report::{Code, counted};
use crate::shape::{Edge, Field, Rules, Shape};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

/// Lists of any length: how an element is added.
macro_rules! lists {
    ($($list:ident, $push:ident;)*) => {$(
        impl<T: StructuredOutput> StructuredOutput for $list<T> {
            const SHAPE: &'static Shape = &Shape::Array {
                items: Edge::Eager(T::SHAPE),
                minimum: None,
                maximum: None,
                unique: false,
            };

            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                let mut list = $list::new();
                reader.elements(|_, _, value| {
                    list.$push(value);
                    true
                })?;
                Some(list)
            }

            fn write(&self, writer: &mut Writer) {
                writer.array(self, |writer, value| value.write(writer));
            }

            #[inline]
            fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
                reader.check_count(self.len(), rules, at);
            }

            fn check_distinct(&self, at: usize, reader: &mut Reader<'_>) {
                reader.check_distinct(self.iter(), at);
            }
        }
    )*};
}

lists! {
    Vec, push;
    VecDeque, push_back;
}

impl<T: StructuredOutput> StructuredOutput for Box<[T]> {
    const SHAPE: &'static Shape = Vec::<T>::SHAPE;

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Vec::read(reader).map(Vec::into_boxed_slice)
    }

    fn write(&self, writer: &mut Writer) {
        writer.array(self, |writer, value| value.write(writer));
    }

    fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
        reader.check_count(self.len(), rules, at);
    }

    fn check_distinct(&self, at: usize, reader: &mut Reader<'_>) {
        reader.check_distinct(self.iter(), at);
    }
}

impl<T: StructuredOutput, const N: usize> StructuredOutput for [T; N] {
    const SHAPE: &'static Shape =
        &Shape::Array { items: Edge::Eager(T::SHAPE), minimum: Some(N), maximum: Some(N), unique: false };

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let at = reader.offset();
        let mut list = Vec::with_capacity(N);
        let mut count = 0usize;
        let whole = reader.elements(|_, _, value| {
            count += 1;
            if list.len() < N {
                list.push(value);
            }
            true
        });
        whole?;
        match list.try_into() {
            Ok(array) if count == N => Some(array),
            _ => {
                reader.refuse(at, Code::Items, counted("exactly", N, "element"));
                None
            }
        }
    }

    fn write(&self, writer: &mut Writer) {
        writer.array(self, |writer, value| value.write(writer));
    }

    fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
        reader.check_count(self.len(), rules, at);
    }

    fn check_distinct(&self, at: usize, reader: &mut Reader<'_>) {
        reader.check_distinct(self.iter(), at);
    }
}

/// Sets: an element that comes twice is a violation.
macro_rules! sets {
    ($($set:ident<T $(, $hasher:ident)?>, $($bound:ident)+;)*) => {$(
        impl<T: StructuredOutput + $($bound +)+ $(, $hasher: BuildHasher + Default)?> StructuredOutput
            for $set<T $(, $hasher)?>
        {
            const SHAPE: &'static Shape =
                &Shape::Array { items: Edge::Eager(T::SHAPE), minimum: None, maximum: None, unique: true };

            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                let mut set = Self::default();
                reader.elements(|reader, at, value| {
                    let new = set.insert(value);
                    if !new {
                        reader.refuse(at, Code::Unique, "no element twice");
                    }
                    new
                })?;
                Some(set)
            }

            fn write(&self, writer: &mut Writer) {
                writer.array(self, |writer, value| value.write(writer));
            }

            fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
                reader.check_count(self.len(), rules, at);
            }
        }
    )*};
}

sets! {
    BTreeSet<T>, Ord;
    HashSet<T, H>, Eq Hash;
}

/// Maps: an array of closed objects, each with a key and a value. A key that comes twice is a violation.
macro_rules! maps {
    ($($map:ident<K, V $(, $hasher:ident)?>, $($bound:ident)+;)*) => {$(
        impl<K: StructuredOutput + $($bound +)+, V: StructuredOutput $(, $hasher: BuildHasher + Default)?> StructuredOutput
            for $map<K, V $(, $hasher)?>
        {
            const SHAPE: &'static Shape =
                &Shape::Map { key: Edge::Eager(K::SHAPE), value: Edge::Eager(V::SHAPE) };

            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                let mut map = Self::default();
                reader.each_element(|reader, rules| {
                    let Some((at, key, value)) = read_entry::<K, V>(reader, rules) else { return false };
                    let new = map.insert(key, value).is_none();
                    if !new {
                        reader.refuse(at, Code::Duplicate, "each key once");
                    }
                    new
                })?;
                Some(map)
            }

            fn write(&self, writer: &mut Writer) {
                writer.array(self, |writer, (key, value)| {
                    writer.object(const { &entry_fields(K::SHAPE, V::SHAPE) }, |writer, index| match index {
                        0 => key.write(writer),
                        _ => value.write(writer),
                    });
                });
            }

            fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
                reader.check_count(self.len(), rules, at);
            }
        }
    )*};
}

maps! {
    BTreeMap<K, V>, Ord;
    HashMap<K, V, H>, Eq Hash;
}

/// The properties of a map's entry.
const fn entry_fields(key: &'static Shape, value: &'static Shape) -> [Field; 2] {
    [Field::new("key", Edge::Eager(key)), Field::new("value", Edge::Eager(value))]
}

/// Reads one entry of a map: the offset of its key, and both parts.
fn read_entry<K: StructuredOutput, V: StructuredOutput>(
    reader: &mut Reader<'_>,
    rules: Option<&'static Rules>,
) -> Option<(usize, K, V)> {
    let mut fields = reader.object(const { &entry_fields(K::SHAPE, V::SHAPE) });
    let (mut at, mut key, mut value) = (0, None, None);
    loop {
        match reader.field(&mut fields) {
            0 => {
                at = reader.offset();
                key = K::read(reader);
            }
            1 => {
                value = match rules {
                    None => V::read(reader),
                    Some(rules) => reader.checked::<V>(rules),
                }
            }
            _ => break,
        }
    }
    Some((at, key?, value.or_else(V::absent)?))
}
