//! What a case's file expects of schema and parser. An expectation that nobody knows how to check fails the test.

use std::path::Path;

use geode::StructuredOutput;
use geode::dialect::{ANTHROPIC, Dialect, OPENAI_STRICT};
use serde_json::{Map, Value, json};

/// One file.
pub(crate) struct Case {
    id: String,
    dialects: Vec<Option<&'static Dialect>>,
    pub(crate) expect: Value,
}

impl Case {
    pub(crate) fn load(id: &str) -> Case {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/type_cases/cases/{id}.json"));
        let case: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!((case["id"].as_str(), case["kind"].as_str()), (Some(id), Some("type")));
        let provider = &case["input"]["provider"];
        let named: Vec<&str> = provider.as_str().into_iter().chain(list(provider).filter_map(Value::as_str)).collect();
        let dialects = match named.as_slice() {
            [] => vec![None],
            named => named.iter().map(|name| dialect(name)).collect(),
        };
        Case { id: id.to_owned(), dialects, expect: case["expect"].clone() }
    }

    /// The expectation in which one of several ways out is taken.
    pub(crate) fn instead(self, name: &str, index: usize) -> Case {
        Case { expect: self.expect[name][index].clone(), ..self }
    }

    /// Holds a type against all expectations but those that the test sees to itself.
    pub(crate) fn judge<T: StructuredOutput>(&self, elsewhere: &[&str]) {
        for (name, expected) in self.expect.as_object().unwrap() {
            match name.as_str() {
                "schema" => self.schema::<T>(expected),
                "parse" => list(expected).for_each(|text| self.parse::<T>(text)),
                name => assert!(elsewhere.contains(&name), "{}: nobody checks `{name}`", self.id),
            }
        }
    }

    fn schema<T: StructuredOutput>(&self, expected: &Value) {
        for dialect in &self.dialects {
            let schema: Value = match dialect {
                None => Value::from(&geode::schema::<T>()),
                Some(dialect) => serde_json::from_str(geode::plan::<T>(dialect).unwrap().schema.get()).unwrap(),
            };
            let place = expected["at"].as_str().unwrap_or_default();
            let at = resolved(schema.pointer(place).unwrap(), &schema);
            for (name, expected) in expected.as_object().unwrap() {
                let holds = holds(name, expected, &schema, at, *dialect);
                assert!(holds, "{}: `{name}` {expected} does not hold:\n{schema:#}", self.id);
            }
        }
    }

    fn parse<T: StructuredOutput>(&self, text: &Value) {
        let json = text["json"].as_str().unwrap();
        match (geode::from_str::<T>(json), text["ok"].as_bool().unwrap()) {
            (Ok(_), true) => {}
            (Ok(_), false) => panic!("{}: {json} is accepted", self.id),
            (Err(report), true) => panic!("{}: {json} is refused: {report}", self.id),
            (Err(report), false) => {
                let code = |name: &str| text["class"].as_str().is_none_or(|classes| of_class(name, classes));
                let place = text["path"].as_str().unwrap_or_default();
                let fits = report
                    .violations()
                    .iter()
                    .any(|violation| violation.pointer().starts_with(place) && code(violation.code().name()));
                assert!(fits, "{}: {json}: {report}", self.id);
            }
        }
    }
}

/// Whether our code is one of the classes that the file names, in its own words.
fn of_class(code: &str, classes: &str) -> bool {
    classes.split('|').any(|class| match class {
        "UnknownField" => code == "unknown_property",
        "MissingField" => code == "missing",
        "UnknownVariant" => code == "unknown_value",
        "OutOfRange" => code == "range",
        "Validation" => ["range", "items", "length"].contains(&code),
        other => panic!("unknown class {other}"),
    })
}

/// The dialect of a provider that takes schemas.
fn dialect(provider: &str) -> Option<&'static Dialect> {
    match provider {
        "openai" => Some(&OPENAI_STRICT),
        "anthropic" => Some(&ANTHROPIC),
        "glm" => None,
        other => panic!("no dialect for {other}"),
    }
}

/// Whether one expectation on a schema holds. `at` is the place that the file speaks of.
fn holds(name: &str, expected: &Value, schema: &Value, at: &Value, dialect: Option<&Dialect>) -> bool {
    let every = |holds: &dyn Fn(&Map<String, Value>) -> bool| nodes(schema).into_iter().all(holds);
    let valid = |at: &Value, value: &Value| {
        // The place, with the document's definitions beside it.
        let mut place = at.clone();
        place.as_object_mut().unwrap().insert("$defs".to_owned(), schema["$defs"].clone());
        let place = if schema.get("$defs").is_some() { place } else { at.clone() };
        jsonschema::validator_for(&place).unwrap().is_valid(value)
    };
    match name {
        "at" => true,
        "lacks_keywords" => {
            nodes(at).iter().all(|node| texts(expected).iter().all(|keyword| !node.contains_key(keyword)))
        }
        "must_have" => texts(expected).iter().all(|keyword| at.get(keyword).is_some()),
        "every_branch" => list(&at["anyOf"]).all(|branch| {
            let names: Vec<&String> = branch["properties"].as_object().unwrap().keys().collect();
            expected.as_object().unwrap().iter().all(|(name, expected)| match name.as_str() {
                "first_property" => branch["required"][0] == *expected,
                "additionalProperties" => branch[name] == *expected,
                "all_required" => names.iter().all(|name| texts(&branch["required"]).contains(name)),
                other => panic!("nobody checks `{other}`"),
            })
        }),
        "no_ref_siblings" => every(&|node| !node.contains_key("$ref") || node.len() == 1),
        "description_at" => expected.as_object().unwrap().iter().all(|(place, text)| {
            schema.pointer(place).unwrap()["description"].as_str().unwrap().contains(text.as_str().unwrap())
        }),
        "description_contains" => texts(expected).iter().all(|text| at["description"].as_str().unwrap().contains(text)),
        "description_contains_at" => expected.as_object().unwrap().iter().all(|(place, list)| {
            let description = schema.pointer(place).unwrap()["description"].as_str().unwrap();
            texts(list).iter().all(|text| description.contains(text))
        }),
        "equals_subset" => expected.as_object().unwrap().iter().all(|(keyword, value)| at[keyword] == *value),
        "valid" => list(expected).all(|value| valid(at, value)),
        "invalid" => list(expected).all(|value| !valid(at, value)),
        "valid_at" | "invalid_at" => expected.as_object().unwrap().iter().all(|(place, values)| {
            let place = schema.pointer(place).unwrap();
            list(values).all(|value| valid(place, value) == (name == "valid_at"))
        }),
        "root_type" => schema["type"] == *expected,
        "additionalProperties" => schema[name] == *expected,
        "root_lacks" => texts(expected).iter().all(|keyword| schema.get(keyword).is_none()),
        "no_open_objects" => {
            every(&|node| node.get("type") != Some(&json!("object")) || node["additionalProperties"] == json!(false))
        }
        "no_format_on_integers" => {
            every(&|node| node.get("type") != Some(&json!("integer")) || !node.contains_key("format"))
        }
        "anthropic_lacks" => {
            dialect.is_none_or(|dialect| dialect.name != "ANTHROPIC")
                || every(&|node| texts(expected).iter().all(|keyword| !node.contains_key(keyword)))
        }
        "minItems_only" => {
            every(&|node| node.get("minItems").is_none_or(|count| list(expected).any(|other| other == count)))
        }
        "uses_defs_ref" => schema.to_string().contains("\"$ref\":\"#/$defs/"),
        // It is here, and it is no longer than a page.
        "finite" => schema.to_string().len() < 2_000,
        "arrays_have_items" => every(&|node| node.get("type") != Some(&json!("array")) || node.contains_key("items")),
        "formats_subset" => {
            every(&|node| node.get("format").is_none_or(|format| list(expected).any(|other| other == format)))
        }
        "keeps_format" => expected
            .as_object()
            .unwrap()
            .iter()
            .all(|(place, format)| schema.pointer(place).unwrap()["format"] == *format),
        other => panic!("nobody checks `{other}`"),
    }
}

/// Every schema object of a document.
fn nodes(schema: &Value) -> Vec<&Map<String, Value>> {
    let Some(node) = schema.as_object() else { return Vec::new() };
    let mut found = vec![node];
    for (keyword, value) in node {
        let children: Vec<&Value> = match keyword.as_str() {
            "properties" | "$defs" => value.as_object().unwrap().values().collect(),
            "anyOf" | "oneOf" | "allOf" => list(value).collect(),
            "items" => vec![value],
            _ => Vec::new(),
        };
        found.extend(children.into_iter().flat_map(nodes));
    }
    found
}

/// What a reference alone at a place leads to.
fn resolved<'s>(place: &'s Value, schema: &'s Value) -> &'s Value {
    match place.get("$ref").and_then(Value::as_str) {
        Some(reference) => schema.pointer(reference.trim_start_matches('#')).unwrap(),
        None => place,
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The texts in a list, or the one text.
pub(crate) fn texts(value: &Value) -> Vec<String> {
    value.as_str().into_iter().chain(list(value).filter_map(Value::as_str)).map(str::to_owned).collect()
}
