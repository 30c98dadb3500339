//! Every kind of type by way of the renamed dependency.

#![deny(warnings)]

use std::collections::BTreeMap;

use wire::StructuredOutput;

/// A struct with everything that makes the derive name something.
#[derive(StructuredOutput)]
#[geode(crate = ::wire, version = "1", check = rules)]
pub struct TicketV1 {
    #[geode(length(min = 1), pattern = "^a")]
    pub text: String,
    #[geode(as_string)]
    pub port: Option<u16>,
    #[geode(default)]
    pub tags: BTreeMap<String, u8>,
    #[geode(flatten)]
    pub step: Step,
}

fn rules(ticket: &TicketV1, _: &(), issues: &mut wire::check::Issues) {
    issues.require(!ticket.text.is_empty(), "/text", "empty", "must not be empty");
}

/// Tagged.
#[derive(StructuredOutput)]
#[serde(tag = "kind")]
#[geode(crate = ::wire)]
pub enum Step {
    Walk { metres: u32 },
    Wait,
}

#[derive(StructuredOutput)]
#[geode(crate = ::wire, rename_all = "snake_case")]
pub enum Colour {
    DarkRed,
    #[geode(fallback)]
    Other,
}

#[derive(StructuredOutput)]
#[geode(crate = ::wire, version = "2")]
pub struct TicketV2<T> {
    pub inner: Vec<T>,
    pub colour: Colour,
}

impl<T> From<TicketV1> for TicketV2<T> {
    fn from(_: TicketV1) -> Self {
        TicketV2 { inner: Vec::new(), colour: Colour::DarkRed }
    }
}

#[derive(StructuredOutput)]
#[geode(crate = ::wire, versions)]
pub enum AnyTicket {
    V1(TicketV1),
    V2(TicketV2<bool>),
}

/// Uses what was derived.
pub fn latest(text: &str) -> Result<TicketV2<bool>, wire::report::Report> {
    Ok(wire::from_str::<AnyTicket>(text)?.latest())
}
