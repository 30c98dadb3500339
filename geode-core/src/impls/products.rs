//! Types that are closed objects or unions on the wire without a derive: tuples, `Duration`, `Result`.

use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;
use crate::shape::{Details, Edge, Field, Limit, Object, Rules, Shape, Tagging, Union, Variant, fit};
use std::any::type_name;
use std::time::Duration;

/// Tuples: objects with one property a position, `_0`, `_1` and so on.
macro_rules! tuples {
    ($($name:literal: $($type:ident $index:tt $key:literal),+;)*) => {$(
        impl<$($type: StructuredOutput),+> StructuredOutput for ($($type,)+) {
            const SHAPE: &'static Shape = &Shape::Object(&Object {
                name: $name,
                id: type_name::<Self>,
                description: None,
                // Whoever holds the tuple checks what is in it, so that a mistake is shown there.
                fields: &[$(Field::new($key, Edge::Eager($type::SHAPE))),+],
            });

            #[allow(non_snake_case)]
            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                let mut fields = reader.object(const { fit::sound(Self::SHAPE).as_object().fields });
                $(let mut $type: Option<$type> = None;)+
                loop {
                    match reader.field(&mut fields) {
                        $($index => $type = $type::read(reader),)+
                        _ => break,
                    }
                }
                Some(($($type.or_else(<$type as StructuredOutput>::absent)?,)+))
            }

            fn write(&self, writer: &mut Writer) {
                writer.object(const { Self::SHAPE.as_object().fields }, |writer, index| match index {
                    $($index => self.$index.write(writer),)+
                    _ => {}
                });
            }
        }
    )*};
}

tuples! {
    "Tuple1": A 0 "_0";
    "Tuple2": A 0 "_0", B 1 "_1";
    "Tuple3": A 0 "_0", B 1 "_1", C 2 "_2";
    "Tuple4": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3";
    "Tuple5": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4";
    "Tuple6": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4", F 5 "_5";
    "Tuple7": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4", F 5 "_5", G 6 "_6";
    "Tuple8": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4", F 5 "_5", G 6 "_6", H 7 "_7";
    "Tuple9": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4", F 5 "_5", G 6 "_6", H 7 "_7", I 8 "_8";
    "Tuple10": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4", F 5 "_5", G 6 "_6", H 7 "_7", I 8 "_8", J 9 "_9";
    "Tuple11": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4", F 5 "_5", G 6 "_6", H 7 "_7", I 8 "_8", J 9 "_9",
        K 10 "_10";
    "Tuple12": A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4", F 5 "_5", G 6 "_6", H 7 "_7", I 8 "_8", J 9 "_9",
        K 10 "_10", L 11 "_11";
}

const NANOS: u32 = 999_999_999;

/// serde's form: whole seconds, and the nanoseconds beyond them.
static DURATION: [Field; 2] = [
    Field::new("secs", Edge::Eager(u64::SHAPE)),
    Field::new("nanos", Edge::Eager(u32::SHAPE)).detailed(
        const { &Details::NONE.ruled(const { &Rules::NONE.maximum(Limit::Integer(NANOS as i128)) }, u32::SHAPE) },
    ),
];

impl StructuredOutput for Duration {
    const SHAPE: &'static Shape =
        &Shape::Object(&Object { name: "Duration", id: type_name::<Duration>, description: None, fields: &DURATION });

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut fields = reader.object(&DURATION);
        let (mut seconds, mut nanos) = (None, None);
        loop {
            match reader.field(&mut fields) {
                0 => seconds = u64::read(reader),
                1 => nanos = reader.checked::<u32>(DURATION[1].rules()),
                _ => break,
            }
        }
        Some(Duration::new(seconds?, nanos?.min(NANOS)))
    }

    fn write(&self, writer: &mut Writer) {
        writer.object(&DURATION, |writer, index| match index {
            0 => writer.integer(self.as_secs()),
            _ => writer.integer(self.subsec_nanos()),
        });
    }
}

/// serde's form: `{"Ok": …}` or `{"Err": …}`.
impl<T: StructuredOutput, E: StructuredOutput> StructuredOutput for Result<T, E> {
    const SHAPE: &'static Shape = &Shape::Union(&Union {
        name: "Result",
        id: type_name::<Self>,
        description: None,
        tagging: Tagging::External,
        variants: &[Variant::newtype("Ok", Edge::Eager(T::SHAPE)), Variant::newtype("Err", Edge::Eager(E::SHAPE))],
        fallback: false,
    });

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.union(const { fit::sound(Self::SHAPE).as_union() }, |reader, variant| match variant {
            0 => reader.payload::<T>().map(Ok),
            _ => reader.payload::<E>().map(Err),
        })
    }

    fn write(&self, writer: &mut Writer) {
        let union = const { Self::SHAPE.as_union() };
        match self {
            Ok(value) => writer.union(union, 0, |writer| value.write(writer)),
            Err(error) => writer.union(union, 1, |writer| error.write(writer)),
        }
    }
}
