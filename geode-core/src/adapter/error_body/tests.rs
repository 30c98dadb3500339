use std::time::Duration;

use bytes::Bytes;

use super::*;
use crate::adapter::ProviderErrorKind as Kind;

fn reply(status: i32, headers: &[(&str, &str)], body: &str) -> WireReply {
    WireReply {
        status,
        headers: headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect::<HeaderMap>(),
        body: Bytes::copy_from_slice(body.as_bytes()),
        stderr: Bytes::new(),
    }
}

#[test]
fn every_form_of_an_error_gives_its_message() {
    let forms = [
        r#"{"error":{"message":"no such key","code":"x"}}"#,
        r#"{"error":"no such key"}"#,
        r#"{"detail":"no such key"}"#,
        r#"{"detail":[{"loc":["body"],"msg":"no such key"}]}"#,
        r#"{"detail":{"message":"no such key"}}"#,
        r#"{"message":"no such key"}"#,
        r#"{"Message":"no such key"}"#,
        r#"{"type":"error","error":{"type":"t","message":"no such key"}}"#,
        r#"[{"error":{"message":"no such key"}}]"#,
        r#""no such key""#,
        "no such key",
        " \n no such key ",
    ];
    for form in forms {
        let error = read(&reply(400, &[], form));
        assert_eq!(error.message, "no such key", "{form}");
        assert_eq!(error.kind, Kind::InvalidRequest, "{form}");
    }
}

#[test]
fn a_gateways_error_shows_what_the_provider_behind_it_said() {
    let body = r#"{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream broke"}}}"#;
    assert_eq!(read(&reply(502, &[], body)).message, "Provider returned error: upstream broke");
}

#[test]
fn pages_and_empty_bodies_are_told_by_their_status() {
    assert_eq!(read(&reply(502, &[], "<html><head><title>502 Bad Gateway</title>…")).message, "502 Bad Gateway");
    assert_eq!(read(&reply(502, &[], "<html>")).message, "an HTML page without a title");
    assert_eq!(read(&reply(503, &[], " ")).message, "HTTP 503 without a body");
    assert_eq!(read(&reply(500, &[], "{broken")).message, "{broken");
}

#[test]
fn messages_are_bounded_in_characters() {
    let long = "é".repeat(5_000);
    assert_eq!(read(&reply(400, &[], &format!(r#"{{"error":"{long}"}}"#))).message.chars().count(), 2_001);
    assert_eq!(read(&reply(400, &[], &long)).message.chars().count(), 501);
}

#[test]
fn waiting_times_come_in_many_forms() {
    let date = ("date", "Wed, 21 Oct 2026 07:27:30 GMT");
    type Headers<'a> = &'a [(&'a str, &'a str)];
    let cases: [(Headers<'_>, Option<u64>); 9] = [
        (&[("retry-after", "2")], Some(2_000)),
        (&[("retry-after", "0.5")], Some(500)),
        (&[("retry-after", "2"), ("retry-after-ms", "1500")], Some(1_500)),
        (&[("retry-after", "2"), ("retry-after-ms", "soon")], Some(2_000)),
        (&[date, ("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT")], Some(30_000)),
        (&[date, ("retry-after", "Wed, 21 Oct 2026 07:00:00 GMT")], Some(0)),
        (&[("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT")], None),
        (&[("retry-after", "soon")], None),
        (&[("retry-after", "-1")], None),
    ];
    for (headers, wanted) in cases {
        assert_eq!(read(&reply(429, headers, "{}")).retry_after, wanted.map(Duration::from_millis), "{headers:?}");
    }
    for text in ["inf", "NaN", "1e400"] {
        assert_eq!(read(&reply(429, &[("retry-after", text)], "{}")).retry_after, None, "{text}");
    }
}

#[test]
fn a_header_that_says_whether_to_retry_goes_first() {
    let error = |value| read(&reply(429, &[("x-should-retry", value)], "{}"));
    assert!(!error("false").is_retryable());
    assert!(read(&reply(400, &[("x-should-retry", "true")], "{}")).is_retryable());
    assert!(error("maybe").is_retryable());
}

#[test]
fn the_id_of_the_request_is_found_under_any_name() {
    for name in ["x-request-id", "request-id", "x-amzn-requestid", "cf-ray"] {
        assert_eq!(read(&reply(500, &[(name, "r1")], "")).request_id.as_deref(), Some("r1"));
    }
    let body = r#"{"type":"error","error":{"type":"api_error","message":"m"},"request_id":"r2"}"#;
    assert_eq!(read(&reply(500, &[], body)).request_id.as_deref(), Some("r2"));
    assert_eq!(read(&reply(500, &[("request-id", "r1")], body)).request_id.as_deref(), Some("r1"));
}

#[test]
fn glm_says_by_its_own_codes_whether_to_retry() {
    for (code, kind) in [
        (1000, Kind::Authentication),
        (1113, Kind::QuotaExceeded),
        (1211, Kind::NotFound),
        (1261, Kind::PromptTooLong),
        (1301, Kind::ContentFiltered),
        (1302, Kind::RateLimited),
        (1303, Kind::RateLimited),
        (1304, Kind::QuotaExceeded),
        (1305, Kind::Overloaded),
        (1308, Kind::QuotaExceeded),
        (1310, Kind::QuotaExceeded),
        (1312, Kind::Overloaded),
    ] {
        let text = read(&reply(429, &[], &format!(r#"{{"error":{{"code":"{code}","message":"m"}}}}"#)));
        let number = read(&reply(429, &[], &format!(r#"{{"error":{{"code":{code},"message":"m"}}}}"#)));
        assert_eq!((text.kind, number.kind), (kind, kind), "{code}");
    }
}

#[test]
fn schema_rejections_are_told_apart_from_other_bad_requests() {
    for message in [
        "Invalid schema for function 'f': 'oneOf' is not permitted.",
        "output_config.format.schema: Schema type 'oneOf' is not supported",
        "tools.3.custom: Empty schema ({}) that accepts any JSON value is not supported.",
        "tools.106.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
        "The compiled grammar is too large, which would cause performance issues.",
        "A schema in GenerationConfig in the request exceeds the maximum allowed nesting depth.",
    ] {
        let body = serde_json::json!({"error": {"message": message}}).to_string();
        assert_eq!(read(&reply(400, &[], &body)).kind, Kind::SchemaRejected, "{message}");
        assert_eq!(read(&reply(429, &[], &body)).kind, Kind::RateLimited, "{message}");
    }
    let body = r#"{"error":{"message":"bad","param":"text.format.name"}}"#;
    assert_eq!(read(&reply(400, &[], body)).kind, Kind::SchemaRejected);
    let body = r#"{"error":{"message":"temperature is not supported","param":"temperature"}}"#;
    assert_eq!(read(&reply(400, &[], body)).kind, Kind::InvalidRequest);
}

#[test]
fn only_an_error_in_a_success_is_one() {
    for body in [
        r#"{"error":{"message":"m"}}"#,
        r#"{"error":"m"}"#,
        r#"{"detail":"m"}"#,
        r#"{"type":"error","error":null,"message":"m"}"#,
        r#"{"code":500,"message":"m","type":"server_error"}"#,
    ] {
        assert!(in_frame(body).is_some(), "{body}");
    }
    for body in
        ["", "{}", r#"{"error":null,"choices":[]}"#, r#"{"error":false}"#, r#"{"message":{"role":"assistant"}}"#]
    {
        assert!(in_frame(body).is_none(), "{body}");
    }
}
