//! Wire forms for types that have none: text by `FromStr`, a conversion that can fail, and an implementation by hand.
//!
//!     cargo run --example custom_type

#![allow(clippy::print_stdout)]

use std::fmt;
use std::str::FromStr;

use geode::StructuredOutput;

/// A foreign type: it knows how to read and write itself as text, and nothing of Geode.
#[derive(Debug, PartialEq)]
struct Version(u32, u32);

impl FromStr for Version {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (major, minor) = text.split_once('.').ok_or("a version has the form `major.minor`")?;
        let number = |part: &str| part.parse().map_err(|_| "a version's parts are numbers".to_owned());
        Ok(Version(number(major)?, number(minor)?))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// A share that is never over one hundred: the wire form is the number, the conversion is the check.
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
#[geode(try_from = "u8", into = "u8")]
struct Percent(u8);

impl TryFrom<u8> for Percent {
    type Error = &'static str;
    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if number <= 100 { Ok(Percent(number)) } else { Err("a share is at most 100 per cent") }
    }
}

impl From<Percent> for u8 {
    fn from(percent: Percent) -> u8 {
        percent.0
    }
}

/// How far a roll-out is.
#[derive(Debug, PartialEq, StructuredOutput)]
struct RollOut {
    /// The version that is rolled out.
    #[geode(as_string, pattern = "^[0-9]+[.][0-9]+$")]
    version: Version,
    /// How many machines have it.
    share: Percent,
}

fn main() {
    println!("{}\n", geode::schema::<RollOut>().to_pretty());

    let good = r#"{"version": "2.10", "share": 40}"#;
    let roll_out: RollOut = geode::from_str(good).expect("it fits");
    assert_eq!(roll_out, RollOut { version: Version(2, 10), share: Percent(40) });
    println!("{good}\n  is {roll_out:?}\n");

    let wrong = r#"{"version": "2", "share": 140}"#;
    let report = geode::from_str::<RollOut>(wrong).expect_err("it does not fit");
    println!("{wrong}\n  is refused:\n{report}");
}
