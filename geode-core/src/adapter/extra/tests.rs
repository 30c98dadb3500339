use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::merge;

fn merged(body: &str, extra: Value) -> String {
    let extra: BTreeMap<String, Value> = serde_json::from_value(extra).unwrap();
    String::from_utf8(merge(body.as_bytes().to_vec(), &extra).unwrap()).unwrap()
}

#[test]
fn members_are_added_behind_those_that_stand() {
    assert_eq!(merged(r#"{"z":1,"a":2}"#, json!({"m": [3]})), r#"{"z":1,"a":2,"m":[3]}"#);
    assert_eq!(merged("{}", json!({"m": 3})), r#"{"m":3}"#);
    assert_eq!(merged(r#"{"z":1}"#, json!({})), r#"{"z":1}"#);
}

#[test]
fn a_member_that_stands_is_replaced_in_its_place() {
    assert_eq!(merged(r#"{"z":1,"a":{"b":1},"c":2}"#, json!({"a": null})), r#"{"z":1,"a":null,"c":2}"#);
    assert_eq!(merged(r#"{"z":1}"#, json!({"z": {"deep": true}})), r#"{"z":{"deep":true}}"#);
}

#[test]
fn objects_are_merged_and_keep_their_order() {
    assert_eq!(
        merged(r#"{"text":{"format":{"z":1,"a":2}},"x":1}"#, json!({"text": {"verbosity": "low"}})),
        r#"{"text":{"format":{"z":1,"a":2},"verbosity":"low"},"x":1}"#
    );
}
