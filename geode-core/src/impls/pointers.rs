//! `Option`, and what adds nothing to the wire form of the type inside.

use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;
use crate::shape::{Annotated, Edge, Field, Rules, Shape};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

impl<T: StructuredOutput> StructuredOutput for Option<T> {
    const SHAPE: &'static Shape = &Shape::Nullable(Edge::Eager(T::SHAPE));
    const TAKES_RULES: bool = T::TAKES_RULES;
    const TAKES_CONSTANT: bool = T::TAKES_CONSTANT;

    #[inline]
    fn absent() -> Option<Self> {
        Some(None)
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        if reader.null() { Some(None) } else { T::read(reader).map(Some) }
    }

    #[inline]
    fn read_field<const RULED: bool>(slot: &mut Option<Self>, reader: &mut Reader<'_>, field: &'static Field) {
        reader.nullable_field::<_, RULED>(slot, field);
    }

    fn write(&self, writer: &mut Writer) {
        match self {
            Some(value) => value.write(writer),
            None => writer.null(),
        }
    }

    #[inline]
    fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
        if let Some(value) = self {
            value.check(rules, at, reader);
        }
    }

    fn check_distinct(&self, at: usize, reader: &mut Reader<'_>) {
        if let Some(value) = self {
            value.check_distinct(at, reader);
        }
    }
}

/// Smart pointers. The edge is lazy, so that a type may hold itself behind one.
macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<T: StructuredOutput> StructuredOutput for $pointer<T> {
            const SHAPE: &'static Shape = &Shape::Annotated(&Annotated {
                name: None,
                description: None,
                examples: &[],
                rules: &Rules::NONE,
                of: Edge::Lazy(|| T::SHAPE),
            });
            const TAKES_RULES: bool = T::TAKES_RULES;
            const TAKES_CONSTANT: bool = T::TAKES_CONSTANT;

            #[inline]
            fn absent() -> Option<Self> {
                T::absent().map($pointer::new)
            }

            #[inline]
            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                T::read(reader).map($pointer::new)
            }

            fn write(&self, writer: &mut Writer) {
                (**self).write(writer);
            }

            #[inline]
            fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
                (**self).check(rules, at, reader);
            }

            fn check_distinct(&self, at: usize, reader: &mut Reader<'_>) {
                (**self).check_distinct(at, reader);
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);

/// `null`, as serde has it.
impl<T> StructuredOutput for PhantomData<T> {
    const SHAPE: &'static Shape = &Shape::Null;

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.nothing().map(|()| PhantomData)
    }

    fn write(&self, writer: &mut Writer) {
        writer.null();
    }
}
