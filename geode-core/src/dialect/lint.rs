//! What a provider would refuse in a schema, each breach at its place.

use std::collections::{HashMap, HashSet};

use super::breach::Breach;
use super::facts::{Absence, Dialect, References, RootRule};
use super::measure::measure;
use crate::schema::{Node, Places, Schema, Type, in_cycle};

/// Every breach of `dialect`'s rules in `schema`, in document order. None: the provider takes the schema as it stands.
///
/// ```
/// use geode_core::dialect::{OPENAI_STRICT, lint};
/// use geode_core::schema::Schema;
///
/// let schema: Schema = r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#.parse()?;
/// let breaches = lint(&schema, &OPENAI_STRICT);
/// assert_eq!(breaches[0].keyword, "additionalProperties");
/// # Ok::<(), geode_core::schema::SchemaError>(())
/// ```
pub fn lint(schema: &Schema, dialect: &Dialect) -> Vec<Breach> {
    let mut lint = Lint { dialect, places: Places::of(schema), breaches: Vec::new() };
    lint.root(schema);
    lint.schema(schema, "");
    lint.recursion();
    lint.breaches.extend(measure(schema, dialect));
    lint.breaches
}

struct Lint<'s> {
    dialect: &'s Dialect,
    places: Places<'s>,
    breaches: Vec<Breach>,
}

impl Lint<'_> {
    fn breach(&mut self, pointer: &str, keyword: &str, rule: String, help: &'static str) {
        let rule = format!("{} {rule}", self.dialect.provider);
        self.breaches.push(Breach { pointer: pointer.to_owned(), keyword: keyword.to_owned(), rule, help });
    }

    fn root(&mut self, schema: &Schema) {
        let types = schema.node().map(|node| node.types.as_slice()).unwrap_or_default();
        let union = schema.node().is_some_and(|node| !node.any_of.is_empty() || !node.one_of.is_empty());
        match self.dialect.root {
            RootRule::Any => {}
            RootRule::Typed if !types.is_empty() => {}
            RootRule::Object if types == [Type::Object] && !union => {}
            RootRule::Typed => {
                self.breach(
                    "",
                    "type",
                    "needs a `type` at the root".to_owned(),
                    "wrap it in an object of one property",
                );
            }
            RootRule::Object => self.breach(
                "",
                if union { "anyOf" } else { "type" },
                "takes only an object at the root, no union and no reference".to_owned(),
                "wrap it in an object of one property",
            ),
        }
    }

    fn schema(&mut self, schema: &Schema, pointer: &str) {
        let Some(node) = schema.node() else {
            if !self.dialect.anything {
                self.breach(pointer, "", "takes no `true` or `false` as a schema".to_owned(), "say which type it has");
            }
            return;
        };
        self.keywords(node, pointer);
        self.values(node, pointer);
        self.object(node, pointer);
        self.unions(node, pointer);
        self.reference(node, pointer);
        for (token, child) in node.children() {
            // Whether an object is closed has been looked at.
            if token != "/additionalProperties" || child.node().is_some() {
                self.schema(child, &format!("{pointer}{token}"));
            }
        }
    }

    fn keywords(&mut self, node: &Node, pointer: &str) {
        let keywords = node.keywords();
        for keyword in &keywords {
            if !self.dialect.takes(keyword) && !self.dialect.ignored.contains(keyword) {
                self.breach(pointer, keyword, format!("does not take `{keyword}`"), instead_of(keyword));
            }
        }
        let older = node.other.iter().filter(|(keyword, _)| self.dialect.keywords.is_some() && is_older(keyword));
        for (keyword, value) in older {
            let rule = format!("does not take `{keyword}: {value}`, which is of an older draft");
            self.breach(pointer, keyword, rule, older_help(keyword));
        }
        if !self.dialect.anything && keywords.iter().all(|keyword| is_annotation(keyword)) {
            self.breach(
                pointer,
                "type",
                "takes no schema that accepts every value".to_owned(),
                "say which type it has",
            );
        } else if self.dialect.typed && node.types.is_empty() && node.any_of.is_empty() && node.reference.is_none() {
            self.breach(pointer, "type", "needs a `type` in every schema".to_owned(), "add it");
        }
    }

    fn values(&mut self, node: &Node, pointer: &str) {
        if let Some(format) = &node.format
            && !self.dialect.takes_format(format)
            && self.dialect.takes("format")
            && !(self.dialect.number_formats && node.types.iter().all(|of| matches!(of, Type::Integer | Type::Number)))
        {
            self.breach(pointer, "format", format!("does not take the format `{format}`"), "say it in the description");
        }
        if let Some(pattern) = &node.pattern
            && let Some(what) = self.dialect.patterns.breach(pattern)
        {
            self.breach(pointer, "pattern", format!("takes no {what} in a pattern"), "write a plainer pattern");
        }
        if let (Some(count), Some(most)) = (node.min_items, self.dialect.min_items)
            && count > most
        {
            let rule = format!("takes no `minItems` above {most}");
            self.breach(pointer, "minItems", rule, "say it in the description");
        }
        if node.enumeration.is_some() && node.types.len() > 1 && !self.dialect.enum_of_type_list {
            let rule = "takes no `enum` beside a list of types".to_owned();
            self.breach(pointer, "enum", rule, "write `anyOf` of the enum and `{\"type\": \"null\"}`");
        }
        if node.types.contains(&Type::Array)
            && node.items.is_none()
            && node.prefix_items.is_empty()
            && !self.dialect.anything
        {
            self.breach(pointer, "items", "needs `items` in every array".to_owned(), "say what the elements are");
        }
    }

    fn object(&mut self, node: &Node, pointer: &str) {
        if !node.is_object() {
            return;
        }
        let properties = node.properties.as_deref().unwrap_or_default();
        if self.dialect.closed && node.additional != Some(Schema::Boolean(false)) {
            self.breach(
                pointer,
                "additionalProperties",
                "needs `additionalProperties: false` in every object".to_owned(),
                "add it; write open keys as an array of {key, value} objects",
            );
        }
        if self.dialect.typed && node.properties.is_none() {
            self.breach(
                pointer,
                "properties",
                "needs `properties` in every object".to_owned(),
                "add them, even if none",
            );
        }
        let required: HashSet<&String> = node.required.iter().flatten().collect();
        let known: HashSet<&String> = properties.iter().map(|(name, _)| name).collect();
        if self.dialect.absence == Absence::Never {
            for (name, _) in properties.iter().filter(|(name, _)| !required.contains(name)) {
                let rule = format!("needs every property in `required`; `{name}` is missing");
                self.breach(pointer, "required", rule, "require it and let it be null");
            }
        }
        for name in node.required.iter().flatten() {
            if self.dialect.closed && !known.contains(name) {
                let rule = format!("takes in `required` only properties of the object; `{name}` is none");
                self.breach(pointer, "required", rule, "add the property or take it out of `required`");
            }
        }
    }

    fn unions(&mut self, node: &Node, pointer: &str) {
        if let Some(beside) = self.dialect.beside_any_of
            && !node.any_of.is_empty()
        {
            for keyword in node.keywords() {
                if keyword != "anyOf" && !beside.contains(&keyword) && !self.dialect.ignored.contains(&keyword) {
                    let rule = format!("takes no `{keyword}` beside `anyOf`");
                    self.breach(pointer, keyword, rule, "move it into the branches");
                }
            }
        }
        if self.dialect.references == References::Alone
            && self.dialect.takes("allOf")
            && node.all_of.iter().any(|branch| branch.node().is_some_and(|branch| branch.reference.is_some()))
        {
            self.breach(
                pointer,
                "allOf",
                "takes no reference in `allOf`".to_owned(),
                "merge the branches into one schema",
            );
        }
    }

    fn reference(&mut self, node: &Node, pointer: &str) {
        let Some(reference) = &node.reference else { return };
        if self.dialect.references != References::Free {
            for keyword in node.keywords() {
                if keyword != "$ref" && !(pointer.is_empty() && matches!(keyword, "$defs" | "definitions")) {
                    let rule = format!("takes nothing beside `$ref`, and here is `{keyword}`");
                    self.breach(
                        pointer,
                        "$ref",
                        rule,
                        "wrap the reference in an `anyOf` of one, or write the schema out",
                    );
                }
            }
        }
        match reference.strip_prefix('#') {
            None if self.dialect.keywords.is_some() => {
                let rule = "takes only references within the document".to_owned();
                self.breach(pointer, "$ref", rule, "put the other schema under `$defs`");
            }
            Some(_) if self.places.find(reference).is_none() => {
                let rule = format!("finds nothing at `{reference}`");
                self.breach(pointer, "$ref", rule, "add the definition");
            }
            Some(target) if self.dialect.keywords.is_some() && !is_definition(target) => {
                let rule = "takes only references to definitions at the top of the document".to_owned();
                self.breach(pointer, "$ref", rule, "move the schema under `$defs`");
            }
            _ => {}
        }
    }

    /// Definitions, and the root, that lead back to themselves.
    fn recursion(&mut self) {
        if self.dialect.recursion {
            return;
        }
        let mut pointers: Vec<String> =
            self.places.pointers().filter(|at| is_definition(at)).map(str::to_owned).collect();
        pointers.sort_unstable();
        let named = pointers.len();
        let mut index: HashMap<String, usize> =
            pointers.iter().enumerate().map(|(index, pointer)| (pointer.clone(), index)).collect();
        let mut graph = Vec::new();
        // Whatever else references lead to comes behind the definitions.
        while let Some(schema) = pointers.get(graph.len()).map(|pointer| self.places.at(pointer)) {
            let mut targets = Vec::new();
            schema.into_iter().for_each(|schema| references_below(schema, &mut targets));
            let targets = targets.into_iter().filter_map(|reference| self.places.pointer_of(reference)).map(|target| {
                *index.entry(target.into_owned()).or_insert_with_key(|target| {
                    pointers.push(target.clone());
                    pointers.len() - 1
                })
            });
            let targets = targets.collect();
            graph.push(targets);
        }
        let cyclic = in_cycle(&graph);
        for (pointer, _) in pointers.iter().zip(cyclic).take(named).filter(|(_, cyclic)| *cyclic) {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            let name = if name.is_empty() { "the root" } else { name };
            let rule = format!("takes no recursive schema, and {name} contains itself");
            self.breach(pointer, "$ref", rule, "limit the depth: write the levels out, or refer to items by an id");
        }
    }
}

/// Targets of the references in a schema, its definitions left out.
fn references_below<'s>(schema: &'s Schema, targets: &mut Vec<&'s str>) {
    let Some(node) = schema.node() else { return };
    targets.extend(node.reference.as_deref());
    for (token, child) in node.children() {
        if !token.starts_with("/$defs/") && !token.starts_with("/definitions/") {
            references_below(child, targets);
        }
    }
}

fn is_definition(pointer: &str) -> bool {
    let name = pointer.strip_prefix("/$defs/").or_else(|| pointer.strip_prefix("/definitions/"));
    pointer.is_empty() || name.is_some_and(|name| !name.contains('/'))
}

/// Whether a keyword says something about a schema without narrowing it.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "examples"
            | "$schema"
            | "$id"
            | "$anchor"
            | "$comment"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$defs"
            | "definitions"
    )
}

/// Whether a keyword that the tree keeps as it stands has its older, boolean form: draft 4's `exclusiveMinimum: true`,
/// draft 3's `required: true`.
pub(super) fn is_older(keyword: &str) -> bool {
    matches!(keyword, "exclusiveMinimum" | "exclusiveMaximum" | "required")
}

fn older_help(keyword: &str) -> &'static str {
    match keyword {
        "required" => "name the property in the `required` of its object",
        _ => "give it the limit itself, in the place of `minimum` or `maximum`",
    }
}

fn instead_of(keyword: &str) -> &'static str {
    match keyword {
        "oneOf" => "write `anyOf` of branches that exclude each other",
        "allOf" => "merge the branches into one schema",
        "prefixItems" => "write an object with one property a position",
        "const" => "write an `enum` of one value",
        "patternProperties" | "propertyNames" => "write an array of {key, value} objects",
        "not" | "if" | "then" | "else" | "dependentRequired" | "dependentSchemas" => "write `anyOf` of the cases",
        "nullable" => "write `type` as a list with `null`",
        "$dynamicRef" | "$recursiveRef" => "write `$ref`",
        "id" | "$id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" | "$vocabulary" => {
            "leave it out: references go by `#/$defs/…`"
        }
        _ => "say it in the description and check it locally",
    }
}
