//! jiff's dates and times, as RFC 3339 text.

use super::text::{as_text, narrowed, read_parsed, rule};
use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;

use crate::pattern::Matcher;
use crate::shape::{Format, Pattern, Rules, Shape};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};

as_text! {
    Timestamp: format DateTime, "a date and time with an offset, as in RFC 3339",
        |text| text.parse().ok(), Timestamp::to_string;
    Date: format Date, "a date as YYYY-MM-DD", |text| text.parse().ok(), Date::to_string;
    Time: pattern r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?$",
        "a time as HH:MM:SS, without an offset", |text| text.parse().ok(), Time::to_string;
    DateTime: pattern r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?$",
        "a date and time as YYYY-MM-DDTHH:MM:SS, without an offset", |text| text.parse().ok(), DateTime::to_string;
}
