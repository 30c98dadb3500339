use super::{Compiled, Matcher, compile, translate, validate};
use proptest::prelude::*;

const _: () = assert!(validate(r"^[A-Z]{3}-[0-9]{4}$").is_ok());
const _: () = assert!(validate(r"(?=a)").is_err());

#[test]
fn the_subset() {
    for good in [
        "",
        "a",
        "^a$",
        "a|b",
        "|a",
        "(a)",
        "(?:a|b)+?",
        "[a-z]",
        "[^a-z]",
        "[-a]",
        "[a-]",
        r"[\d-]",
        r"\d\w\s\D\W\S",
        r"a{2}",
        r"a{2,}",
        r"a{2,3}",
        r"a{2,3}?",
        r"\.",
        r"\u00e9",
        r"\x41",
        r"[\u0041-\u005a]",
        r"\p{Lu}",
        r"\P{L}",
        r"\p{Script=Greek}",
        "é",
        "[à-ü]",
        "[&&]",
        "[a~~b]",
        "[+--]",
        "[a-c-]",
        "[+--a]",
        r"\/",
        r"\$",
        "[.*+]",
        r"[\]]",
    ] {
        assert_eq!(validate(good), Ok(()), "{good}");
        assert!(!matches!(compile(good), Compiled::Nothing), "{good} {}", translate::translate(good));
    }
    for bad in [
        "(",
        ")",
        "[",
        "]",
        "[]",
        "[^]",
        "{",
        "}",
        "a{",
        "a{2",
        "a{,2}",
        "a{3,2}",
        "a{2000}",
        "*",
        "+a",
        "a**",
        "a{2}{3}",
        "^*",
        r"\b+",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        "(?<n>a)",
        "(?P<n>a)",
        "(?i)a",
        r"\1",
        r"\k<n>",
        r"\B",
        r"\",
        r"\q",
        r"\u12",
        r"\ud800",
        r"\u{41}",
        r"\xg1",
        "[z-a]",
        r"[\d-z]",
        "[[a]]",
        r"\p{Foo}",
        r"\pL",
        "a|*",
        r"\-",
        "((a{1000}){1000})",
    ] {
        assert!(validate(bad).is_err(), "{bad}");
    }
}

#[test]
fn means_what_ecma_means() {
    let matches = |source: &'static str, text: &str| Matcher::new(source).is_match(text);
    assert!(!matches(r"^\d$", "٣"));
    assert!(!matches(r"^\w$", "é"));
    assert!(matches(r"^\s$", "\u{feff}"));
    assert!(!matches(r"^\s$", "\u{85}"));
    assert!(!matches("^.$", "\u{2028}"));
    assert!(!matches("^a$", "a\n"));
    assert!(matches(r"^[\w.]+@[a&&b]+$", "x.y@a&b"));
    assert!(matches("[0-9]{3}", "ab123c"));
    assert!(matches("^[+--]$", ","));
    assert!(!matches("^[a-c-]$", "d"));
}

#[test]
fn plain_expressions_take_no_engine() {
    for source in [r"^[A-Z]{3}-[0-9]{4}$", r"^INV-\d{4}-\d{5}$", "^[a-f0-9]{40}$", r"^\.$"] {
        assert!(matches!(compile(source), Compiled::Steps(_)), "{source}");
    }
    for source in ["^a+$", "a", "^(a|b)$", "^é$", "^[^a]$", "^a?$", r"^a\$", "^[é]$"] {
        assert!(!matches!(compile(source), Compiled::Steps(_)), "{source}");
    }
}

fn sources() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "Z",
        "0",
        "é",
        "-",
        "^",
        "$",
        ".",
        "|",
        "(",
        "(?:",
        ")",
        "[",
        "[^",
        "]",
        "a-z",
        "0-9",
        "&&",
        "--",
        "~~",
        "\\",
        r"\d",
        r"\w",
        r"\S",
        r"\D",
        r"\.",
        r"\-",
        r"\]",
        r"\u00e9",
        r"\x2d",
        r"\p{Lu}",
        r"\p{Script=Han}",
        "*",
        "+",
        "?",
        "{2}",
        "{1,3}",
        "{2,}",
        "{",
        "}",
        ",",
        "/",
        " ",
        "#",
    ]);
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_accepted_compiles_and_matches_as_jsonschema_has_it(source in sources(), text in "[abZ0é. &~\\[\\]-]{0,4}") {
        if validate(&source).is_ok() {
            let compiled = compile(&source);
            prop_assert!(!matches!(compiled, Compiled::Nothing), "{}", source);
            let ours = match &compiled {
                Compiled::Steps(steps) => steps.is_match(&text),
                Compiled::Engine(regex) => regex.is_match(&text),
                Compiled::Nothing => false,
            };
            let schema = serde_json::json!({ "pattern": source });
            let theirs = jsonschema::validator_for(&schema);
            prop_assert!(theirs.is_ok(), "jsonschema refuses {}", source);
            prop_assert_eq!(ours, theirs.unwrap().is_valid(&text.clone().into()), "{:?} on {:?}", source, text);
        }
    }
}

#[test]
fn the_heaviest_that_is_accepted_compiles() {
    for source in [r"(?:\p{L}{9}){1}", "[a-zé]{800}", "(?:[^a]{30}){20}", "a{1000}", r"\w{800}", r".{900}"] {
        if validate(source).is_ok() {
            assert!(!matches!(compile(source), Compiled::Nothing), "{source}");
        }
    }
}
