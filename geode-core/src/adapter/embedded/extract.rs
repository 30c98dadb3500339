//! Fills a schema from the facts of a text, by fixed rules.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::str::FromStr;

use serde_json::Value;
use serde_json::value::RawValue;

use super::facts::{Facts, Number, stems};
use crate::schema::{Node, Schema, Type};
use crate::shape::Limit;

/// How deep a recursive schema is followed before the smallest value is taken.
const DEPTH: usize = 8;

/// JSON text for a schema, filled from a text.
pub(super) fn answer(schema: &RawValue, facts: &Facts<'_>) -> Result<String, String> {
    let schema = Schema::from_str(schema.get()).map_err(|error| error.to_string())?;
    let filler = Filler { root: &schema, facts, hits: Cell::new(0) };
    let mut out = String::new();
    filler.fill(&schema, &Hint::default(), 0, &mut out);
    Ok(out)
}

/// A plain answer: what the text says first.
pub(super) fn gist(facts: &Facts<'_>) -> String {
    match facts.sentences.as_slice() {
        [] => "There is nothing to go by.".to_owned(),
        sentences => sentences.iter().take(2).copied().collect::<Vec<_>>().join(" "),
    }
}

/// What is known of the place to fill: the words of its name and description.
#[derive(Default)]
struct Hint<'s> {
    name: &'s str,
    stems: BTreeSet<String>,
}

struct Filler<'a> {
    root: &'a Schema,
    facts: &'a Facts<'a>,
    /// Words found so far that spoke for a choice: what a confidence is made from.
    hits: Cell<usize>,
}

impl<'a> Filler<'a> {
    fn fill(&self, schema: &'a Schema, hint: &Hint<'_>, depth: usize, out: &mut String) {
        let Some(node) = self.resolve(schema) else { return out.push_str("null") };
        if let Some(constant) = &node.constant {
            return out.push_str(&constant.to_string());
        }
        if let Some(values) = &node.enumeration {
            return out.push_str(&self.choose(values, node, hint).to_string());
        }
        let branches = if node.any_of.is_empty() { &node.one_of } else { &node.any_of };
        if !branches.is_empty() {
            return self.branch(branches, hint, depth, out);
        }
        match node.types.first() {
            Some(Type::Object) => self.object(node, depth, out),
            Some(Type::Array) => self.array(node, hint, depth, out),
            Some(Type::String) => out.push_str(&Value::from(self.string(node, hint)).to_string()),
            Some(Type::Integer) => out.push_str(&self.number(node, hint, true)),
            Some(Type::Number) => out.push_str(&self.number(node, hint, false)),
            Some(Type::Boolean) => out.push_str(if self.facts.overlap(&hint.stems) > 0 { "true" } else { "false" }),
            Some(Type::Null) | None => out.push_str("null"),
        }
    }

    /// The node behind a schema, references followed.
    fn resolve(&self, schema: &'a Schema) -> Option<&'a Node> {
        let mut node = schema.node()?;
        for _ in 0..DEPTH {
            let Some(reference) = &node.reference else { return Some(node) };
            let root = self.root.node()?;
            node = match reference.strip_prefix("#/$defs/") {
                None => root,
                Some(name) => {
                    let name = name.replace("~1", "/").replace("~0", "~");
                    root.definitions.iter().find(|(known, _)| *known == name)?.1.node()?
                }
            };
        }
        Some(node)
    }

    fn object(&self, node: &'a Node, depth: usize, out: &mut String) {
        out.push('{');
        for (index, (name, schema)) in node.properties.iter().flatten().enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&Value::from(name.as_str()).to_string());
            out.push(':');
            let described = schema.node().and_then(|node| node.description.as_deref()).unwrap_or("");
            let hint = Hint { name, stems: stems(name).chain(stems(described)).collect() };
            self.fill(schema, &hint, depth + 1, out);
        }
        out.push('}');
    }

    /// A list: the values of an enumeration that the text speaks of, what it quotes, its numbers, an object for each
    /// sentence to the point; else as few elements as allowed.
    fn array(&self, node: &'a Node, hint: &Hint<'_>, depth: usize, out: &mut String) {
        let least = node.min_items.unwrap_or(0) as usize;
        let most = node.max_items.map_or(8, |most| most as usize).min(64);
        let mut items: Vec<String> = Vec::new();
        if let Some(schema) = &node.items
            && let Some(of) = self.resolve(schema)
        {
            if let Some(values) = &of.enumeration {
                let spoken = |value: &&Value| value.as_str().is_some_and(|name| self.score(name, of) > 0);
                items.extend(values.iter().filter(spoken).map(Value::to_string));
            } else if of.types.first() == Some(&Type::String) {
                items.extend(self.texts(of, hint).into_iter().map(|text| Value::from(text).to_string()));
            } else if matches!(of.types.first(), Some(Type::Integer | Type::Number)) {
                items.extend(self.facts.numbers.iter().map(|number| number.value.to_string()));
            } else if of.is_object() && depth < 3 {
                items.extend(self.by_sentence(schema, hint, depth));
            }
            items.truncate(most);
            while items.len() < least.min(64) || (items.is_empty() && depth < 3 && most > 0 && of.is_object()) {
                let mut item = String::new();
                self.fill(schema, hint, depth + 1, &mut item);
                items.push(item);
            }
        }
        out.push('[');
        out.push_str(&items.join(","));
        out.push(']');
    }

    /// One object for each sentence that has a word in common with the list or with the object's properties.
    fn by_sentence(&self, schema: &Schema, hint: &Hint<'_>, depth: usize) -> Vec<String> {
        let mut words = self.words(schema);
        words.extend(hint.stems.iter().cloned());
        let of_sentence = |sentence: &&str| {
            let facts = Facts::of(sentence);
            if facts.overlap(&words) == 0 {
                return None;
            }
            let filler = Filler { root: self.root, facts: &facts, hits: Cell::new(0) };
            let mut item = String::new();
            filler.fill(schema, hint, depth + 1, &mut item);
            Some(item)
        };
        self.facts.sentences.iter().filter_map(of_sentence).collect()
    }

    /// One branch of a union: `null` where the text says nothing to the point, else the branch that shares most words
    /// with it.
    fn branch(&self, branches: &'a [Schema], hint: &Hint<'_>, depth: usize, out: &mut String) {
        let (nulls, others): (Vec<&Schema>, Vec<&Schema>) = branches.iter().partition(|branch| branch.is_null());
        let silent = depth > DEPTH || (self.facts.overlap(&hint.stems) == 0 && !self.certain(&others));
        if !nulls.is_empty() && silent {
            return out.push_str("null");
        }
        let mut best: Option<(usize, &Schema)> = None;
        for &branch in &others {
            let score = self.facts.overlap(&self.words(branch));
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, branch));
            }
        }
        match best {
            Some((score, branch)) if depth <= DEPTH => {
                self.hits.set(self.hits.get() + score);
                self.fill(branch, hint, depth, out);
            }
            _ => out.push_str("null"),
        }
    }

    /// Whether the text surely holds what a nullable place wants: a date for a date, say.
    fn certain(&self, branches: &[&'a Schema]) -> bool {
        branches.iter().any(|branch| {
            self.resolve(branch).is_some_and(|node| {
                (node.format.is_some() || node.pattern.is_some())
                    && self.facts.tokens.iter().any(|token| fits(token, node))
            })
        })
    }

    /// The words of a branch: of its constants, its properties and their descriptions.
    fn words(&self, schema: &'a Schema) -> BTreeSet<String> {
        let Some(node) = self.resolve(schema) else { return BTreeSet::new() };
        let mut text = format!("{} {}", node.title.as_deref().unwrap_or(""), node.description.as_deref().unwrap_or(""));
        for (name, property) in node.properties.iter().flatten() {
            text.push(' ');
            text.push_str(name);
            if let Some(property) = property.node() {
                let values = property.enumeration.iter().flatten().chain(&property.constant);
                for value in values.filter_map(Value::as_str).chain(property.description.as_deref()) {
                    text.push(' ');
                    text.push_str(value);
                }
            }
        }
        stems(&text).collect()
    }

    /// The value of an enumeration that shares most words with the text. Where none does: the last, which by habit is
    /// the one for the rest.
    fn choose<'v>(&self, values: &'v [Value], node: &Node, hint: &Hint<'_>) -> &'v Value {
        let by_number = self.nearest(hint).map(|number| number.value);
        let mut best: Option<(usize, &Value)> = None;
        for value in values {
            let score = match value {
                Value::String(name) => self.score(name, node),
                value => usize::from(by_number.is_some() && value.as_f64() == by_number),
            };
            if score > 0 && best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, value));
            }
        }
        if let Some((score, value)) = best {
            self.hits.set(self.hits.get() + score);
            return value;
        }
        values.iter().rfind(|value| !value.is_null()).unwrap_or(&Value::Null)
    }

    /// How many words of a value's name, and of what the description says of it, the text has.
    fn score(&self, name: &str, node: &Node) -> usize {
        let mut words: BTreeSet<String> = stems(name).collect();
        let named = |line: &&str| {
            let bare = line.trim_start_matches([' ', '-', '*', '`', '"']);
            bare.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        words.extend(node.description.iter().flat_map(|text| text.lines()).filter(named).flat_map(stems));
        self.facts.overlap(&words)
    }

    /// A text that fits the node.
    fn string(&self, node: &Node, hint: &Hint<'_>) -> String {
        self.texts(node, hint).into_iter().next().unwrap_or_default()
    }

    /// Texts that fit the node, the best first: tokens of the right form; quotes; sentences.
    fn texts(&self, node: &Node, hint: &Hint<'_>) -> Vec<String> {
        let facts = self.facts;
        if node.format.is_some() || node.pattern.is_some() {
            let tokens = facts.tokens.iter().filter(|token| fits(token, node));
            return tokens.map(|token| (*token).to_owned()).collect();
        }
        let cut = |text: &str| text.chars().take(node.max_length.map_or(usize::MAX, |most| most as usize)).collect();
        if hint.name.to_lowercase().contains("quot") || hint.name.to_lowercase().contains("cit") {
            return facts.quotes.iter().map(|quote| cut(quote)).collect();
        }
        let mut ranked: Vec<(usize, &str)> = facts
            .sentences
            .iter()
            .map(|sentence| (hint.stems.intersection(&stems(sentence).collect()).count(), *sentence))
            .collect();
        ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        ranked.into_iter().take(1).map(|(_, sentence)| cut(sentence)).collect()
    }

    /// A number: a confidence made from what was found, or the text's number that stands nearest to the place's words.
    fn number(&self, node: &Node, hint: &Hint<'_>, whole: bool) -> String {
        let least = node.minimum.map(real).or(node.exclusive_minimum.map(real));
        let most = node.maximum.map(real).or(node.exclusive_maximum.map(real));
        let inside = |value: f64| least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most);
        if !whole && least == Some(0.0) && most == Some(1.0) {
            let confidence = (40 + 15 * self.hits.get()).min(95);
            return format!("{}", confidence as f64 / 100.0);
        }
        let found = self.nearest(hint).map(|number| number.value).filter(|value| inside(*value));
        let value = found.or(least).or(most.filter(|most| *most < 0.0)).unwrap_or(0.0);
        if whole { format!("{value:.0}") } else { format!("{value}") }
    }

    /// The number whose neighbours share most words with the hint; the first of equals.
    fn nearest(&self, hint: &Hint<'_>) -> Option<&Number> {
        let mut best: Option<(usize, &Number)> = None;
        for number in &self.facts.numbers {
            let score = number.around.iter().filter(|stem| hint.stems.contains(*stem)).count();
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, number));
            }
        }
        best.map(|(_, number)| number)
    }
}

/// Whether a token has the form that the node asks for.
fn fits(token: &str, node: &Node) -> bool {
    let by_pattern = node
        .pattern
        .as_ref()
        .is_none_or(|pattern| regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(token)));
    let by_format = match node.format.as_deref() {
        Some("date") => is_date(token),
        Some("date-time") => token.split_once('T').is_some_and(|(date, time)| is_date(date) && time.len() >= 6),
        Some("email") => token.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.')),
        Some("uri") => token.contains("://"),
        Some("uuid") => token.len() == 36 && token.split('-').count() == 5,
        Some("ipv4") => token.parse::<std::net::Ipv4Addr>().is_ok(),
        Some("ipv6") => token.parse::<std::net::Ipv6Addr>().is_ok(),
        Some(_) => false,
        None => true,
    };
    by_pattern && by_format
}

fn is_date(token: &str) -> bool {
    let shape: String = token.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00"
}

fn real(limit: Limit) -> f64 {
    match limit {
        Limit::Integer(value) => value as f64,
        Limit::Unsigned(value) => value as f64,
        Limit::Real(value) => value,
    }
}
