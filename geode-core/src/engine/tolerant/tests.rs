use super::{Reading, json_in};

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
    reads(Reading::Strict, "\u{feff} \r\n{\"a\":1}\n\t ", "{\"a\":1}", 0);
    // What follows is for the parser to refuse: the text is not touched.
    reads(Reading::Strict, "```json\n{\"a\":1}\n```", "```json\n{\"a\":1}\n```", 0);
    reads(Reading::Strict, "Sure! {\"a\":1}", "Sure! {\"a\":1}", 0);
    // A no-break space is no JSON whitespace.
    reads(Reading::Strict, "\u{a0}{}", "\u{a0}{}", 0);
}

#[test]
fn fences() {
    for text in ["```json\n{\"a\":1}\n```", "```\n{\"a\":1}\n```\n", "```json\n{\"a\":1}\n", "```json\n{\"a\":1}```"] {
        reads(Reading::Fenced, text, "{\"a\":1}", 1);
    }
    let inner = "{\"s\":\"use ```json fences\"}";
    reads(Reading::Fenced, &format!("```json\n{inner}\n```"), inner, 1);
    reads(Reading::Fenced, "{\"a\":1}", "{\"a\":1}", 0);
    refuses(Reading::Fenced, "```");
    refuses(Reading::Fenced, "```python\nprint({})\n```\n```json\n{\"a\":1}\n```");
    refuses(Reading::Fenced, "```json\n{\"a\":1}\n```\nSee above.");
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
        for reading in [Reading::Strict, Reading::Fenced, Reading::Prose] {
            let _ = json_in(text, reading, &mut Vec::new());
        }
    }
}
