//! Whether a shape keeps within a dialect's limits, asked at compile time.

use super::facts::{Absence, Dialect, RootRule};
use crate::shape::{Edge, Shape, Sizes};

/// Fails to compile where a type exceeds a limit of a dialect.
///
/// Sizes are counted as if each type's schema were written out wherever it stands, so that a type may be refused here
/// that just fits with its definitions shared: a `const` can't tell whether two shapes are one type's, and a dialect may
/// write a shared definition out. What passes here keeps within the limits, and [`plan`](crate::plan()) counts to the unit.
/// What is behind `Box`, `Rc`, `Arc` or recursion is not counted:
/// [`plan`](crate::plan()) tells about that when it is first called.
///
/// ```
/// struct Verdict;
/// # use geode_core::shape::Shape;
/// # use geode_core::json::{Reader, Writer};
/// # impl geode_core::StructuredOutput for Verdict {
/// #     const SHAPE: &'static Shape = &Shape::Boolean;
/// #     fn read(reader: &mut Reader<'_>) -> Option<Self> { bool::read(reader).map(|_| Verdict) }
/// #     fn write(&self, writer: &mut Writer) { true.write(writer) }
/// # }
/// geode_core::assert_fits!(Verdict: OPENAI_STRICT, ANTHROPIC);
/// ```
#[macro_export]
macro_rules! assert_fits {
    ($type:ty: $($dialect:ident),+ $(,)?) => {
        const _: () = {
            $($crate::__private::assert_fits(
                <$type as $crate::StructuredOutput>::SHAPE,
                ::core::stringify!($type),
                &$crate::dialect::$dialect,
            );)+
        };
    };
}

/// What [`assert_fits!`](crate::assert_fits) calls.
///
/// # Panics
///
/// In `const` evaluation, where a limit is exceeded.
#[doc(hidden)]
#[track_caller]
pub const fn assert_fits(shape: &Shape, name: &str, dialect: &Dialect) {
    let sizes = Sizes::of(shape);
    let wrapped = matches!(dialect.root, RootRule::Object) && !is_object(shape);
    let limits = &dialect.limits;
    hold(name, dialect, sizes.depth + wrapped as usize, limits.depth, "levels of nested objects");
    hold(name, dialect, sizes.properties + wrapped as usize, limits.properties, "properties");
    hold(name, dialect, sizes.enum_values, limits.enum_values, "enum values");
    hold(name, dialect, sizes.name_bytes, limits.name_characters, "bytes of names and enum values");
    let absent = match (dialect.absence, limits.optional) {
        (Absence::Budget, Some(limit)) if limit < sizes.nullable => limit,
        (Absence::Budget, _) => sizes.nullable,
        _ => 0,
    };
    let unions = sizes.unions + sizes.nullable - absent;
    hold(name, dialect, unions, limits.unions, "unions, the `Option`s beyond those that can be absent among them");
}

const fn is_object(shape: &Shape) -> bool {
    match shape {
        Shape::Object(_) => true,
        Shape::Annotated(annotated) => match annotated.of {
            Edge::Eager(of) => is_object(of),
            Edge::Lazy(_) => false,
        },
        _ => false,
    }
}

#[track_caller]
#[expect(clippy::panic, reason = "it is the compile error")]
const fn hold(name: &str, dialect: &Dialect, size: usize, limit: Option<usize>, what: &str) {
    let Some(limit) = limit else { return };
    if size > limit {
        let message = Message::new()
            .text("`")
            .text(name)
            .text("` does not fit ")
            .text(dialect.name)
            .text(": it has ")
            .number(size)
            .text(" ")
            .text(what)
            .text(", and ")
            .text(dialect.provider)
            .text(" takes at most ")
            .number(limit)
            .text(
                "\nhelp: split the type, or drop the dialect from `assert_fits!`; a type counts wherever it stands, \
                   `geode::plan` counts shared ones once",
            );
        panic!("{}", message.as_str());
    }
}

/// A text put together at compile time, where `format!` is not at hand. What exceeds its room is left out.
struct Message {
    bytes: [u8; 400],
    length: usize,
}

impl Message {
    const fn new() -> Self {
        Message { bytes: [0; 400], length: 0 }
    }

    const fn text(mut self, text: &str) -> Self {
        let mut left = text.as_bytes();
        while let [first, rest @ ..] = left {
            if let Some((_, [slot, ..])) = self.bytes.split_at_mut_checked(self.length) {
                *slot = *first;
                self.length += 1;
            }
            left = rest;
        }
        self
    }

    const fn number(self, number: usize) -> Self {
        let digit = [b'0' + (number % 10) as u8];
        let rest = if number < 10 { self } else { self.number(number / 10) };
        match std::str::from_utf8(&digit) {
            Ok(digit) => rest.text(digit),
            Err(_) => rest,
        }
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "a limit is exceeded",
        }
    }
}
