//! What every module needs.

use std::fmt::Debug;

use geode::StructuredOutput;
use geode::json::{ReadOptions, Reader, Writer};
use geode::report::Report;

/// Reads a text strictly.
pub fn read<T: StructuredOutput>(text: &str) -> Result<T, Report> {
    Reader::read(text, &ReadOptions::default())
}

/// Reads a text as stored data.
pub fn stored<T: StructuredOutput>(text: &str) -> Result<T, Report> {
    let mut options = ReadOptions::default();
    options.stored = true;
    Reader::read(text, &options)
}

/// The value's wire form is that text, and the text reads back as the value.
#[track_caller]
pub fn both_ways<T: StructuredOutput + PartialEq + Debug>(value: T, text: &str) {
    assert_eq!(Writer::write(&value), text);
    assert_eq!(read::<T>(text).unwrap(), value);
}

/// The text is refused, with violations of these codes at these places.
#[track_caller]
pub fn refused<T: StructuredOutput>(text: &str, expected: &[&str]) {
    let report = match read::<T>(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(report) => report,
    };
    let found: Vec<String> = report.violations().iter().map(|v| format!("{:?} {}", v.code(), v.pointer())).collect();
    assert_eq!(found, expected);
}
