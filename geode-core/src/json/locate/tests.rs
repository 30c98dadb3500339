use super::Walk;
use proptest::prelude::*;
use serde_json::Value;

/// The pointer that the walk gives the place marked by `^`.
fn pointer(text: &str) -> String {
    let (before, behind) = text.split_once('^').unwrap();
    Walk::new(&[before, behind].concat()).pointer(before.len())
}

#[test]
fn a_place_in_a_value_is_the_value() {
    assert_eq!(pointer("^[1]"), "");
    assert_eq!(pointer(r#"{"a": ^{"b": 1}}"#), "/a");
    assert_eq!(pointer(r#"{"a": {"b": ^1}}"#), "/a/b");
    assert_eq!(pointer(r#"{"a": [0, [], "x^y"]}"#), "/a/2");
    assert_eq!(pointer(r#"[{"a,}": "]"}, {"b": [[], 12^34"#), "/1/b/1");
    assert_eq!(pointer(r#"{"a/b": {"~\"c": ^1}}"#), "/a~1b/~0\"c");
    assert_eq!(pointer("\u{feff} [1, ^2"), "/1");
    // where a value is to come
    assert_eq!(pointer("[1, ^]"), "/1");
    assert_eq!(pointer("{\"a\" : ^}"), "/a");
    assert_eq!(pointer("[^"), "/0");
}

#[test]
fn a_place_between_values_is_what_is_around_them() {
    assert_eq!(pointer("[1 ^2]"), "");
    assert_eq!(pointer("[[1, {\"b\": 2}^"), "/0");
    assert_eq!(pointer(r#"{"a": [1], "b": {"c": "d"^"#), "/b");
    assert_eq!(pointer(r#"{"a": {"b"^ 1}}"#), "/a");
    assert_eq!(pointer(r#"{"a": {"b": 1, "c^"#), "/a");
    assert_eq!(pointer(r#"{"a": {^,}}"#), "/a");
    assert_eq!(pointer("[1] ^2"), "");
}

#[test]
fn places_are_asked_for_in_order_and_again() {
    let text = r#"{"a": [1, 2], "b": 3}"#;
    let mut walk = Walk::new(text);
    let pointers = [0, 6, 7, 7, 10, 19].map(|at| walk.pointer(at));
    assert_eq!(pointers, ["", "/a", "/a/0", "/a/0", "/a/1", "/b"]);
}

/// Writes a value and notes where it and what is in it stands.
fn write(value: &Value, pointer: &str, white: &str, text: &mut String, places: &mut Vec<(usize, String)>) {
    text.push_str(white);
    places.push((text.len(), pointer.to_owned()));
    match value {
        Value::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                write(element, &format!("{pointer}/{index}"), white, text, places);
            }
            text.push_str(white);
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                *text += &format!("{white}{}{white}:", Value::from(name.as_str()));
                let name = name.replace('~', "~0").replace('/', "~1");
                write(member, &format!("{pointer}/{name}"), white, text, places);
            }
            text.push_str(white);
            text.push('}');
        }
        scalar => *text += &scalar.to_string(),
    }
}

fn values() -> impl Strategy<Value = Value> {
    let words = "[a~/\"\\\\{}\\[\\],: é]{0,5}";
    let scalars = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i16>().prop_map(Value::from),
        words.prop_map(Value::from)
    ];
    scalars.prop_recursive(4, 30, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map(words, inner, 0..5).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_has_its_pointer(value in values(), white in "[ \n]{0,9}") {
        let (mut text, mut places) = (String::new(), Vec::new());
        write(&value, "", &white, &mut text, &mut places);
        let mut walk = Walk::new(&text);
        for (at, pointer) in places {
            prop_assert_eq!(walk.pointer(at), pointer, "at {} of {}", at, text);
        }
    }
}
