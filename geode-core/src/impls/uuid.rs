//! UUIDs, as text with hyphens.

use super::text::{as_text, narrowed, read_parsed, rule};
use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;

use crate::shape::{Format, Rules, Shape};
use uuid::Uuid;

as_text! {
    Uuid: format Uuid, "a UUID with hyphens", |text| text.parse().ok(), Uuid::to_string;
}
