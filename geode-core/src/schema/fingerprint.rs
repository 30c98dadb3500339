//! A short name for exactly one schema.

use crate::output::StructuredOutput;
use crate::shape::Shape;

use super::from_shape;

/// Sixteen hexadecimal digits that change whenever the canonical schema of `T` does: its names, descriptions,
/// constraints or order.
///
/// Stable across runs, machines and versions of the compiler.
pub fn fingerprint<T: StructuredOutput>() -> String {
    fingerprint_of(T::SHAPE)
}

/// [`fingerprint`] of the type that has this shape.
pub(crate) fn fingerprint_of(shape: &'static Shape) -> String {
    match from_shape(shape) {
        Ok(schema) => format!("{:016x}", hash(schema.to_string().as_bytes())),
        // Such a type can't be called either; all of them are alike.
        Err(_) => format!("{:016x}", 0),
    }
}

/// FNV-1a with 64 bits: no defence against an adversary, and none is needed.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
