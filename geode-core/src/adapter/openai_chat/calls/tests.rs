use super::Calls;
use crate::adapter::settle::Turn;
use crate::request::Request;

type Piece<'a> = (Option<u64>, &'a str, &'a str, &'a str);

/// The calls that pieces (index, id, name, arguments) come to, as `id=name(arguments)`.
fn put_together(pieces: &[Piece<'_>]) -> Option<Vec<String>> {
    let mut calls = Calls::default();
    for (index, id, name, arguments) in pieces {
        calls.push(*index, (*id).to_owned(), name, arguments)?;
    }
    let mut tool_uses = Vec::new();
    calls.finish(&Turn::of(&Request::default()), &mut tool_uses);
    Some(tool_uses.into_iter().map(|call| format!("{}={}({})", call.id, call.name, call.input)).collect())
}

#[test]
fn pieces_go_to_their_call() {
    let both = Some(vec!["a=f({1})".to_owned(), "b=g({2})".to_owned()]);
    let cases: [(&str, &[Piece<'_>]); 5] = [
        (
            "by index",
            &[(Some(0), "a", "f", "{"), (Some(1), "b", "g", "{"), (Some(0), "", "", "1}"), (Some(1), "", "", "2}")],
        ),
        ("by id under one index", &[(Some(0), "a", "f", "{1}"), (Some(0), "b", "g", "{2}")]),
        ("by id alone", &[(None, "a", "f", "{"), (None, "b", "g", "{"), (None, "a", "", "1}"), (None, "b", "", "2}")]),
        (
            "one after another",
            &[(None, "a", "f", "{"), (None, "", "", "1}"), (None, "b", "g", "{2"), (None, "", "", "}")],
        ),
        ("id repeated", &[(Some(0), "a", "f", "{"), (Some(0), "a", "f", "1}"), (Some(1), "b", "g", "{2}")]),
    ];
    for (how, pieces) in cases {
        assert_eq!(put_together(pieces), both, "{how}");
    }
}

#[test]
fn calls_without_ids_get_some() {
    let pieces = [(None, "", "f", "{}"), (None, "", "f", "{}"), (None, "", "g", "")];
    let wanted = ["call_0_0=f({})", "call_0_1=f({})", "call_0_2=g()"];
    assert_eq!(put_together(&pieces).unwrap(), wanted);
}

#[test]
fn arguments_of_no_call_belong_nowhere() {
    assert_eq!(put_together(&[(Some(0), "", "", "{}")]), None);
    assert_eq!(put_together(&[(Some(0), "a", "f", "{}"), (Some(1), "", "", "{}")]), None);
}
