//! Integers, floats, `bool` and `()`.

use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;
use crate::report::Code;
use crate::shape::{Annotated, Edge, Field, Limit, Rules, Shape, Tagging, Union, Variant};
use std::num::NonZero;

impl StructuredOutput for () {
    const SHAPE: &'static Shape = &Shape::Null;

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.nothing()
    }

    fn write(&self, writer: &mut Writer) {
        writer.null();
    }
}

impl StructuredOutput for bool {
    const SHAPE: &'static Shape = &Shape::Boolean;

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.boolean()
    }

    #[inline]
    fn read_field<const RULED: bool>(slot: &mut Option<Self>, reader: &mut Reader<'_>, field: &'static Field) {
        reader.boolean_field::<RULED>(slot, field);
    }

    fn write(&self, writer: &mut Writer) {
        writer.boolean(*self);
    }
}

/// An integer type: its shape, how it is read, and how it is held against rules.
macro_rules! integer {
    ($type:ty, $shape:expr, $read:expr, $check:ident as $wide:ty) => {
        impl StructuredOutput for $type {
            const SHAPE: &'static Shape = $shape;

            #[inline]
            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                let read = $read;
                read(reader)
            }

            #[inline]
            fn read_field<const RULED: bool>(slot: &mut Option<Self>, reader: &mut Reader<'_>, field: &'static Field) {
                reader.integer_field::<_, RULED>(slot, field);
            }

            fn write(&self, writer: &mut Writer) {
                writer.integer(*self);
            }

            #[inline]
            fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
                reader.$check(*self as $wide, rules, at);
            }
        }

        impl StructuredOutput for NonZero<$type> {
            const SHAPE: &'static Shape = {
                const HALVES: &[Shape; 2] = &halves(<$type as StructuredOutput>::SHAPE);
                if is_unsigned(<$type as StructuredOutput>::SHAPE) {
                    &HALVES[1]
                } else {
                    &Shape::Union(&Union {
                        name: concat!("NonZero_", stringify!($type)),
                        id: std::any::type_name::<NonZero<$type>>,
                        description: None,
                        tagging: Tagging::Untagged,
                        variants: &either(HALVES),
                        fallback: false,
                    })
                }
            };

            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                let at = reader.offset();
                let value = NonZero::new(<$type>::read(reader)?);
                if value.is_none() {
                    reader.refuse(at, Code::Range, "an integer other than 0");
                }
                value
            }

            fn write(&self, writer: &mut Writer) {
                writer.integer(self.get());
            }

            #[inline]
            fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
                reader.$check(self.get() as $wide, rules, at);
            }
        }
    };
}

/// Types of up to 64 bits, at the width that they have on the wire. The reader has seen to the range, so no cast loses
/// anything.
macro_rules! narrow {
    ($($type:ty as $wire:ty, $read:ident($($limit:expr),*) as $check:ident;)*) => {$(
        integer!(
            $type,
            &Shape::Integer {
                minimum: Limit::Integer(<$wire>::MIN as i128),
                maximum: Limit::Integer(<$wire>::MAX as i128),
            },
            |reader: &mut Reader<'_>| reader.$read($($limit),*).map(|value| value as $type),
            $check as i128
        );
    )*};
}

narrow! {
    u8 as u8, unsigned(u8::MAX as u64) as check_integer;
    u16 as u16, unsigned(u16::MAX as u64) as check_integer;
    u32 as u32, unsigned(u32::MAX as u64) as check_integer;
    u64 as u64, unsigned(u64::MAX) as check_integer;
    i8 as i8, signed(i8::MIN as i64, i8::MAX as i64) as check_integer;
    i16 as i16, signed(i16::MIN as i64, i16::MAX as i64) as check_integer;
    i32 as i32, signed(i32::MIN as i64, i32::MAX as i64) as check_integer;
    i64 as i64, signed(i64::MIN, i64::MAX) as check_integer;
}

#[cfg(target_pointer_width = "64")]
narrow! {
    usize as u64, unsigned(u64::MAX) as check_integer;
    isize as i64, signed(i64::MIN, i64::MAX) as check_integer;
}
#[cfg(not(target_pointer_width = "64"))]
narrow! {
    usize as usize, unsigned(usize::MAX as u64) as check_integer;
    isize as isize, signed(isize::MIN as i64, isize::MAX as i64) as check_integer;
}

integer!(
    u128,
    &Shape::Integer { minimum: Limit::Integer(0), maximum: Limit::Unsigned(u128::MAX) },
    |reader: &mut Reader<'_>| reader.unsigned_wide(u128::MAX),
    check_unsigned as u128
);
integer!(
    i128,
    &Shape::Integer { minimum: Limit::Integer(i128::MIN), maximum: Limit::Integer(i128::MAX) },
    |reader: &mut Reader<'_>| reader.signed_wide(i128::MIN, i128::MAX),
    check_integer as i128
);

/// The shapes below and above 0 of an integer's shape.
#[expect(clippy::panic, reason = "it is the compile error")]
const fn halves(shape: &Shape) -> [Shape; 2] {
    let Shape::Integer { minimum, maximum } = shape else { panic!("not an integer") };
    [
        Shape::Integer { minimum: *minimum, maximum: Limit::Integer(-1) },
        Shape::Integer { minimum: Limit::Integer(1), maximum: *maximum },
    ]
}

/// One of two shapes, told apart by the value alone.
const fn either(halves: &'static [Shape; 2]) -> [Variant; 2] {
    [Variant::newtype("negative", Edge::Eager(&halves[0])), Variant::newtype("positive", Edge::Eager(&halves[1]))]
}

/// Whether an integer's shape has no numbers below 0.
const fn is_unsigned(shape: &Shape) -> bool {
    matches!(shape, Shape::Integer { minimum: Limit::Integer(0), .. })
}

impl StructuredOutput for f64 {
    const SHAPE: &'static Shape = &Shape::Number;

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.real()
    }

    #[inline]
    fn read_field<const RULED: bool>(slot: &mut Option<Self>, reader: &mut Reader<'_>, field: &'static Field) {
        reader.real_field::<RULED>(slot, field);
    }

    fn write(&self, writer: &mut Writer) {
        writer.real(*self);
    }

    #[inline]
    fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
        reader.check_real(*self, rules, at);
    }
}

impl StructuredOutput for f32 {
    const SHAPE: &'static Shape = &Shape::Annotated(&Annotated {
        name: None,
        description: None,
        examples: &[],
        rules: &Rules {
            minimum: Some(Limit::Real(f32::MIN as f64)),
            maximum: Some(Limit::Real(f32::MAX as f64)),
            ..Rules::NONE
        },
        of: Edge::Eager(&Shape::Number),
    });

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.single()
    }

    fn write(&self, writer: &mut Writer) {
        writer.single(*self);
    }

    #[inline]
    fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
        reader.check_single(*self, rules, at);
    }
}
