use super::*;

/// Each kind of change: before, after, its name, whom it breaks.
const KINDS: &[(&str, &str, &str, Breaks)] = &[
    (r#"{"title":"a"}"#, r#"{"title":"b"}"#, "title-changed", Breaks::Neither),
    (r#"{"description":"a"}"#, r#"{}"#, "description-changed", Breaks::Neither),
    (r#"{"default":1}"#, r#"{"default":2}"#, "default-changed", Breaks::Neither),
    (r#"{"examples":[1]}"#, r#"{}"#, "examples-changed", Breaks::Neither),
    (r#"{"deprecated":true}"#, r#"{}"#, "annotation-changed", Breaks::Neither),
    (r#"{"not":{"type":"null"}}"#, r#"{}"#, "keyword-changed", Breaks::Both),
    (r#"true"#, r#"false"#, "schema-narrowed", Breaks::Producer),
    (r#"false"#, r#"{"type":"null"}"#, "schema-widened", Breaks::Consumer),
    (r#"{"type":"string"}"#, r#"{"type":"integer"}"#, "type-changed", Breaks::Both),
    (r#"{"type":"number"}"#, r#"{"type":"integer"}"#, "type-narrowed", Breaks::Producer),
    (r#"{"type":"integer"}"#, r#"{"type":"number"}"#, "type-widened", Breaks::Consumer),
    (r#"{"type":"string"}"#, r#"{"type":["string","null"]}"#, "null-allowed", Breaks::Consumer),
    (r#"{"type":["string","null"]}"#, r#"{"type":"string"}"#, "null-forbidden", Breaks::Producer),
    (r#"{"type":"string"}"#, r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, "null-allowed", Breaks::Consumer),
    (r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, r#"{"type":"string"}"#, "null-forbidden", Breaks::Producer),
    (r#"{"const":"1"}"#, r#"{"const":"2"}"#, "const-changed", Breaks::Both),
    (r#"{"type":"string"}"#, r#"{"type":"string","enum":["a"]}"#, "enum-added", Breaks::Producer),
    (r#"{"type":"string","enum":["a"]}"#, r#"{"type":"string"}"#, "enum-removed", Breaks::Consumer),
    (r#"{"enum":["a"]}"#, r#"{"enum":["a","b"]}"#, "enum-value-added", Breaks::Consumer),
    (r#"{"enum":["a","b"]}"#, r#"{"enum":["a"]}"#, "enum-value-removed", Breaks::Producer),
    (r#"{"enum":["a","b"]}"#, r#"{"enum":["b","a"]}"#, "enum-order-changed", Breaks::Neither),
    (r#"{"minimum":0}"#, r#"{"minimum":1}"#, "minimum-raised", Breaks::Producer),
    (r#"{"minimum":0}"#, r#"{}"#, "minimum-lowered", Breaks::Consumer),
    (r#"{"maximum":9}"#, r#"{"maximum":8}"#, "maximum-lowered", Breaks::Producer),
    (r#"{"maximum":9}"#, r#"{"maximum":9.5}"#, "maximum-raised", Breaks::Consumer),
    (r#"{}"#, r#"{"exclusiveMinimum":0}"#, "exclusive-minimum-raised", Breaks::Producer),
    (r#"{"exclusiveMinimum":0}"#, r#"{}"#, "exclusive-minimum-lowered", Breaks::Consumer),
    (r#"{}"#, r#"{"exclusiveMaximum":0}"#, "exclusive-maximum-lowered", Breaks::Producer),
    (r#"{"exclusiveMaximum":0}"#, r#"{"exclusiveMaximum":1}"#, "exclusive-maximum-raised", Breaks::Consumer),
    (r#"{"minLength":1}"#, r#"{"minLength":2}"#, "min-length-raised", Breaks::Producer),
    (r#"{"minLength":2}"#, r#"{"minLength":1}"#, "min-length-lowered", Breaks::Consumer),
    (r#"{"maxLength":2}"#, r#"{"maxLength":1}"#, "max-length-lowered", Breaks::Producer),
    (r#"{"maxLength":1}"#, r#"{"maxLength":2}"#, "max-length-raised", Breaks::Consumer),
    (r#"{"minItems":1}"#, r#"{"minItems":2}"#, "min-items-raised", Breaks::Producer),
    (r#"{"minItems":2}"#, r#"{"minItems":1}"#, "min-items-lowered", Breaks::Consumer),
    (r#"{"maxItems":2}"#, r#"{"maxItems":1}"#, "max-items-lowered", Breaks::Producer),
    (r#"{"maxItems":1}"#, r#"{"maxItems":2}"#, "max-items-raised", Breaks::Consumer),
    (r#"{}"#, r#"{"pattern":"a"}"#, "pattern-added", Breaks::Producer),
    (r#"{"pattern":"a"}"#, r#"{}"#, "pattern-removed", Breaks::Consumer),
    (r#"{"pattern":"a"}"#, r#"{"pattern":"b"}"#, "pattern-changed", Breaks::Both),
    (r#"{}"#, r#"{"format":"date"}"#, "format-added", Breaks::Producer),
    (r#"{"format":"date"}"#, r#"{}"#, "format-removed", Breaks::Consumer),
    (r#"{"format":"date"}"#, r#"{"format":"time"}"#, "format-changed", Breaks::Both),
    (r#"{}"#, r#"{"multipleOf":2}"#, "multiple-of-added", Breaks::Producer),
    (r#"{"multipleOf":2}"#, r#"{}"#, "multiple-of-removed", Breaks::Consumer),
    (r#"{"multipleOf":2}"#, r#"{"multipleOf":3}"#, "multiple-of-changed", Breaks::Both),
    (r#"{}"#, r#"{"uniqueItems":true}"#, "unique-items-added", Breaks::Producer),
    (r#"{"uniqueItems":true}"#, r#"{}"#, "unique-items-removed", Breaks::Consumer),
    (
        r#"{"properties":{"a":true}}"#,
        r#"{"properties":{"a":true},"required":["a"]}"#,
        "property-required",
        Breaks::Producer,
    ),
    (
        r#"{"properties":{"a":true},"required":["a"]}"#,
        r#"{"properties":{"a":true}}"#,
        "property-optional",
        Breaks::Consumer,
    ),
    (
        r#"{"properties":{"a":true},"required":["a"],"additionalProperties":false}"#,
        r#"{"properties":{},"additionalProperties":false}"#,
        "required-property-removed",
        Breaks::Both,
    ),
    (
        r#"{"properties":{"a":true},"additionalProperties":false}"#,
        r#"{"properties":{},"additionalProperties":false}"#,
        "optional-property-removed",
        Breaks::Producer,
    ),
    (
        r#"{"properties":{"a":true},"required":["a"]}"#,
        r#"{"properties":{}}"#,
        "required-property-no-longer-named",
        Breaks::Consumer,
    ),
    (r#"{"properties":{"a":true}}"#, r#"{"properties":{}}"#, "optional-property-no-longer-named", Breaks::Consumer),
    (
        r#"{"properties":{},"additionalProperties":false}"#,
        r#"{"properties":{"a":true},"required":["a"],"additionalProperties":false}"#,
        "required-property-added",
        Breaks::Both,
    ),
    (
        r#"{"properties":{}}"#,
        r#"{"properties":{"a":true},"required":["a"]}"#,
        "required-property-named",
        Breaks::Producer,
    ),
    (
        r#"{"properties":{},"additionalProperties":false}"#,
        r#"{"properties":{"a":true},"additionalProperties":false}"#,
        "optional-property-added",
        Breaks::Consumer,
    ),
    (r#"{"properties":{}}"#, r#"{"properties":{"a":true}}"#, "optional-property-named", Breaks::Producer),
    (
        r#"{"properties":{"a":true,"b":true}}"#,
        r#"{"properties":{"b":true,"a":true}}"#,
        "property-order-changed",
        Breaks::Neither,
    ),
    (r#"{"type":"object"}"#, r#"{"type":"object","additionalProperties":false}"#, "object-closed", Breaks::Producer),
    (r#"{"type":"object","additionalProperties":false}"#, r#"{"type":"object"}"#, "object-opened", Breaks::Consumer),
    (r#"{"type":"array"}"#, r#"{"type":"array","items":{"type":"null"}}"#, "items-added", Breaks::Producer),
    (r#"{"type":"array","items":{"type":"null"}}"#, r#"{"type":"array"}"#, "items-removed", Breaks::Consumer),
    (r#"{"prefixItems":[true]}"#, r#"{"prefixItems":[true,true]}"#, "tuple-length-changed", Breaks::Both),
    (
        r#"{"anyOf":[{"type":"string"},{"type":"array"}]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"array"},{"type":"boolean"}]}"#,
        "alternative-added",
        Breaks::Consumer,
    ),
    (
        r#"{"anyOf":[{"type":"string"},{"type":"array"},{"type":"boolean"}]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"array"}]}"#,
        "alternative-removed",
        Breaks::Producer,
    ),
    (
        r#"{"anyOf":[{"const":"a"},{"const":"b"}]}"#,
        r#"{"anyOf":[{"const":"b"}]}"#,
        "alternative-removed",
        Breaks::Producer,
    ),
    (r#"{"$ref":"other.json#/a"}"#, r#"{"$ref":"other.json#/b"}"#, "reference-changed", Breaks::Both),
    (
        r#"{"oneOf":[{"type":"string"},{"type":"array"}]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"array"}]}"#,
        "union-changed",
        Breaks::Both,
    ),
];

#[test]
fn every_kind_of_change_is_told_by_itself() {
    for (old, new, kind, breaks) in KINDS {
        let changes = compare(&old.parse().unwrap(), &new.parse().unwrap());
        let found: Vec<_> = changes.iter().map(|change| (change.kind, change.breaks)).collect();
        assert_eq!(found, [(*kind, *breaks)], "{old} → {new}");
    }
    let kinds: HashSet<_> = KINDS.iter().map(|(_, _, kind, _)| kind).collect();
    assert!(kinds.len() >= 40, "{} kinds", kinds.len());
}

#[test]
fn nothing_changed_is_no_change() {
    for (old, ..) in KINDS {
        let schema: Schema = old.parse().unwrap();
        assert_eq!(compare(&schema, &schema), []);
    }
}

#[test]
fn variants_are_matched_by_their_tags() {
    let variant = |tag: &str, rest: &str| {
        format!(
            r#"{{"type":"object","properties":{{"kind":{{"enum":["{tag}"]}}{rest}}},"required":["kind"],"additionalProperties":false}}"#
        )
    };
    let old = format!(r#"{{"anyOf":[{},{}]}}"#, variant("a", ""), variant("b", r#","x":{"minimum":1}"#));
    let new = format!(r#"{{"anyOf":[{},{}]}}"#, variant("b", r#","x":{"minimum":2}"#), variant("c", ""));
    let changes = compare(&old.parse().unwrap(), &new.parse().unwrap());
    let found: Vec<_> = changes.iter().map(|change| (change.pointer.as_str(), change.kind)).collect();
    assert_eq!(
        found,
        [
            ("/anyOf/0", "alternative-removed"),
            ("/anyOf/0/properties/x", "minimum-raised"),
            ("/anyOf/1", "alternative-added")
        ]
    );
}

#[test]
fn recursive_schemas_end() {
    let node = |rule: &str| -> Schema {
        format!(r##"{{"$ref":"#/$defs/N","$defs":{{"N":{{"properties":{{"next":{{"$ref":"#/$defs/N"}},"v":{{{rule}}}}}}}}}}}"##)
            .parse()
            .unwrap()
    };
    let changes = compare(&node(r#""type":"string""#), &node(r#""type":"null""#));
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].pointer, "/properties/v");
}

/// What is found of two properties, and where.
fn changes_of(old: &str, new: &str, rest: &str) -> Vec<(String, &'static str)> {
    let whole = |property: &str| -> Schema { format!(r#"{{"properties":{{"a":{property}}}{rest}}}"#).parse().unwrap() };
    compare(&whole(old), &whole(new)).into_iter().map(|change| (change.pointer, change.kind)).collect()
}

#[test]
fn what_stands_beside_a_reference_counts() {
    let rest = r#","$defs":{"N":{"type":"integer","minimum":0},"M":{"type":"integer","minimum":1}}"#;
    let a = "/properties/a".to_owned();
    let reference = r##""$ref":"#/$defs/N""##;
    assert_eq!(
        changes_of(&format!("{{{reference}}}"), &format!(r#"{{{reference},"maximum":9}}"#), rest),
        [(a.clone(), "maximum-lowered")]
    );
    assert_eq!(
        changes_of(
            &format!(r#"{{{reference},"description":"x"}}"#),
            &format!(r#"{{{reference},"description":"y"}}"#),
            rest
        ),
        [(a.clone(), "description-changed")]
    );
    // One definition in the place of another, and of the schema itself.
    assert_eq!(
        changes_of(&format!("{{{reference}}}"), r##"{"$ref":"#/$defs/M"}"##, rest),
        [(a.clone(), "minimum-raised")]
    );
    assert_eq!(changes_of(&format!("{{{reference}}}"), r#"{"type":"integer","minimum":0}"#, rest), []);
    assert_eq!(
        changes_of(r#"{"$ref":"other.json"}"#, r#"{"type":"integer"}"#, rest),
        [(a.clone(), "type-narrowed"), (a, "reference-changed")]
    );
}

#[test]
fn references_lead_to_any_place_of_the_document() {
    let target = |minimum: u8| format!(r#"{{"type":"integer","minimum":{minimum}}}"#);
    for (reference, wrapped) in [
        ("#/properties/b", r#""b":@"#),
        ("#/properties/c/items", r#""c":{"items":@}"#),
        ("#/properties/p%2520q~1r", r#""p%20q/r":@"#),
        ("https://example.com/root.json#/properties/b", r#""b":@"#),
        ("#named", r#""b":{"allOf":[{"$anchor":"named","allOf":[@]}]}"#),
    ] {
        let document = |minimum: u8| -> Schema {
            let properties = wrapped.replace('@', &target(minimum));
            let id = "https://example.com/root.json#";
            format!(r##"{{"$id":"{id}","properties":{{"a":{{"$ref":"{reference}"}},{properties}}}}}"##).parse().unwrap()
        };
        let changes = compare(&document(0), &document(1));
        assert!(changes.iter().all(|change| change.kind == "minimum-raised"), "{reference}: {changes:?}");
        assert!(changes.iter().any(|change| change.pointer.starts_with("/properties/a")), "{reference}: {changes:?}");
    }
}

#[test]
#[should_panic(expected = "enum-value-added")]
fn an_assertion_names_what_breaks() {
    let (old, new) = (r#"{"enum":["a"]}"#.parse().unwrap(), r#"{"enum":["a","b"]}"#.parse().unwrap());
    assert_compatible(&old, &new, Breaks::Producer);
    assert_compatible(&old, &new, Breaks::Consumer);
}
