//! Proof, by many texts, that a type's schema and its parser accept the same.

mod generate;
mod instance;
mod mutate;
mod sample;

pub use generate::Generator;

use serde_json::Value;

use crate::json::from_str;
use crate::output::StructuredOutput;
use crate::report::{Code, Report, Violation};
use crate::schema::{Node, Schema, local_target, read_value, unescape};
use crate::typed::schema;

/// What [`parity`] counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parity {
    /// Texts that schema and parser both accepted.
    pub accepted: usize,
    /// Texts that both refused.
    pub refused: usize,
    /// Texts that the parser alone refused, for a reason that no schema can say: a key that stands twice, a text that
    /// the type's own conversion refuses.
    pub narrower: usize,
}

/// Holds the schema of `T`, as the `jsonschema` crate reads it with formats asserted, against the parser of `T`, on `texts`
/// texts: generated instances, and instances with one thing changed.
///
/// The same `seed` gives the same texts.
///
/// # Errors
///
/// The first text on which they differ, and how.
pub fn parity<T: StructuredOutput>(texts: usize, seed: u64) -> Result<Parity, String> {
    let schema = schema::<T>();
    let document = Value::from(&schema);
    let oracle = jsonschema::options()
        .should_validate_formats(true)
        .build(&document)
        .map_err(|error| format!("the schema is not valid: {error}"))?;
    let mut generator = Generator::new(&schema, seed);
    let mut parity = Parity::default();
    for index in 0..texts {
        let text = if index % 3 == 0 { generator.instance() } else { generator.mutant() };
        let value: Value =
            serde_json::from_str(&text).map_err(|error| format!("generated no JSON: {error}: {text}"))?;
        match (oracle.is_valid(&value), from_str::<T>(&text)) {
            (true, Ok(_)) => parity.accepted += 1,
            (false, Err(_)) => parity.refused += 1,
            (true, Err(report)) if is_beyond_schemas(&report, &schema, &text) => parity.narrower += 1,
            (true, Err(report)) => return Err(format!("the schema accepts and the parser refuses: {text}\n{report}")),
            (false, Ok(_)) => {
                let errors: Vec<String> = oracle.iter_errors(&value).map(|error| error.to_string()).collect();
                return Err(format!("the parser accepts and the schema refuses: {text}\n{}", errors.join("\n")));
            }
        }
    }
    Ok(parity)
}

/// [`parity`] over a thousand texts, for a test.
///
/// # Panics
///
/// Where schema and parser differ on a text, or no text was accepted at all. A conversion of the type's own that takes few
/// of the texts that fit the schema, such as `try_from`, is given some that it takes by an `example`.
#[track_caller]
#[expect(clippy::panic, reason = "it is how a test fails")]
pub fn assert_parity<T: StructuredOutput>() {
    let name = std::any::type_name::<T>();
    match parity::<T>(1_000, 0) {
        Ok(Parity { accepted: 1.., .. }) => {}
        Ok(Parity { narrower: 0, .. }) => panic!("{name}: no instance of the schema was generated"),
        Ok(Parity { narrower, .. }) => panic!(
            "{name}: {narrower} texts fit the schema, and a conversion of the type's own (`try_from`, `as_string`) refused \
             them all\nhelp: say in the schema what it takes, by `pattern` or `format`, or give an `example`"
        ),
        Err(difference) => panic!("{name}: {difference}"),
    }
}

/// Whether every violation is one that no schema can say.
fn is_beyond_schemas(report: &Report, schema: &Schema, text: &str) -> bool {
    // Within an untagged union the reason is not told: then it is looked for in the text and in the schema.
    let hidden = report.violations().iter().any(|violation| violation.code() == Code::NoVariant)
        && schema.to_string().contains("\"contentMediaType\"");
    let repeated = read_value(text).is_err();
    hidden
        || repeated
        || report.violations().iter().all(|violation| match violation.code() {
            Code::Duplicate | Code::Conversion => true,
            Code::Format => !says_format(violation, schema),
            _ => false,
        })
}

/// Whether the schema asks for a format where the violation is.
fn says_format(violation: &Violation, schema: &Schema) -> bool {
    let Some(root) = schema.node() else { return false };
    let mut places = vec![root];
    for token in violation.pointer().split('/').skip(1) {
        let token = unescape(token);
        let places_here = places.iter().flat_map(|place| alternatives(place, root)).collect::<Vec<_>>();
        places = places_here.into_iter().filter_map(|place| below(place, &token)).collect();
    }
    places.iter().flat_map(|place| alternatives(place, root)).any(|place| place.format.is_some())
}

/// The node and whatever it leads to at the same place.
fn alternatives<'s>(node: &'s Node, root: &'s Node) -> Vec<&'s Node> {
    let mut found = vec![node];
    if let Some(target) = node.reference.as_deref().and_then(local_target)
        && let Some((_, schema)) = root.definitions.iter().find(|(name, _)| *name == target)
    {
        found.extend(schema.node().into_iter().flat_map(|node| alternatives(node, root)));
    }
    for branch in node.any_of.iter().chain(&node.all_of) {
        found.extend(branch.node().into_iter().flat_map(|node| alternatives(node, root)));
    }
    found
}

fn below<'s>(node: &'s Node, token: &str) -> Option<&'s Node> {
    let property = node.properties.iter().flatten().find(|(name, _)| name == token).map(|(_, schema)| schema);
    property.or(node.items.as_ref())?.node()
}
