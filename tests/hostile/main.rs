//! Hostile input: each text gives a typed error, fast, and nothing panics or overflows the stack.

mod config;
#[cfg(unix)]
mod programs;
mod sockets;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bytes::Bytes;
use geode::StructuredOutput;
use geode::adapter::{StreamEvent, registry};
use geode::client::{Client, Reading, RetryPolicy};
use geode::dialect::{ALL, lint, lower_schema};
use geode::json::ReadOptions;
use geode::json::stream::{PushParser, StreamError};
use geode::outcome::CallError;
use geode::raw_schema::RawSchema;
use geode::report::Code;
use geode::request::Request;
use geode::schema::{Schema, compare};
use geode::testing::scripted::{self, ScriptedAdapter};
use geode::transport::{HeaderMap, WireReply};

#[derive(Debug, PartialEq, StructuredOutput)]
struct Order {
    id: u64,
    note: String,
    #[geode(items(max = 1000))]
    lines: Vec<String>,
    prices: BTreeMap<String, f64>,
    next: Option<Box<Order>>,
}

const OPEN: &str = r#"{"id":1,"note":"","lines":[],"prices":[],"next":"#;

/// Generous: a debug build on a busy machine. What is looked for takes minutes, or for ever.
const FAST: Duration = Duration::from_secs(20);

#[track_caller]
fn fast<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < FAST, "{what} took {:?}", start.elapsed());
    result
}

/// Texts that no type may take, and the code of one of their violations.
fn texts() -> Vec<(&'static str, String, Code)> {
    let order = |note: &str| format!(r#"{{"id":1,"note":{note},"lines":[],"prices":[],"next":null}}"#);
    let number = |digits: String| format!(r#"{{"id":{digits},"note":"","lines":[],"prices":[],"next":null}}"#);
    let price = |digits: &str| {
        format!(r#"{{"id":1,"note":"","lines":[],"prices":[{{"key":"a","value":{digits}}}],"next":null}}"#)
    };
    let keys: String = (0..100_000).map(|n| format!(r#""k{n}":1,"#)).collect();
    let twice = r#""id":1,"#.repeat(100_000);
    let entries = vec![r#"{"key":"a","value":1}"#; 50_000].join(",");
    vec![
        ("arrays, 100,000 deep", "[".repeat(100_000), Code::Type),
        ("objects, 100,000 deep", OPEN.repeat(100_000), Code::Depth),
        ("unknown value, 100,000 deep", format!(r#"{{"x":{}"#, "[".repeat(100_000)), Code::UnknownProperty),
        ("an exponent of millions", number("1e999999".to_owned()), Code::Range),
        ("a price of 1e999999", price("1e999999"), Code::Range),
        ("10,000 digits", number("9".repeat(10_000)), Code::Range),
        ("10,000 leading zeros", number("0".repeat(10_000)), Code::Syntax),
        ("a NUL in a string", order("\"a\0b\""), Code::Syntax),
        ("a NUL behind the value", order("\"\"") + "\0", Code::TrailingText),
        ("a lone surrogate", order(r#""\ud800""#), Code::Syntax),
        ("a reversed pair", order(r#""\udc00\ud800""#), Code::Syntax),
        ("a second byte order mark", format!("\u{feff}\u{feff}{}", order("\"\"")), Code::Syntax),
        ("a bidi override between tokens", order("\"\"").replace(":1", ":\u{202e}1"), Code::Syntax),
        ("a no-break space between tokens", order("\"\"").replace(":1", ":\u{a0}1"), Code::Syntax),
        ("a string without an end", format!(r#"{{"id":1,"note":"{}"#, "a".repeat(5_000_000)), Code::Syntax),
        ("whitespace without an end", " ".repeat(5_000_000), Code::Syntax),
        ("100,000 unknown properties", format!(r#"{{{keys}"id":1}}"#), Code::UnknownProperty),
        ("a property 100,000 times", format!("{{{}", twice), Code::Duplicate),
        (
            "a map's key 50,000 times",
            format!(r#"{{"id":1,"note":"","lines":[],"prices":[{entries}],"next":null}}"#),
            Code::Duplicate,
        ),
        ("a name of a megabyte", format!(r#"{{"{}":1}}"#, "n".repeat(1 << 20)), Code::UnknownProperty),
        (
            "an injected property",
            order("\"\"").replace("\"id\"", "\"execute_refund\":true,\"id\""),
            Code::UnknownProperty,
        ),
        (
            "an injected escape of a known name",
            order("\"\"").replace("\"note\"", r#""i\u0064":2,"note""#),
            Code::Duplicate,
        ),
    ]
}

#[test]
fn hostile_texts_are_refused_fast_with_a_bounded_report() {
    for (what, text, code) in texts() {
        let report = fast(what, || geode::from_str::<Order>(&text)).expect_err(what);
        assert!(report.violations().iter().any(|violation| violation.code() == code), "{what}: {report}");
        assert!(report.violations().len() <= 101, "{what}");
        assert!(report.for_model().len() < 200_000, "{what}: {} bytes for the model", report.for_model().len());
        let schema = geode::schema::<Order>();
        let raw = RawSchema::new(schema).unwrap();
        let read = fast(what, || raw.read(&text, None));
        // A schema can't say that the keys of a map's entries differ.
        assert!(read.is_err() || what.starts_with("a map's key"), "{what}");
    }
}

#[test]
fn hostile_texts_stop_a_stream_however_they_are_cut() {
    for (what, text, _) in texts() {
        for size in [1000, usize::MAX] {
            let mut parser = PushParser::for_shape(Order::SHAPE, &ReadOptions::default());
            let result = fast(what, || {
                text.as_bytes()
                    .chunks(size.min(text.len()))
                    .try_for_each(|piece| parser.push(piece))
                    .and_then(|()| parser.finish())
            });
            // What the push parser leaves to the reader, the reader refuses.
            assert!(result.is_err() || geode::from_str::<Order>(parser.text()).is_err(), "{what}");
        }
    }
}

#[test]
fn two_hundred_megabytes_stop_at_the_limit() {
    for piece in [" ".repeat(1 << 20), "a".repeat(1 << 20)] {
        let mut parser = PushParser::new();
        if piece.starts_with('a') {
            parser.push(b"\"").unwrap();
        }
        let mut pushed = 0;
        let error = fast("200 MB", || {
            (0..200).find_map(|_| {
                pushed += 1;
                parser.push(piece.as_bytes()).err()
            })
        });
        assert!(matches!(error, Some(StreamError::TooLarge { limit }) if limit == 8 << 20), "{error:?}");
        assert!(pushed <= 9 && parser.text().len() <= 8 << 20, "{pushed} MB were kept");
    }
}

#[test]
fn bidi_text_is_data_and_stays_as_it_is() {
    let text = r#"{"id":1,"note":"\u202eevil\u2066 \u0000","lines":[],"prices":[],"next":null}"#;
    assert_eq!(geode::from_str::<Order>(text).unwrap().note, "\u{202e}evil\u{2066} \0");
}

async fn said(text: String, reading: Reading) -> Result<(), CallError> {
    let client = Client::builder(ScriptedAdapter::replies([scripted::text(text)])).retry(RetryPolicy::none()).build();
    client.request::<Order>().user("?").reading(reading).send().await.map(drop)
}

#[tokio::test]
async fn tolerant_reading_is_linear_and_takes_no_hostile_text() {
    let floods = [
        "{".repeat(1_000_000),
        "{\"".repeat(500_000),
        "```\n".repeat(300_000),
        "<think>".repeat(100_000),
        "{} ".repeat(300_000),
        format!("{}{}", "{\"a\":".repeat(100_000), "}".repeat(100_000)),
        format!("Sure: {}", "[{".repeat(200_000)),
    ];
    for text in texts().into_iter().map(|(_, text, _)| text).chain(floods) {
        for reading in [Reading::Strict, Reading::Fenced, Reading::Prose, Reading::Lenient] {
            let start = Instant::now();
            let result = said(text.clone(), reading).await;
            assert!(start.elapsed() < FAST, "{:?}", text.get(..20));
            match result {
                Err(error) => assert!(error.is_invalid_schema() || error.is_incomplete(), "{error}"),
                // What stands behind a value is prose to the widest readings, which the caller chose by name.
                Ok(()) => assert!(reading >= Reading::Prose, "{:?}", text.get(..20)),
            }
        }
    }
}

#[test]
fn decoders_give_a_reply_or_a_fault() {
    let bodies =
        texts().into_iter().map(|(_, text, _)| text).chain(["\0".repeat(1000), "\u{feff}{}".to_owned(), String::new()]);
    let bodies: Vec<String> = bodies.collect();
    let request = Request::default();
    for name in ["openai-payg", "openai-chat", "anthropic-payg", "gemini", "bedrock", "claude-cli", "codex-cli"] {
        let adapter = registry::by_name(name, &|_| Some("dummy".to_owned())).unwrap();
        for body in &bodies {
            for status in [200, 0, 400, 500] {
                let reply = WireReply {
                    status,
                    headers: HeaderMap::new(),
                    body: Bytes::from(body.clone()),
                    stderr: Bytes::new(),
                };
                let decoded = fast(name, || adapter.decode(&request, &reply));
                if let Ok(reply) = decoded {
                    assert_eq!(reply.text, "", "{name} read an answer out of {:?}", body.get(..20));
                }
            }
            let mut decoder = adapter.decoder(&request);
            let event = StreamEvent { name: None, data: body };
            let _ = fast(name, || decoder.event(&event, &mut Vec::new()));
            assert_eq!(decoder.finish().finish, None, "{name} came to an end by {:?}", body.get(..20));
        }
    }
}

/// Schemas that are bombs, or lead back to themselves.
fn schemas() -> Vec<(&'static str, String)> {
    let deep = |open: &str, close: &str, levels: usize| format!("{}true{}", open.repeat(levels), close.repeat(levels));
    let laughs = |body: &dyn Fn(usize) -> String| {
        let definitions: Vec<String> = (0..40).map(|n| format!(r#""d{n}":{}"#, body(n + 1))).collect();
        format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d40":{{"type":"integer"}}}}}}"##, definitions.join(","))
    };
    let many = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    let values = many(50_000, &|n| format!("\"value {n}\""));
    let properties = |count| many(count, &|n| format!(r#""p{n}":{{"type":"string"}}"#));
    let required = many(5_000, &|n| format!("\"p{n}\""));
    let branches = many(10_000, &|n| format!(r#"{{"const":"value {n}","description":"one"}}"#));
    let chain = |last: &str| {
        let link = |n: usize| format!(r##""d{n}":{{"type":"array","items":{{"$ref":"#/definitions/d{}"}}}}"##, n + 1);
        let links: Vec<String> = (0..5_000).map(link).collect();
        format!(r##"{{"$ref":"#/definitions/d0","definitions":{{{},"d5000":{last}}}}}"##, links.join(","))
    };
    vec![
        ("items, 100,000 deep", deep(r#"{"items":"#, "}", 100_000)),
        ("items, 120 deep", deep(r#"{"items":"#, "}", 120)),
        ("anyOf, 60 deep", deep(r#"{"anyOf":["#, "]}", 60)),
        ("allOf, 60 deep", deep(r#"{"allOf":["#, "]}", 60)),
        ("an unknown keyword, 120 deep", deep(r#"{"x":"#, "}", 120)),
        (
            "a pattern, 100,000 groups deep",
            format!(r#"{{"type":"string","pattern":"{}{}"}}"#, "(".repeat(100_000), ")".repeat(100_000)),
        ),
        ("a pattern that explodes", r#"{"type":"string","pattern":"((a{1000}){1000}){1000}"}"#.to_owned()),
        ("a pattern that backtracks", r#"{"type":"string","pattern":"^(?=(a+)+$)(a|aa)+\\1$"}"#.to_owned()),
        ("a reference to itself", r##"{"$ref":"#"}"##.to_owned()),
        (
            "references in a circle",
            r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##.to_owned(),
        ),
        (
            "allOf in a circle",
            r##"{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"},{"title":"x"}]}}}"##.to_owned(),
        ),
        (
            "anyOf in a circle",
            r##"{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}}}"##.to_owned(),
        ),
        ("a reference to nothing", r##"{"$ref":"#/$defs/a"}"##.to_owned()),
        (
            "laughs by properties",
            laughs(&|n| {
                format!(
                    r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d{n}"}},"b":{{"$ref":"#/$defs/d{n}"}}}},"required":["a","b"],"additionalProperties":false}}"##
                )
            }),
        ),
        (
            "laughs by anyOf",
            laughs(&|n| {
                format!(
                    r##"{{"anyOf":[{{"$ref":"#/$defs/d{n}"}},{{"type":"array","items":{{"$ref":"#/$defs/d{n}"}}}}]}}"##
                )
            }),
        ),
        (
            "laughs by allOf",
            laughs(&|n| {
                format!(r##"{{"allOf":[{{"$ref":"#/$defs/d{n}"}},{{"$ref":"#/$defs/d{n}","minimum":{n}}}]}}"##)
            }),
        ),
        (
            "laughs by oneOf",
            laughs(&|n| {
                format!(r##"{{"oneOf":[{{"$ref":"#/$defs/d{n}"}},{{"$ref":"#/$defs/d{n}","type":"string"}}]}}"##)
            }),
        ),
        ("50,000 values", format!(r#"{{"type":"string","enum":[{values}]}}"#)),
        ("50,000 values, twice", format!(r#"{{"enum":[{values}],"allOf":[{{"enum":[{values}]}}]}}"#)),
        ("10,000 branches", format!(r#"{{"oneOf":[{branches}]}}"#)),
        (
            "5,000 properties",
            format!(
                r#"{{"type":"object","properties":{{{}}},"required":[{required}],"additionalProperties":false}}"#,
                properties(5_000)
            ),
        ),
        ("10,000 optional properties", format!(r#"{{"type":"object","properties":{{{}}}}}"#, properties(10_000))),
        ("a chain of 5,000 definitions", chain(r#"{"type":"integer"}"#)),
        ("a ring of 5,000 definitions", chain(r##"{"$ref":"#/definitions/d0"}"##)),
        (
            "limits beyond every number",
            r#"{"type":"number","minimum":1e308,"maximum":-1e308,"minLength":18446744073709551615}"#.to_owned(),
        ),
    ]
}

#[test]
fn hostile_schemas_are_read_compiled_checked_and_lowered_or_refused() {
    for (what, text) in schemas() {
        let Ok(schema) = fast(what, || text.parse::<Schema>()) else { continue };
        assert_eq!(fast(what, || compare(&schema, &schema)), [], "{what}");
        for dialect in ALL {
            fast(what, || lint(&schema, dialect));
            if let Ok(plan) = fast(what, || lower_schema(&schema, dialect)) {
                assert!(
                    plan.schema.get().len() < 20 << 20,
                    "{what}: {} bytes for {}",
                    plan.schema.get().len(),
                    dialect.name
                );
            }
        }
        let Ok(raw) = fast(what, || RawSchema::new(schema)) else { continue };
        for text in ["1", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"", "[[[[[[[[[[]]]]]]]]]]", r#"{"a":{"a":null},"b":1}"#]
        {
            let plan = raw.plan(ALL[1]).ok();
            let _ = fast(what, || raw.read(text, plan.as_deref()));
        }
    }
}
