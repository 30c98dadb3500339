//! chrono's dates and times, as RFC 3339 text.

use super::text::{as_text, narrowed, read_parsed, rule};
use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;

use crate::pattern::Matcher;
use crate::shape::{Format, Pattern, Rules, Shape};
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc};

as_text! {
    DateTime<Utc>: format DateTime, "a date and time with an offset, as in RFC 3339",
        |text| DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc()),
        |time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    DateTime<FixedOffset>: format DateTime, "a date and time with an offset, as in RFC 3339",
        |text| DateTime::parse_from_rfc3339(text).ok(),
        |time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    NaiveDate: format Date, "a date as YYYY-MM-DD", |text| text.parse().ok(), |date| date.format("%Y-%m-%d").to_string();
    NaiveTime: pattern r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?$",
        "a time as HH:MM:SS, without an offset",
        |text| text.parse().ok(),
        |time| time.format("%H:%M:%S%.f").to_string();
    NaiveDateTime: pattern
        r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?$",
        "a date and time as YYYY-MM-DDTHH:MM:SS, without an offset",
        |text| text.parse().ok(),
        |time| time.format("%Y-%m-%dT%H:%M:%S%.f").to_string();
}
