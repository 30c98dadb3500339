//! Where the parser judges otherwise than serde, and by which policy.

use geode::report::{Code, Report, Violation};
use geode::schema::{Node, Schema, Type};
use serde_json::Value;

/// How the schema, read by the oracle, and the parser differ on a text, where they do.
pub(crate) fn schema_and_parser_differ(
    oracle: &jsonschema::Validator,
    text: &str,
    ours: &Result<(), Report>,
) -> Option<String> {
    // A byte order mark is let pass by the parser and not by the oracle's own reader.
    let value: Value = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(value) => value,
        Err(error) => return ours.is_ok().then(|| format!("the parser accepts what is no JSON: {error}")),
    };
    match (oracle.is_valid(&value), ours) {
        _ if holds_rounded(&value) => None,
        (true, Err(report)) if repeats_a_key(text) || report.violations().iter().all(is_beyond_schemas) => None,
        (true, Err(report)) => Some(format!("the schema accepts, the parser refuses: {report}")),
        (false, Ok(())) => Some("the parser accepts, the schema refuses".to_owned()),
        _ => None,
    }
}

/// What no schema can say: a text that the type's own conversion refuses.
fn is_beyond_schemas(violation: &Violation) -> bool {
    matches!(violation.code(), Code::Duplicate | Code::Conversion | Code::Format)
}

/// Whether the oracle sees a number that it had to round: about those it knows less than the parser.
fn holds_rounded(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.is_f64() && number.as_f64().is_some_and(|real| real.abs() >= 9_007_199_254_740_992.0)
        }
        Value::Array(items) => items.iter().any(holds_rounded),
        Value::Object(members) => members.values().any(holds_rounded),
        _ => false,
    }
}

/// Whether an object of the text names a key twice.
fn repeats_a_key(text: &str) -> bool {
    /// Reads any value, and fails where a key comes twice.
    struct Once;
    impl<'de> serde::de::DeserializeSeed<'de> for Once {
        type Value = ();
        fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
            deserializer.deserialize_any(self)
        }
    }
    impl<'de> serde::de::Visitor<'de> for Once {
        type Value = ();
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a value")
        }
        fn visit_bool<E>(self, _: bool) -> Result<(), E> {
            Ok(())
        }
        fn visit_i64<E>(self, _: i64) -> Result<(), E> {
            Ok(())
        }
        fn visit_u64<E>(self, _: u64) -> Result<(), E> {
            Ok(())
        }
        fn visit_f64<E>(self, _: f64) -> Result<(), E> {
            Ok(())
        }
        fn visit_str<E>(self, _: &str) -> Result<(), E> {
            Ok(())
        }
        fn visit_unit<E>(self) -> Result<(), E> {
            Ok(())
        }
        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
            while items.next_element_seed(Once)?.is_some() {}
            Ok(())
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
            let mut seen = std::collections::HashSet::new();
            while let Some(key) = members.next_key::<String>()? {
                if !seen.insert(key) {
                    return Err(serde::de::Error::custom("twice"));
                }
                members.next_value_seed(Once)?;
            }
            Ok(())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde::de::DeserializeSeed::deserialize(Once, &mut deserializer).is_err_and(|error| error.is_data())
}

const FURTHER_KEYS: &str = "further keys are violations";
const MISSING: &str = "a missing property is a violation, be it optional or defaulted";
const DUPLICATES: &str = "a key that comes twice is a violation";
const WHOLE_NUMBERS: &str = "1.0, 1e2 and -0 are whole numbers, as to JSON Schema";
const POSITIONAL: &str = "a struct or variant is no positional array";
const WIRE_FORM: &str = "maps are lists of entries, tuples are objects";
const JSON_TEXT: &str = "an open value is a string that holds JSON text";
const CONSTRAINTS: &str = "constraints and formats are enforced, sets hold no element twice";
const STORED_ONLY: &str = "aliases and fallback variants are for stored data only";
const OWN_FORM: &str = "a tolerant deserializer is replaced by the type's own form";
const BYTE_ORDER_MARK: &str = "a byte order mark is let pass";
const NO_VARIANT: &str = "no variant of an untagged enum accepts it, by one of these policies";

const ONE_FORM: &str = "a foreign type has the one wire form that its schema states";
const UNIT: &str = "the content of a unit variant is null";

/// Every policy; `docs/serde.md` explains each.
pub(crate) const ALL: [&str; 14] = [
    FURTHER_KEYS,
    MISSING,
    DUPLICATES,
    WHOLE_NUMBERS,
    POSITIONAL,
    WIRE_FORM,
    JSON_TEXT,
    CONSTRAINTS,
    STORED_ONLY,
    OWN_FORM,
    BYTE_ORDER_MARK,
    NO_VARIANT,
    ONE_FORM,
    UNIT,
];

/// Types with fields whose tolerant `deserialize_with` is replaced, as `types.rs` says at each.
const TOLERANT: [&str; 6] = ["ClientIntake", "RunLine", "RichCard", "SayArgs", "ExportPlan", "SymbolAsk"];

/// The policies by which a verdict differs from serde's; none where it doesn't.
pub(crate) fn explain(
    name: &str,
    text: &str,
    serde: bool,
    ours: &Result<(), Report>,
    schema: &Schema,
) -> Result<Vec<&'static str>, String> {
    let report = match (serde, ours) {
        (true, Ok(())) | (false, Err(_)) => return Ok(Vec::new()),
        (false, Ok(())) => return accepted(name, text, schema).map(|policy| vec![policy]),
        (true, Err(report)) => report,
    };
    // A number beyond all range in a key that serde skips is no value at all.
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let mut policies = Vec::new();
    for violation in report.violations() {
        // Beside a variant that refuses further keys stands what the tag should have been.
        let untagged = report.violations().iter().any(|violation| violation.code() == Code::NoVariant);
        let policy = refused(name, violation, &value, schema)
            .or(untagged.then_some(NO_VARIANT))
            .ok_or_else(|| format!("refused: {violation}"))?;
        if !policies.contains(&policy) {
            policies.push(policy);
        }
    }
    Ok(policies)
}

/// Why we accept what serde refuses.
fn accepted(name: &str, text: &str, schema: &Schema) -> Result<&'static str, String> {
    if text.starts_with('\u{feff}') {
        return Ok(BYTE_ORDER_MARK);
    }
    let numbers = text.split(|character: char| !(character.is_ascii_digit() || "+-.eE".contains(character)));
    let whole_but_not_plain = |number: &str| {
        number == "-0"
            || (number.contains(['.', 'e', 'E']) && number.parse::<f64>().is_ok_and(|real| real.fract() == 0.0))
    };
    if numbers.into_iter().any(whole_but_not_plain) {
        return Ok(WHOLE_NUMBERS);
    }
    if schema.to_string().contains("contentMediaType") {
        return Ok(JSON_TEXT);
    }
    if TOLERANT.contains(&name) || (name == "Excerpt" && text.contains('\\')) {
        return Ok(OWN_FORM);
    }
    Err("accepted".to_owned())
}

/// Why we refuse what serde accepts.
fn refused(name: &str, violation: &Violation, value: &Value, schema: &Schema) -> Option<&'static str> {
    let found = value.pointer(violation.pointer());
    let place = Place::at(violation.pointer(), schema);
    match violation.code() {
        Code::UnknownProperty => Some(FURTHER_KEYS),
        Code::Missing => Some(MISSING),
        Code::Duplicate => Some(DUPLICATES),
        Code::UnknownValue => Some(STORED_ONLY),
        Code::NoVariant => Some(NO_VARIANT),
        Code::Type | Code::Format if place.json_text => Some(JSON_TEXT),
        Code::Type if found.is_some_and(Value::is_object) && place.entries => Some(WIRE_FORM),
        Code::Type if found.is_some_and(Value::is_array) && place.positions => Some(WIRE_FORM),
        Code::Type if found.is_some_and(Value::is_array) && place.object => Some(POSITIONAL),
        Code::Type if found.is_some_and(Value::is_object) && place.null => Some(UNIT),
        Code::Type if TOLERANT.contains(&name) => Some(OWN_FORM),
        Code::Type if name == "LedgerLine" && found.is_some_and(Value::is_number) => Some(ONE_FORM),
        Code::Range | Code::Length | Code::Pattern | Code::Items | Code::Unique | Code::Format => Some(CONSTRAINTS),
        _ => None,
    }
}

/// What the schema asks for at one place, whatever variant it is.
#[derive(Default)]
struct Place {
    json_text: bool,
    /// An array of entries: a map.
    entries: bool,
    /// An object by positions: a tuple.
    positions: bool,
    object: bool,
    /// `null` alone.
    null: bool,
}

impl Place {
    fn at(pointer: &str, schema: &Schema) -> Place {
        let root = schema.node();
        let mut nodes: Vec<&Node> = root.into_iter().flat_map(|node| spread(node, root)).collect();
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            nodes = nodes.iter().flat_map(|node| below(node, &token)).flat_map(|node| spread(node, root)).collect();
        }
        let mut place = Place::default();
        for node in nodes {
            place.json_text |= node.other.iter().any(|(keyword, _)| keyword == "contentMediaType");
            place.entries |=
                node.items.as_ref().and_then(Schema::node).is_some_and(|items| names(items) == ["key", "value"]);
            place.positions |=
                node.types == [Type::Object] && names(node).iter().all(|name| name.parse::<u8>().is_ok());
            place.object |= node.types == [Type::Object];
            place.null |= node.types == [Type::Null];
        }
        place
    }
}

fn names(node: &Node) -> Vec<&str> {
    node.properties.iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// A node and the alternatives that it stands for.
fn spread<'s>(node: &'s Node, root: Option<&'s Node>) -> Vec<&'s Node> {
    let target = node.reference.as_deref().and_then(|reference| reference.strip_prefix("#/$defs/"));
    let definition = root
        .into_iter()
        .flat_map(|root| &root.definitions)
        .find(|(name, _)| Some(name.as_str()) == target)
        .map(|(_, definition)| definition);
    let inner = node.any_of.iter().chain(definition).filter_map(Schema::node).flat_map(|node| spread(node, root));
    std::iter::once(node).chain(inner).collect()
}

fn below<'s>(node: &'s Node, token: &str) -> Option<&'s Node> {
    let property = node.properties.iter().flatten().find(|(name, _)| name == token).map(|(_, schema)| schema);
    property.or(node.items.as_ref()).and_then(Schema::node)
}
