//! The push parser: a text means the same however it is cut, it takes what `serde_json` takes, and it never fails on
//! what the reader would accept.

use geode::StructuredOutput;
use geode::json::ReadOptions;
use geode::json::stream::{Preview, PreviewKind, PushParser, StreamError};
use serde_json::{Map, Number, Value};

use super::types::{Event, Ticket, Wide};

/// One round. The first bytes say where the rest is cut.
pub fn run(data: &[u8]) {
    let Some((cuts, text)) = data.split_at_checked(4) else { return };
    let whole = parsed(PushParser::new(), [text]);
    assert_eq!(whole, parsed(PushParser::new(), pieces(cuts, text)), "cut otherwise");

    if let Ok(text) = std::str::from_utf8(text)
        && let Ok(value) = serde_json::from_str::<Value>(text)
    {
        match &whole {
            Ok(Some(ours)) => assert_eq!(*ours, nearest(&value), "another value"),
            Ok(None) => panic!("no value"),
            // serde_json keeps the last of repeated names; so does the preview, and the reader refuses them.
            Err(error) => panic!("serde_json takes it: {error}"),
        }
    } else if let Ok(text) = std::str::from_utf8(text)
        && !text.starts_with('\u{feff}')
        && let Ok(value) = &whole
    {
        // `serde_json` refuses numbers beyond `f64`.
        let infinite = |text: &str| text.contains(['e', 'E']) || text.len() > 300;
        assert!(infinite(text), "serde_json refuses what became {value:?}");
    }
    held::<Ticket>(cuts, text);
    held::<Wide>(cuts, text);
    held::<Event>(cuts, text);
}

fn pieces<'d>(cuts: &'d [u8], text: &'d [u8]) -> Vec<&'d [u8]> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut sizes = cuts.iter().cycle();
    while !rest.is_empty() {
        let size = usize::from(sizes.next().map_or(1, |cut| cut % 9)).max(1).min(rest.len());
        let (piece, behind) = rest.split_at(size);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn parsed<'d>(
    mut parser: PushParser,
    pieces: impl IntoIterator<Item = &'d [u8]>,
) -> Result<Option<Value>, StreamError> {
    for piece in pieces {
        parser.push(piece)?;
        // A preview at any time.
        let _ = parser.preview().map(value);
    }
    parser.finish()?;
    Ok(parser.preview().map(value))
}

/// What the reader accepts, the checking parser has not refused; and its verdict does not depend on the cuts.
fn held<T: StructuredOutput>(cuts: &[u8], text: &[u8]) {
    let options = ReadOptions::default();
    let whole = parsed(PushParser::for_shape(T::SHAPE, &options), [text]);
    let cut = parsed(PushParser::for_shape(T::SHAPE, &options), pieces(cuts, text));
    assert_eq!(whole.is_ok(), cut.is_ok(), "{whole:?} and {cut:?}");
    if geode::from_slice::<T>(text).is_ok() {
        assert!(whole.is_ok(), "refused: {whole:?}");
    }
}

fn value(preview: Preview<'_>) -> Value {
    match preview.kind() {
        PreviewKind::Boolean => Value::Bool(preview.as_bool().unwrap_or_default()),
        PreviewKind::Number => preview.as_f64().and_then(Number::from_f64).map_or(Value::Null, Value::Number),
        PreviewKind::String => Value::from(preview.as_str().unwrap_or_default()),
        PreviewKind::Array => preview.elements().map(value).collect(),
        PreviewKind::Object => {
            let members: Map<String, Value> =
                preview.members().map(|(name, member)| (name.to_owned(), value(member))).collect();
            Value::Object(members)
        }
        _ => Value::Null,
    }
}

/// Numbers as the single precision that both roundings share.
fn nearest(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let text = number.to_string();
            text.parse().ok().and_then(Number::from_f64).map_or(Value::Null, Value::Number)
        }
        Value::Array(items) => items.iter().map(nearest).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), nearest(value))).collect())
        }
        other => other.clone(),
    }
}
