use super::{Place, ReadOptions, Reader};
use crate::report::{Code, Report};
use crate::shape::{Edge, Field, Limit, Shape};
use proptest::prelude::*;

/// Whether the text is one JSON value, whatever its shape.
fn check(text: &str) -> Result<(), Report> {
    let mut reader = Reader::new(text, ReadOptions::default());
    if text.starts_with('\u{feff}') {
        reader.at = 3;
    }
    reader.skip();
    reader.end();
    if reader.faults.is_empty() { Ok(()) } else { Err(reader.report()) }
}

#[test]
fn accepts_what_is_json() {
    for text in [
        "[]",
        "[ ]",
        "{}",
        " {} ",
        "[[]]",
        "[[],[]]",
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "12",
        "1.5",
        "1e5",
        "1E+5",
        "1e-5",
        "0e1",
        "0.0e+01",
        "123456789012345678901234567890",
        "-1.5E-10",
        "\"\"",
        "\"a\"",
        "\"\\\"\"",
        r#""\\""#,
        r#""\/\b\f\n\r\t""#,
        r#""\u0041""#,
        r#""\uD834\uDD1E""#,
        r#""\u0000""#,
        "\"\u{7f}\"",
        "\"\u{2028}\u{2029}\"",
        "\"€😀\"",
        r#"{"a":1}"#,
        r#"{"":0}"#,
        r#"{"a":{"b":[1,2,{"c":null}]}}"#,
        "\t[\n1\r]\t",
        r#"{"a":1,"b":2}"#,
        "[1,\n2]",
        "[null,true,false,\"x\",{}]",
        r#"{"\u0061":1}"#,
        "1e400",
        "[-0]",
        "\"\u{10ffff}\"",
        "{\"a\" : 1 , \"b\":[ ]}",
    ] {
        assert!(check(text).is_ok(), "{text}: {}", check(text).unwrap_err());
    }
}

#[test]
fn refuses_what_is_not() {
    for text in [
        "",
        " ",
        "[",
        "]",
        "{",
        "}",
        "[1",
        "[1,",
        "[,1]",
        "[1,]",
        "[1,,2]",
        "[1 2]",
        "[1:2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\" 1}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1,,\"b\":2}",
        "nul",
        "nulll",
        "True",
        "tru",
        "NaN",
        "Infinity",
        "-Infinity",
        "+1",
        "01",
        "-01",
        "00",
        "1.",
        ".1",
        "-.1",
        "1e",
        "1e+",
        "1.e1",
        "1.5.5",
        "0x10",
        "1_000",
        "-",
        "--1",
        "1-",
        "\"",
        "\"a",
        "\"\\",
        "\"\\\"",
        "'a'",
        r#""\x41""#,
        r#""\a""#,
        r#""\u12""#,
        r#""\u12G4""#,
        r#""\uD800""#,
        r#""\uDC00""#,
        r#""\uD800\uD800""#,
        r#""\uD800\n""#,
        "\"\n\"",
        "\"\t\"",
        "\"\u{0}\"",
        "\"\u{1f}\"",
        "[] []",
        "{}{}",
        "1 2",
        "[]x",
        "\u{b}1",
        "\u{a0}1",
        "\u{2028}1",
        "[1]\u{c}",
        "// a\n1",
        "/* a */1",
        "[1]#",
        "\u{0}",
        "[\u{feff}1]",
        "1\u{feff}",
        "{\"a\":1}.\"\n}",
        "\\u0031",
        "[\"a\",\n4\n,1,",
        "{\"a\":\"b\",\"a",
        "🙂",
        "\"\\🌀\"",
        "[\u{0}]",
    ] {
        assert!(check(text).is_err(), "{text}");
    }
}

#[test]
fn depth_is_a_violation_and_no_overflow() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"kids\":", "}]")] {
        for closed in [false, true] {
            let mut text = open.repeat(100_000);
            if closed {
                text.push('1');
                text.push_str(&close.repeat(100_000));
            }
            let report = check(&text).unwrap_err();
            assert_eq!(report.violations()[0].code(), Code::Depth);
        }
    }
    let fits = format!("{}{}", "[".repeat(128), "]".repeat(128));
    assert!(check(&fits).is_ok());
}

#[test]
fn a_byte_order_mark_may_lead() {
    assert!(check("\u{feff}[]").is_ok());
    assert!(check("\u{feff}\u{feff}[]").is_err());
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\":", "1", "0", "-", ".", "e", "E", "+", "true", "false",
            "null", " ", "\n", "\t", "\r", "\\", "\\u", "\\n", "d83d", "\\ud83d\\ude00", "00", "9", "x", "é", "\u{1}",
        ]).prop_map(str::to_owned),
        1 => "[ -~]{0,3}",
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<f64>().prop_map(|x| if x.is_finite() { x.into() } else { 0.into() }),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..5)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// The one difference to serde_json where only the grammar counts: a number too large for a double is JSON.
fn agrees(text: &str) -> bool {
    match (check(text), serde_json::from_str::<serde_json::Value>(text)) {
        (Ok(()), Ok(_)) | (Err(_), Err(_)) => true,
        (Ok(()), Err(error)) => error.to_string().contains("number out of range"),
        (Err(_), Ok(_)) => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_serde_json_on_any_text(text in texts()) {
        prop_assert!(agrees(&text), "{text}");
    }

    #[test]
    fn agrees_with_serde_json_on_damaged_json(value in values(), at: prop::sample::Index, with in texts(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert!(check(&text).is_ok(), "{text}");
        let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let cut = cuts[at.index(cuts.len())];
        for damaged in [text[..cut].to_owned(), format!("{}{}{}", &text[..cut], with, &text[cut..])] {
            prop_assert!(agrees(&damaged), "{damaged}");
        }
    }

    #[test]
    fn decimals_are_the_nearest_doubles(text in r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,8})?([eE][+-]?[0-9])?", behind in "[ \n]{0,9}") {
        let real: f64 = text.parse().unwrap();
        prop_assert_eq!(crate::from_str::<f64>(&format!("{text}{behind}")).unwrap().to_bits(), real.to_bits());
    }

    #[test]
    fn scalars_are_serde_jsons(real: f64, integer: i64, text: String) {
        prop_assume!(real.is_finite());
        prop_assert_eq!(crate::from_str::<f64>(&serde_json::to_string(&real).unwrap()).unwrap(), real);
        prop_assert_eq!(crate::from_str::<i64>(&serde_json::to_string(&integer).unwrap()).unwrap(), integer);
        let written = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(&crate::from_str::<String>(&written).unwrap(), &text);
        prop_assert_eq!(&serde_json::from_str::<String>(&crate::to_string(&text)).unwrap(), &text);
        prop_assert_eq!(crate::from_str::<f64>(&crate::to_string(&real)).unwrap(), real);
    }
}

#[test]
fn names_of_any_length_are_told_apart_in_any_order_and_layout() {
    let slots = || [(); 3].map(|()| Place::<u8, false>::empty());
    for length in 1..40 {
        let name = |last: char| format!("{}{last}", "n".repeat(length - 1));
        let names = [name('a'), name('b'), format!("{}x", name('a'))];
        let field = |name: &String| {
            Field::new(
                name.clone().leak(),
                Edge::Eager(&Shape::Integer { minimum: Limit::Integer(0), maximum: Limit::Integer(255) }),
            )
        };
        let fields: &'static [Field] = names.iter().map(field).collect::<Vec<_>>().leak();
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]] {
            for (open, colon, comma) in
                [("", ":", ","), (" ", ": ", ", "), ("\n  ", ": ", ",\n  "), ("\r\n", "\t:\t", " , ")]
            {
                let member = |index: &usize| format!("\"{}\"{colon}{index}", names[*index]);
                let members: Vec<String> = order.iter().map(member).collect();
                let text = format!("{{{open}{}{open}}}", members.join(comma));
                let mut reader = Reader::new(&text, ReadOptions::default());
                let [mut a, mut b, mut c] = slots();
                reader.fill(fields, &mut [&mut a, &mut b, &mut c]);
                reader.end();
                let values = [a, b, c].map(Place::into_inner);
                assert_eq!((values, reader.count()), ([Some(0), Some(1), Some(2)], 0), "{text}");
            }
        }
        let read = |members: &[(&String, u8)]| {
            let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
            let text = format!("{{{}}}", members.join(","));
            let mut reader = Reader::new(&text, ReadOptions::default());
            let [mut a, mut b, mut c] = slots();
            reader.fill(fields, &mut [&mut a, &mut b, &mut c]);
            ([a, b, c].map(Place::into_inner), reader.count())
        };
        // one unknown, one repeated
        let all = read(&[(&names[0], 0), (&name('c'), 1), (&names[0], 2), (&names[1], 3), (&names[2], 4)]);
        assert_eq!(all, ([Some(0), Some(3), Some(4)], 2), "{names:?}");
        // two missing, too: the object is given up
        assert_eq!(read(&[(&names[0], 0), (&name('c'), 1), (&names[0], 2)]), ([None; 3], 4), "{names:?}");
    }
}
