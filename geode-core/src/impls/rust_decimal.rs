//! Decimal numbers, as text, so that no digit is lost on the way.

use super::text::{as_text, narrowed, read_parsed, rule};
use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;

use crate::pattern::Matcher;
use crate::shape::{Pattern, Rules, Shape};
use rust_decimal::Decimal;

as_text! {
    Decimal: pattern r"^-?[0-9]{1,28}(\.[0-9]{1,28})?$", "a decimal number of at most 28 digits",
        |text| Decimal::from_str_exact(text).ok(), Decimal::to_string;
}
