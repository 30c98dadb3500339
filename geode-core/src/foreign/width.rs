//! Numbers: schemars tells the width of an integer by a format, and serde wants integers spelt as such.

use serde_json::{Number, Value};

use crate::schema::{Node, Schema, Type};
use crate::shape::Limit;

/// schemars' formats of integers, with what they hold. Beyond 64 bits serde_json holds no integer.
const WIDTHS: [(&str, i128, i128); 12] = [
    ("int8", i8::MIN as i128, i8::MAX as i128),
    ("int16", i16::MIN as i128, i16::MAX as i128),
    ("int32", i32::MIN as i128, i32::MAX as i128),
    ("int64", i64::MIN as i128, i64::MAX as i128),
    ("int", i64::MIN as i128, i64::MAX as i128),
    ("int128", i64::MIN as i128, u64::MAX as i128),
    ("uint8", 0, u8::MAX as i128),
    ("uint16", 0, u16::MAX as i128),
    ("uint32", 0, u32::MAX as i128),
    ("uint64", 0, u64::MAX as i128),
    ("uint", 0, u64::MAX as i128),
    ("uint128", 0, u64::MAX as i128),
];

/// Says widths as limits, which every reader enforces, in the place of formats, which none does.
pub(super) fn bound_widths(schema: &mut Schema) {
    let Some(node) = schema.node_mut() else { return };
    if !node.types.contains(&Type::String) {
        bound(node);
    }
    for (_, child) in node.children_mut() {
        bound_widths(child);
    }
}

fn bound(node: &mut Node) {
    let Some(format) = node.format.as_deref() else { return };
    if let Some((_, minimum, maximum)) = WIDTHS.iter().find(|(name, ..)| *name == format) {
        let unbounded = |limit: Option<Limit>, other: Option<Limit>| limit.is_none() && other.is_none();
        if unbounded(node.minimum, node.exclusive_minimum) {
            node.minimum = Some(Limit::Integer(*minimum));
        }
        if unbounded(node.maximum, node.exclusive_maximum) {
            node.maximum = Some(Limit::Integer(*maximum));
        }
    } else if !matches!(format, "float" | "double") {
        return;
    }
    node.format = None;
}

/// Spells `1.0` and `1e2` as the integers that they are to JSON Schema: serde takes no other for one.
pub(super) fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            // Below 2^53 every whole `f64` is exact.
            if let Some(real) = number.as_f64()
                && real.fract() == 0.0
                && real.abs() < 9_007_199_254_740_992.0
            {
                *number = Number::from(real as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(members) => members.values_mut().for_each(whole_numbers),
        _ => {}
    }
}
