//! However a text is cut, the push parser comes to the same tree and the same verdict.

use geode::json::stream::{Preview, PreviewKind, PushParser, State, StreamError};
use proptest::prelude::*;
use serde_json::Value;

/// The preview as a value, for comparison.
fn value(preview: Preview<'_>) -> Value {
    match preview.kind() {
        PreviewKind::Null => Value::Null,
        PreviewKind::Boolean => preview.as_bool().into(),
        // a number beyond f64 is for the reader to refuse
        PreviewKind::Number => serde_json::from_str(preview.as_number().unwrap()).unwrap_or_default(),
        PreviewKind::String => preview.as_str().into(),
        PreviewKind::Array => preview.elements().map(value).collect(),
        PreviewKind::Object => {
            Value::Object(preview.members().map(|(key, member)| (key.to_owned(), value(member))).collect())
        }
        _ => unreachable!(),
    }
}

fn parse(pieces: &[&[u8]]) -> Result<Value, StreamError> {
    let mut parser = PushParser::new();
    for piece in pieces {
        parser.push(piece)?;
    }
    parser.finish()?;
    let root = parser.preview().unwrap();
    assert_eq!(root.state(), State::Done);
    Ok(value(root))
}

/// What the verdict is, and where.
fn place(verdict: Result<Value, StreamError>) -> Result<Value, String> {
    verdict.map_err(|error| match &error {
        StreamError::Invalid(violation) => serde_json::to_string(violation).unwrap(),
        other => other.to_string(),
    })
}

fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![".{0,12}", r#"[a-z"\\/\n\t\x{0}-\x{1f}é𝄞]{0,12}"#];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The text in one of several spellings: compact, pretty, and with all that is not ASCII escaped.
fn spelled(value: &Value, spelling: u8) -> String {
    match spelling {
        0 => value.to_string(),
        1 => serde_json::to_string_pretty(value).unwrap(),
        _ => {
            let mut text = String::new();
            for character in value.to_string().chars() {
                if character.is_ascii() {
                    text.push(character);
                } else {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        text.push_str(&format!("\\u{unit:04x}"));
                    }
                }
            }
            text
        }
    }
}

/// Cuts `bytes` at the given places.
fn cut<'a>(bytes: &'a [u8], places: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut ends: Vec<usize> = places.iter().map(|place| place.index(bytes.len() + 1)).collect();
    ends.sort_unstable();
    ends.push(bytes.len());
    let mut start = 0;
    ends.into_iter().map(|end| &bytes[std::mem::replace(&mut start, end)..end]).collect()
}

proptest! {
    #[test]
    fn a_valid_text_gives_what_serde_json_gives(
        value in json(),
        spelling in 0..3u8,
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let text = spelled(&value, spelling);
        prop_assert_eq!(&parse(&cut(text.as_bytes(), &places)).unwrap(), &value);
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        prop_assert_eq!(&parse(&bytes).unwrap(), &value);
    }

    #[test]
    fn a_damaged_text_gets_the_same_verdict_however_it_is_cut(
        value in json(),
        spelling in 0..3u8,
        at in any::<prop::sample::Index>(),
        damage in prop::collection::vec(any::<u8>(), 0..3),
        remove in 0..3usize,
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let mut bytes = spelled(&value, spelling).into_bytes();
        let at = at.index(bytes.len());
        let end = (at + remove).min(bytes.len());
        bytes.splice(at..end, damage);
        let whole = place(parse(&[&bytes]));
        prop_assert_eq!(place(parse(&cut(&bytes, &places))), whole.clone());
        prop_assert_eq!(place(parse(&bytes.chunks(1).collect::<Vec<_>>())), whole.clone());
        match serde_json::from_slice::<Value>(&bytes) {
            Ok(value) => prop_assert_eq!(whole.unwrap(), value),
            Err(error) => prop_assert!(whole.is_err() || error.to_string().contains("out of range"), "{error}"),
        }
    }

    #[test]
    fn a_preview_only_ever_grows(value in json(), spelling in 0..3u8) {
        let text = spelled(&value, spelling);
        let mut parser = PushParser::new();
        let mut before = Value::Null;
        for (index, byte) in text.as_bytes().iter().enumerate() {
            parser.push(&[*byte]).unwrap();
            if let Some(root) = parser.preview() {
                let now = self::value(root);
                prop_assert!(index == 0 || grows(&before, &now), "{before} then {now}");
                prop_assert!(grows(&now, &value), "{now} is no part of {value}");
                before = now;
            }
        }
    }
}

/// Whether `late` is what `early` can become while a text comes.
fn grows(early: &Value, late: &Value) -> bool {
    match (early, late) {
        (Value::String(early), Value::String(late)) => late.starts_with(early.as_str()),
        (Value::Array(early), Value::Array(late)) => {
            early.len() <= late.len() && early.iter().zip(late).all(|(early, late)| grows(early, late))
        }
        (Value::Object(early), Value::Object(late)) => {
            early.iter().all(|(key, early)| late.get(key).is_some_and(|late| grows(early, late)))
        }
        (Value::Null, _) => true,
        (early, late) => early == late,
    }
}

#[test]
fn unfinished_scalars_are_absent_and_strings_grow() {
    let mut parser = PushParser::new();
    let mut shown = Vec::new();
    for piece in [r#"{"n": 12"#, r#"3, "t": tr"#, r#"ue, "s": "a\u00e"#, r#"9b"#, r#"", "l": [nul"#, "l]}"] {
        parser.push(piece.as_bytes()).unwrap();
        let root = parser.preview().unwrap();
        let strings = root.get("/s").map(|text| text.state());
        shown.push((value(root).to_string(), strings));
    }
    let expected = [
        (r#"{}"#, None),
        (r#"{"n":123}"#, None),
        (r#"{"n":123,"s":"a","t":true}"#, Some(State::Growing)),
        (r#"{"n":123,"s":"aéb","t":true}"#, Some(State::Growing)),
        (r#"{"l":[],"n":123,"s":"aéb","t":true}"#, Some(State::Done)),
        (r#"{"l":[null],"n":123,"s":"aéb","t":true}"#, Some(State::Done)),
    ];
    assert_eq!(shown, expected.map(|(text, state)| (text.to_owned(), state)));
}

#[test]
fn pointers_reach_members_and_elements() {
    let mut parser = PushParser::new();
    parser.push_str(r#"{"a/b": [1, {"~": "x"#).unwrap();
    let root = parser.preview().unwrap();
    assert_eq!(root.get("/a~1b/1/~0").and_then(|value| value.as_str()), Some("x"));
    assert_eq!(root.get("/a~1b/0").and_then(|value| value.as_i64()), Some(1));
    assert!(root.get("/a~1b/2").is_none());
    assert!(root.get("/a~1b/00").is_none());
    assert!(root.get("a~1b").is_none());
}

#[test]
fn depth_is_limited() {
    let mut parser = PushParser::new();
    let error = parser.push("[".repeat(1_000_000).as_bytes()).unwrap_err();
    assert!(error.to_string().contains("Depth"), "{error}");
    assert!(parse(&["[".repeat(128).as_bytes(), "]".repeat(128).as_bytes()]).is_ok());
}

#[test]
fn size_is_limited() {
    let mut parser = PushParser::new().max_bytes(1 << 20);
    let space = " ".repeat(1000);
    let error = (0..200_000).find_map(|_| parser.push(space.as_bytes()).err());
    assert_eq!(error, Some(StreamError::TooLarge { limit: 1 << 20 }));
    assert!(parser.text().len() <= 1 << 20);
    assert!(parser.push(b" ").is_err(), "it stays failed");
}

#[test]
fn lone_surrogates_and_control_characters_are_refused() {
    for text in [r#""\ud800""#, r#""\ud800\u0041""#, r#""\udc00""#, r#""\ud800\n""#, "\"\u{1}\"", "\"\n\""] {
        assert!(parse(&[text.as_bytes()]).is_err(), "{text:?}");
    }
    assert_eq!(parse(&[br#""\uD834"#, br#"\uDD1E""#]).unwrap(), Value::from("𝄞"));
}

#[test]
fn debug_shows_no_content() {
    let mut parser = PushParser::new();
    parser.push_str(r#"{"password": "hunter2"#).unwrap();
    let shown = format!("{parser:?} {:?}", parser.preview());
    assert!(!shown.contains("hunter") && !shown.contains("password"), "{shown}");
}
