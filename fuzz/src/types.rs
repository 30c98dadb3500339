//! Types that the targets read: the same fields for geode and for serde.

use std::collections::BTreeMap;

use geode::{Partial, StructuredOutput};
use serde::Deserialize;

/// What serde reads by the same rules, where both have them: closed objects.
#[derive(Debug, Clone, PartialEq, StructuredOutput, Partial, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ticket {
    pub(crate) category: Category,
    pub(crate) confidence: f64,
    pub(crate) count: u8,
    pub(crate) offset: i64,
    pub(crate) big: u64,
    pub(crate) note: Option<String>,
    pub(crate) flag: bool,
    pub(crate) tags: Vec<String>,
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, StructuredOutput, Partial, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Category {
    Billing,
    Technical,
    Other,
}

#[derive(Debug, Clone, PartialEq, StructuredOutput, Partial, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    pub(crate) n: i32,
    pub(crate) x: Option<f32>,
}

/// What has no equal in serde: unions, maps, recursion, rules, other wire forms.
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
pub(crate) struct Wide {
    pub(crate) event: Event,
    pub(crate) either: Either,
    pub(crate) prices: BTreeMap<String, (u8, f64)>,
    #[geode(length(min = 2, max = 5), pattern = "^[a-z]+$")]
    pub(crate) code: String,
    #[geode(range(min = -1.5, exclusive_max = 4.0), multiple_of = 0.5)]
    pub(crate) step: f64,
    #[geode(format = "date-time")]
    pub(crate) at: Option<String>,
    #[geode(items(max = 3, unique))]
    pub(crate) ids: Vec<u32>,
    pub(crate) tree: Option<Box<Tree>>,
    #[geode(flatten)]
    pub(crate) more: More,
}

#[derive(Debug, Clone, PartialEq, StructuredOutput)]
#[geode(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Event {
    Opened { by: String },
    Closed { reason: Option<String>, hours: i16 },
    Nothing,
}

#[derive(Debug, Clone, PartialEq, StructuredOutput)]
#[geode(untagged)]
pub(crate) enum Either {
    Number(i128),
    Text(String),
    Many(Vec<bool>),
}

#[derive(Debug, Clone, PartialEq, StructuredOutput)]
pub(crate) struct Tree {
    pub(crate) name: char,
    pub(crate) children: Vec<Tree>,
}

#[derive(Debug, Clone, PartialEq, StructuredOutput)]
pub(crate) struct More {
    pub(crate) fixed: [u8; 2],
    pub(crate) pair: (String, bool),
}
