use super::*;
use crate::dialect::{ANTHROPIC, PLAIN};
use crate::report::Code;

fn compiled(text: &str) -> RawSchema {
    text.parse().unwrap()
}

fn codes(report: &Report) -> Vec<(&str, Code)> {
    report.violations.iter().map(|violation| (violation.pointer.as_str(), violation.code)).collect()
}

const TICKET: &str = r#"{"title": "My ticket!", "type": "object", "properties": {
    "topic": {"enum": ["billing", "other"]}, "score": {"type": "number", "minimum": 0},
    "note": {"type": "string", "maxLength": 3}}, "required": ["topic", "score"], "additionalProperties": false}"#;

#[test]
fn every_violation_has_its_place_and_code() {
    let report = compiled(TICKET).read(r#"{"topic": "x", "note": "xyzzy", "b": 1, "a": 2}"#, None).unwrap_err();
    let mut found = codes(&report);
    found.sort_by_key(|(pointer, _)| *pointer);
    assert_eq!(
        found,
        [
            ("/a", Code::UnknownProperty),
            ("/b", Code::UnknownProperty),
            ("/note", Code::Length),
            ("/score", Code::Missing),
            ("/topic", Code::UnknownValue),
        ]
    );
    assert!(report.violations.iter().all(|violation| !violation.expected.contains("xyzzy")), "content in `expected`");
}

#[test]
fn what_was_expected_is_said_in_the_words_of_our_own_parser() {
    let expected = |schema: &str, text: &str| {
        let report = compiled(&format!(r#"{{"type": "object", "properties": {{"p": {schema}}}}}"#));
        let report = report.read(&format!(r#"{{"p": {text}}}"#), None).unwrap_err();
        report.violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    for (schema, text, said) in [
        (r#"{"type": "integer"}"#, "true", "/p: wrong type, expected an integer"),
        (r#"{"type": ["string", "null"]}"#, "true", "/p: wrong type, expected null or a string"),
        (r#"{"maximum": 255}"#, "300", "/p: out of range, expected at most 255"),
        (r#"{"exclusiveMinimum": 0.5}"#, "0", "/p: out of range, expected more than 0.5"),
        (r#"{"multipleOf": 5}"#, "3", "/p: not a multiple, expected a multiple of 5"),
        (r#"{"minLength": 1}"#, r#""""#, "/p: wrong length, expected at least 1 character"),
        (r#"{"maxItems": 2}"#, "[1, 2, 3]", "/p: wrong number of elements, expected at most 2 elements"),
        (r#"{"uniqueItems": true}"#, "[1, 1]", "/p: repeated element, expected no element twice"),
        (r#"{"pattern": "^a"}"#, r#""b""#, "/p: does not match, expected text that matches ^a"),
        (r#"{"format": "date"}"#, r#""b""#, "/p: wrong format, expected text of the format date"),
        (
            r#"{"anyOf": [{"minimum": 3}, {"minimum": 4}]}"#,
            "1",
            "/p: fits no variant, expected a value that one of the variants accepts",
        ),
        (
            r#"{"contains": {"type": "null"}}"#,
            "[]",
            "/p: refused, expected another value: None of the value are valid under the given schema",
        ),
    ] {
        assert_eq!(expected(schema, text), said);
    }
}

#[test]
fn broken_and_ambiguous_texts_are_reported() {
    let ticket = compiled(TICKET);
    let report = ticket.read("{\"topic\":\n oops}", None).unwrap_err();
    assert_eq!((codes(&report), report.violations[0].offset), (vec![("", Code::Syntax)], 11));
    assert_eq!(codes(&ticket.read("{} {}", None).unwrap_err()), [("", Code::TrailingText)]);
    let twice = ticket.read(r#"{"topic": "other", "topic": "billing", "score": 1}"#, None);
    assert_eq!(codes(&twice.unwrap_err()), [("", Code::Duplicate)]);
}

#[test]
fn the_name_is_the_title_made_legal() {
    assert_eq!(compiled(TICKET).name(), "My_ticket");
    assert_eq!(compiled(r#"{"type": "object"}"#).name(), "response");
}

#[test]
fn references_out_of_the_document_are_refused_wherever_they_stand() {
    for text in [
        r#"{"$ref": "https://example.com/a.json"}"#,
        r#"{"properties": {"a": {"$ref": "other.json#/a"}}}"#,
        r#"{"not": {"items": [{"$ref": "file:///etc/passwd"}]}}"#,
    ] {
        let error = text.parse::<RawSchema>().unwrap_err();
        assert!(error.reason.contains("leads out of the document"), "{error}");
    }
    let own =
        r##"{"type": "object", "properties": {"$ref": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}"##;
    assert!(own.parse::<RawSchema>().is_ok());
    assert_eq!(
        r#"{"properties": {"a": {"type": "strin"}}}"#.parse::<RawSchema>().unwrap_err().pointer,
        "/properties/a/type"
    );
}

#[test]
fn openai_gets_it_as_it_stands_with_the_flag_that_the_strict_test_gives() {
    let ticket = compiled(TICKET);
    let plan = ticket.plan(&OPENAI_STRICT).unwrap();
    assert!(!plan.strict);
    assert!(plan.schema.get().contains(r#""required":["topic","score"]"#));
}

#[test]
fn what_lowering_changed_is_undone_in_the_answer() {
    let list = compiled(r#"{"type": "array", "items": {"type": "integer", "minimum": 3}}"#);
    let plan = list.plan(&ANTHROPIC).unwrap();
    assert_eq!(list.read(r#"{"value": [3]}"#, Some(&plan)).unwrap(), serde_json::json!([3]));
    assert_eq!(codes(&list.read(r#"{"value": [1]}"#, Some(&plan)).unwrap_err()), [("/0", Code::Range)]);

    let ticket = compiled(TICKET);
    let lowered = crate::dialect::lower_schema(ticket.schema(), &OPENAI_STRICT).unwrap();
    assert!(lowered.strict);
    let answer = r#"{"topic": "other", "score": 1, "note": null}"#;
    assert_eq!(ticket.read(answer, Some(&lowered)).unwrap(), serde_json::json!({"topic": "other", "score": 1}));
    assert!(ticket.read(answer, Some(&ticket.plan(&PLAIN).unwrap())).is_err());
}
