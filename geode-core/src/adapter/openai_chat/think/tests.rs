use super::ThinkFilter;

/// What is left of text that comes in these pieces, and whether anything was noted.
fn filtered(pieces: &[&str]) -> (String, bool) {
    let mut filter = ThinkFilter::new(true);
    let mut notes = Vec::new();
    let mut left: String = pieces.iter().map(|piece| filter.push((*piece).to_owned())).collect();
    left += &filter.finish(&mut notes);
    (left, !notes.is_empty())
}

#[test]
fn one_block_at_the_start_is_left_out_wherever_the_text_is_cut() {
    let text = " <think>é {\"a\": \"</thin\"}</think>\n\n{\"s\":\"<think>x</think>\"}";
    let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for first in &cuts {
        for second in cuts.iter().filter(|second| second >= &first) {
            let pieces = [&text[..*first], &text[*first..*second], &text[*second..]];
            assert_eq!(filtered(&pieces), ("{\"s\":\"<think>x</think>\"}".to_owned(), false), "{pieces:?}");
        }
    }
}

#[test]
fn other_text_is_left_as_it_is() {
    for text in ["", "  ", "<thin", "<thinker>", "x <think>y</think>", " {\"a\":1}\n"] {
        let one_by_one: Vec<String> = text.chars().map(String::from).collect();
        let one_by_one: Vec<&str> = one_by_one.iter().map(String::as_str).collect();
        assert_eq!(filtered(&one_by_one), (text.to_owned(), false), "{text:?}");
    }
}

#[test]
fn text_that_is_nothing_but_a_block_is_noted() {
    assert_eq!(filtered(&["<think>I was cut"]), (String::new(), true));
    assert_eq!(filtered(&["<think>done</think>\n"]), (String::new(), true));
}

#[test]
fn a_filter_that_is_off_passes_all() {
    let mut filter = ThinkFilter::new(false);
    assert_eq!(filter.push("<think>x</think>".to_owned()), "<think>x</think>");
}
