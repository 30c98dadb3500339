use super::{Reading, json_in, read_in};
use crate::json::{ReadOptions, Reader};
use crate::report::Report;

#[track_caller]
fn reads(reading: Reading, text: &str, json: &str, notes: usize) {
    let mut used = Vec::new();
    assert_eq!(json_in(text, reading, &mut used).unwrap(), json);
    assert_eq!(used.len(), notes, "{used:?}");
}

#[track_caller]
fn refuses(reading: Reading, text: &str) {
    assert!(json_in(text, reading, &mut Vec::new()).is_err(), "{text:?} was read");
}

#[test]
fn strict_takes_the_text_whole() {
    reads(Reading::Strict, "\u{feff} \r\n{\"a\":1}\n\t ", "{\"a\":1}", 1);
    // What follows is for the parser to refuse: the text is not touched.
    reads(Reading::Strict, "```json\n{\"a\":1}\n```", "```json\n{\"a\":1}\n```", 0);
    reads(Reading::Strict, "Sure! {\"a\":1}", "Sure! {\"a\":1}", 0);
    // A no-break space is no JSON whitespace.
    reads(Reading::Strict, "\u{a0}{}", "\u{a0}{}", 0);
}

#[test]
fn a_byte_order_mark_stands_in_front_of_the_text_or_nowhere() {
    for text in
        ["\u{feff}\u{feff}[1]", "```\n\u{feff}[1]\n```", "\u{feff}```\n\u{feff}[1]", "<think></think>\u{feff}[1]"]
    {
        refuses(Reading::Fenced, text);
    }
    reads(Reading::Fenced, "\u{feff}```\n[1]\n```", "[1]", 2);
}

#[test]
fn fences() {
    for text in ["```json\n{\"a\":1}\n```", "```\n{\"a\":1}\n```\n", "```json\n{\"a\":1}\n", "```json\n{\"a\":1}```"] {
        reads(Reading::Fenced, text, "{\"a\":1}", 1);
    }
    // A fence may be closed by a longer one.
    reads(Reading::Fenced, "```json\n{\"a\":1}\n````\n", "{\"a\":1}", 1);
    let inner = "{\"s\":\"use ```json fences\"}";
    reads(Reading::Fenced, &format!("```json\n{inner}\n```"), inner, 1);
    reads(Reading::Fenced, "{\"a\":1}", "{\"a\":1}", 0);
    refuses(Reading::Fenced, "```");
    refuses(Reading::Fenced, "```python\nprint({})\n```\n```json\n{\"a\":1}\n```");
    refuses(Reading::Fenced, "```json\n{\"a\":1}\n```\nSee above.");
    refuses(Reading::Fenced, "```json\n{\"a\":1}\n``` See above.");
    refuses(Reading::Fenced, "```json\n{\"a\":1}\n``` {\"a\":2}\n```");
}

#[test]
fn reasoning_in_front() {
    reads(Reading::Fenced, "<think>{\"a\":0}?</think>\n{\"a\":1}", "{\"a\":1}", 1);
    reads(Reading::Fenced, "<think>no</think>\n```json\n{\"a\":1}\n```", "{\"a\":1}", 2);
    reads(Reading::Strict, "<think></think>{}", "<think></think>{}", 0);
    // Never closed: nothing is stripped, so that the parser refuses it.
    reads(Reading::Fenced, "<think>{\"a\":1}", "<think>{\"a\":1}", 0);
}

#[test]
fn one_object_amid_prose() {
    for text in
        ["Result: {\"a\": 1}. Note [1].", "{\"a\": 1}\n\nReferences: [1]", "Use {name}: {\"a\": 1}", "{{\"a\": 1}"]
    {
        reads(Reading::Prose, text, "{\"a\": 1}", 1);
    }
    reads(Reading::Prose, "{\"a\": 1}", "{\"a\": 1}", 0);
    let tricky = "{\"s\":\"a } b \\\" } c\",\"o\":{\"p\":[{}]}}";
    reads(Reading::Prose, &format!("It's \"this\": {tricky} – done"), tricky, 1);
}

#[test]
fn two_candidates_are_refused() {
    refuses(Reading::Prose, "{\"a\":1}\n{\"a\":2}");
    refuses(Reading::Prose, "{\"a\":1}{\"a\":1}");
    refuses(Reading::Prose, "first {\"a\":1}, then {}");
}

#[test]
fn an_open_object_is_refused_with_all_in_it() {
    refuses(Reading::Prose, "Here: {\"a\": {\"b\": 1}");
    refuses(Reading::Prose, "{\"a\": \"}");
    refuses(Reading::Prose, "no object at all");
}

#[test]
fn nothing_panics() {
    for text in ["", "{", "```", "````", "```\n```", "<think>", "{\u{e9}", "\u{feff}", "```\u{1f600}\n\u{1f600}```"] {
        for reading in [Reading::Strict, Reading::Fenced, Reading::Prose, Reading::Lenient] {
            let _ = json_in(text, reading, &mut Vec::new());
            let _ = read_in(text, reading, &mut Vec::new(), numbers);
        }
    }
}

/// Reads a text as a list of numbers.
fn numbers(json: &str) -> Result<Vec<u32>, Report> {
    Reader::read(json, &ReadOptions::default())
}

#[track_caller]
fn mends(json: &str, value: &[u32], pointers: &[&str]) {
    let mut used = Vec::new();
    assert!(numbers(json).is_err(), "{json} is valid as it is");
    assert!(read_in(json, Reading::Prose, &mut used, numbers).is_err());
    assert_eq!(read_in(json, Reading::Lenient, &mut used, numbers).unwrap(), value);
    assert_eq!(used.iter().map(|note| note.pointer.as_str()).collect::<Vec<_>>(), pointers);
}

#[test]
fn json_in_a_string_is_taken_out_where_no_string_can_be() {
    mends(r#"["600", 7, " 8\n"]"#, &[600, 7, 8], &["/0", "/2"]);
    mends(r#""[1, 2]""#, &[1, 2], &[""]);
}

#[test]
fn what_is_still_wrong_is_refused_as_it_came() {
    for json in [r#"["600", -1]"#, r#"["x"]"#, r#"["\"1\""]"#, r#"["1 2"]"#, r#""[\"1\"]""#, r#"["1"#, "[\"\n1\"] ]"] {
        let mut used = Vec::new();
        let report = read_in(json, Reading::Lenient, &mut used, numbers).unwrap_err();
        assert_eq!((report, used.len()), (numbers(json).unwrap_err(), 0), "{json}");
    }
}

#[test]
fn control_characters_are_mended_in_strings_alone() {
    let read = |json: &str| Reader::read::<Vec<String>>(json, &ReadOptions::default());
    let mut used = Vec::new();
    let json = "[\"a\nb\tc\u{0}\",\n\t\"\\\\\", \"\\\"\r\"]";
    let value = read_in(json, Reading::Lenient, &mut used, read).unwrap();
    assert_eq!((value, used.len()), (vec!["a\nb\tc\0".to_owned(), "\\".to_owned(), "\"\r".to_owned()], 1));
    // behind a backslash it is a broken escape
    assert!(read_in("[\"a\\\nb\"]", Reading::Lenient, &mut used, read).is_err());
    let json = "[\"\n1\"]";
    assert_eq!(read_in(json, Reading::Lenient, &mut used, numbers).unwrap(), [1]);
}
