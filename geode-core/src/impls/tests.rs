use crate::report::Code;
use crate::{StructuredOutput, from_str, to_string};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::IpAddr;
use std::num::NonZero;
use std::time::Duration;

#[track_caller]
fn accepts<T: StructuredOutput + PartialEq + std::fmt::Debug>(text: &str, value: T) {
    assert_eq!(from_str::<T>(text).as_ref(), Ok(&value), "{text}");
    assert_eq!(from_str::<T>(&to_string(&value)).as_ref(), Ok(&value), "{}", to_string(&value));
}

#[track_caller]
fn refuses<T: StructuredOutput + std::fmt::Debug>(text: &str, expected: &[(&str, Code)]) {
    let report = from_str::<T>(text).expect_err(text);
    let found: Vec<_> = report.violations().iter().map(|v| (v.pointer(), v.code())).collect();
    assert_eq!(found, expected, "{text}: {report}");
}

#[test]
fn integers_of_any_spelling() {
    accepts("20.0", 20u64);
    accepts("1e3", 1000u64);
    accepts("-0", 0u64);
    accepts("-0.0", 0i8);
    accepts("2.50e1", 25u8);
    accepts("9007199254740993.0", 9007199254740993u64);
    accepts("340282366920938463463374607431768211455", u128::MAX);
    accepts("-170141183460469231731687303715884105728", i128::MIN);
    accepts("-9223372036854775808", i64::MIN);
    accepts("18446744073709551615", u64::MAX);
    accepts("0e99999999999999999999", 0u8);
    accepts("1000e-3", 1u8);
    refuses::<u64>("20.5", &[("", Code::Type)]);
    refuses::<u64>("1e-400", &[("", Code::Type)]);
    refuses::<u64>("1e400", &[("", Code::Range)]);
    refuses::<u8>("256", &[("", Code::Range)]);
    refuses::<u8>("-1", &[("", Code::Range)]);
    refuses::<i64>("9223372036854775808", &[("", Code::Range)]);
    refuses::<u128>("340282366920938463463374607431768211456", &[("", Code::Range)]);
    refuses::<NonZero<u8>>("0", &[("", Code::Range)]);
    accepts("-3", NonZero::new(-3i32));
    refuses::<u8>("\"600\"", &[("", Code::Type)]);
}

#[test]
fn floats_round_trip() {
    accepts("0.1", 0.1f64);
    accepts("1e308", 1e308f64);
    accepts("5e-324", 5e-324f64);
    accepts("0.1", 0.1f32);
    accepts("123456789012345678901234567890", 123456789012345678901234567890f64);
    refuses::<f64>("1e400", &[("", Code::Range)]);
    refuses::<f32>("1e39", &[("", Code::Range)]);
    for text in ["NaN", "Infinity", "-Infinity", "+1", "01", "1.", ".5", "1e", "-", "0x1"] {
        refuses_as_syntax::<f64>(text);
    }
}

#[track_caller]
fn refuses_as_syntax<T: StructuredOutput + std::fmt::Debug>(text: &str) {
    let report = from_str::<T>(text).expect_err(text);
    assert!(
        report.violations().iter().any(|v| matches!(v.code(), Code::Syntax | Code::TrailingText)),
        "{text}: {report}"
    );
}

#[test]
fn collections() {
    accepts("[1,2]", vec![1u8, 2]);
    accepts(" [ ] ", Vec::<u8>::new());
    accepts("[[],[1]]", vec![vec![], vec![1u8]]);
    accepts("[1,2]", BTreeSet::from([1u8, 2]));
    refuses::<HashSet<u8>>("[1,2,1]", &[("/2", Code::Unique)]);
    accepts(r#"[{"key":"a","value":1}]"#, BTreeMap::from([("a".to_owned(), 1u8)]));
    accepts(r#"[{"value":1,"key":3}]"#, HashMap::from([(3u8, 1u8)]));
    refuses::<HashMap<String, u8>>(
        r#"[{"key":"a","value":1},{"key":"b"},{"key":"a","value":300}]"#,
        &[("/1/value", Code::Missing), ("/2/value", Code::Range)],
    );
    refuses::<HashMap<String, u8>>(r#"[{"key":"a","value":1},{"key":"a","value":3}]"#, &[("/1/key", Code::Duplicate)]);
    accepts("[1,2]", [1u8, 2]);
    refuses::<[u8; 2]>("[1]", &[("", Code::Items)]);
    refuses::<[u8; 2]>("[1,2,3]", &[("", Code::Items)]);
    refuses::<Vec<u8>>("[1,]", &[("/1", Code::Syntax)]);
    refuses::<Vec<u8>>("[1,2", &[("", Code::Syntax)]);
    refuses::<Vec<u8>>("[true,2,\"x\"]", &[("/0", Code::Type), ("/2", Code::Type)]);
    accepts("[null,1]", vec![None, Some(1u8)]);
}

#[test]
fn products() {
    accepts(r#"{"_0":1,"_1":"x"}"#, (1u8, "x".to_owned()));
    refuses::<(u8, String)>(r#"[1,"x"]"#, &[("", Code::Type)]);
    accepts(r#"{"secs":1,"nanos":500000000}"#, Duration::from_millis(1500));
    refuses::<Duration>(r#"{"secs":1,"nanos":1000000000}"#, &[("/nanos", Code::Range)]);
    accepts(r#"{"Ok":1}"#, Ok::<u8, String>(1));
    accepts(r#"{"Err":"x"}"#, Err::<u8, String>("x".into()));
    refuses::<Result<u8, String>>(r#"{"Eror":"x"}"#, &[("", Code::UnknownValue)]);
    refuses::<Result<u8, String>>(r#"{}"#, &[("", Code::Missing)]);
    refuses::<Result<u8, String>>(r#"{"Ok":1,"Err":"x"}"#, &[("/Err", Code::UnknownProperty)]);
    accepts("\"::1\"", "::1".parse::<IpAddr>().ok());
    accepts("\"€\"", '€');
    refuses::<char>("\"ab\"", &[("", Code::Length)]);
}

#[test]
fn text() {
    accepts(r#""\ud83d\ude00\u0000\n\"""#, "😀\0\n\"".to_owned());
    for text in [
        r#""\ud83d""#,
        r#""can\u27t""#,
        r#""\ude00""#,
        "\"a\nb\"",
        "\"\t\"",
        "\"",
        r#""\"#,
        r#""\x""#,
        r#""\ud83d\u0041""#,
    ] {
        refuses_as_syntax::<String>(text);
    }
    accepts("\u{feff}\"a\"", "a".to_owned());
    refuses::<String>("\"a\" b", &[("", Code::TrailingText)]);
}

#[cfg(feature = "chrono")]
#[test]
fn chrono_types() {
    use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
    accepts("\"2026-01-02T04:04:05.5+01:00\"", "2026-01-02T03:04:05.5Z".parse::<DateTime<Utc>>().unwrap());
    let report = from_str::<DateTime<Utc>>("\"2026-01-02T03:04:05\"").unwrap_err();
    assert_eq!(report.violations()[0].code(), Code::Format);
    assert!(report.to_string().contains("offset"));
    refuses::<NaiveDate>("\"2026-01-02T00:00:00Z\"", &[("", Code::Format)]);
    refuses::<NaiveDate>("\"2026-02-30\"", &[("", Code::Format)]);
    accepts("\"2024-02-29\"", NaiveDate::from_ymd_opt(2024, 2, 29).unwrap());
    accepts("\"10:11:12.5\"", "10:11:12.5".parse::<NaiveTime>().unwrap());
    accepts("\"2024-02-29T10:11:12\"", "2024-02-29T10:11:12".parse::<NaiveDateTime>().unwrap());
}

#[cfg(feature = "jiff")]
#[test]
fn jiff_types() {
    use jiff::Timestamp;
    use jiff::civil::{Date, DateTime, Time};
    accepts("\"2026-01-02T04:04:05.5+01:00\"", "2026-01-02T03:04:05.5Z".parse::<Timestamp>().unwrap());
    refuses::<Timestamp>("\"2026-01-02T03:04:05\"", &[("", Code::Format)]);
    accepts("\"2024-02-29\"", Date::constant(2024, 2, 29));
    accepts("\"10:11:12.5\"", Time::constant(10, 11, 12, 500_000_000));
    accepts("\"2024-02-29T10:11:12\"", DateTime::constant(2024, 2, 29, 10, 11, 12, 0));
    refuses::<Date>("\"20240229\"", &[("", Code::Format)]);
}

#[cfg(all(feature = "uuid", feature = "url", feature = "rust_decimal", feature = "base64"))]
#[test]
fn other_foreign_types() {
    use crate::Base64;
    use rust_decimal::Decimal;
    use url::Url;
    use uuid::Uuid;
    accepts("\"123e4567-e89b-12d3-a456-426614174000\"", Uuid::from_u128(0x123e4567_e89b_12d3_a456_426614174000));
    refuses::<Uuid>("\"123e4567e89b12d3a456426614174000\"", &[("", Code::Format)]);
    accepts("\"https://example.org/x?y=1\"", "https://example.org/x?y=1".parse::<Url>().unwrap());
    refuses::<Url>("\"example.org\"", &[("", Code::Format)]);
    accepts("\"-12.50\"", Decimal::new(-1250, 2));
    refuses::<Decimal>("12.5", &[("", Code::Type)]);
    refuses::<Decimal>("\"1e3\"", &[("", Code::Format)]);
    accepts("\"aGk=\"", Base64(b"hi".to_vec()));
    refuses::<Base64>("\"aGk\"", &[("", Code::Format)]);
    refuses::<Base64>("\"aGl=\"", &[("", Code::Format)]);
}
