use super::*;

#[test]
fn no_text_closes_its_own_block() {
    let block = |text: &str| data_block("letter", text);
    assert_eq!(block("Hi"), "<letter>\nHi\n</letter>");
    // Models read marks of any case, and with more behind the name.
    for closing in ["</letter>", "</LETTER>", "</Letter >", "</letters>", "</letter", "a</letter></letter>b"] {
        let inside = block(closing);
        let inside = inside.strip_prefix("<letter>\n").and_then(|rest| rest.strip_suffix("\n</letter>")).unwrap();
        assert!(!inside.to_lowercase().contains("</letter"), "{inside}");
        assert_eq!(inside.replace('\u{2060}', ""), closing, "nothing else may change");
    }
    let other = "</b> < /letter> <letter> </lettre> </ü";
    assert_eq!(block(other), format!("<letter>\n{other}\n</letter>"));
}

#[test]
fn a_name_is_one_of_a_mark() {
    assert_eq!(data_block("a b<c>/d-1_ü", "x"), "<abcd-1_ü>\nx\n</abcd-1_ü>");
    assert_eq!(data_block(" <>", "</data>"), "<data>\n<\u{2060}/data>\n</data>");
}
