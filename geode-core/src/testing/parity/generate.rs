//! Instances of a schema.

use serde_json::Value;

use super::instance::Instance;
use super::sample::Chance;
use crate::output::StructuredOutput;
use crate::schema::{Node, Schema, Type, local_target};
use crate::shape::Limit;

/// Levels of nesting from which on the shortest way out is taken.
const DEEP: usize = 5;

/// References that are followed in looking for the shortest way out.
const MOST_REFERENCES: usize = 6;

/// Makes instances of a canonical schema, and texts that differ from one in a single thing. The same seed gives the same
/// texts.
///
/// ```
/// use geode_core::testing::Generator;
///
/// let mut generator = Generator::of::<Option<bool>>(7);
/// assert!(["null", "true", "false"].contains(&generator.instance().as_str()));
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    schema: Schema,
    pub(super) chance: Chance,
}

impl Generator {
    /// A generator for a schema.
    pub fn new(schema: &Schema, seed: u64) -> Self {
        Generator { schema: schema.clone(), chance: Chance(seed) }
    }

    /// A generator for a type.
    ///
    /// # Panics
    ///
    /// Where the type has no wire form, as [`schema`](crate::schema()) does.
    pub fn of<T: StructuredOutput>(seed: u64) -> Self {
        Generator::new(&crate::typed::schema::<T>(), seed)
    }

    /// A JSON text that the schema accepts, as far as the generator knows its keywords.
    pub fn instance(&mut self) -> String {
        self.make().text()
    }

    /// A JSON text that is an instance but for one change, which the schema may or may not accept.
    pub fn mutant(&mut self) -> String {
        let mut instance = self.make();
        super::mutate::mutate(&mut instance, &mut self.chance);
        instance.text()
    }

    fn make(&mut self) -> Instance {
        let Generator { schema, chance } = self;
        let mut instance = Maker { root: schema.node(), chance }.schema(schema, 0);
        if self.chance.one_in(4) {
            reorder(&mut instance, &mut self.chance);
        }
        instance
    }
}

/// Turns the members of every object round.
fn reorder(instance: &mut Instance, chance: &mut Chance) {
    match instance {
        Instance::Scalar(_) => {}
        Instance::Array(items) => items.iter_mut().for_each(|item| reorder(item, chance)),
        Instance::Object(members) => {
            let by = chance.below(members.len());
            members.rotate_left(by);
            members.iter_mut().for_each(|(_, value)| reorder(value, chance));
        }
    }
}

struct Maker<'m> {
    root: Option<&'m Node>,
    chance: &'m mut Chance,
}

impl<'m> Maker<'m> {
    fn schema(&mut self, schema: &Schema, depth: usize) -> Instance {
        let Some(node) = schema.node() else { return Instance::null() };
        if let Some(target) = node.reference.as_deref().and_then(local_target) {
            return match self.definition(&target) {
                Some(definition) => self.schema(definition, depth + 1),
                None => Instance::null(),
            };
        }
        // what is said to be one is one that conversions take, too
        if let Some(examples) = &node.examples
            && self.chance.one_in(2)
            && let Some(example) = self.chance.pick(examples)
        {
            return fixed(example);
        }
        if !node.any_of.is_empty() {
            let branch = if depth < DEEP {
                self.chance.pick(&node.any_of)
            } else {
                node.any_of.iter().min_by_key(|branch| self.height(branch, MOST_REFERENCES))
            };
            return branch.map_or_else(Instance::null, |branch| self.schema(branch, depth + 1));
        }
        if let Some(constant) = &node.constant {
            return fixed(constant);
        }
        if let Some(values) = &node.enumeration {
            return self.chance.pick(values).map_or_else(Instance::null, fixed);
        }
        match self.chance.pick(&node.types) {
            Some(Type::Boolean) => Instance::Scalar(if self.chance.one_in(2) { "true" } else { "false" }.to_owned()),
            Some(Type::Integer) => Instance::Scalar(self.integer(node)),
            Some(Type::Number) => Instance::Scalar(self.number(node)),
            Some(Type::String) => Instance::string(&self.string(node)),
            Some(Type::Array) => self.array(node, depth),
            Some(Type::Object) => Instance::Object(self.members(node, depth)),
            Some(Type::Null) | None => Instance::null(),
        }
    }

    fn definition(&self, name: &str) -> Option<&'m Schema> {
        let mut definitions = self.root.into_iter().flat_map(|root| &root.definitions);
        definitions.find(|(other, _)| other == name).map(|(_, definition)| definition)
    }

    /// How many levels the smallest instance of a schema has, following so many references at most.
    fn height(&self, schema: &Schema, references: usize) -> usize {
        let Some(node) = schema.node() else { return 0 };
        if let Some(target) = node.reference.as_deref().and_then(local_target) {
            return match (references.checked_sub(1), self.definition(&target)) {
                (Some(references), Some(definition)) => self.height(definition, references),
                _ => usize::MAX / 2,
            };
        }
        if !node.any_of.is_empty() {
            return node.any_of.iter().map(|branch| self.height(branch, references)).min().unwrap_or(0);
        }
        let properties = node.properties.iter().flatten().map(|(_, schema)| schema);
        let items = node.items.iter().filter(|_| node.min_items.is_some_and(|least| least > 0));
        properties
            .chain(&node.prefix_items)
            .chain(items)
            .map(|schema| 1 + self.height(schema, references))
            .max()
            .unwrap_or(0)
    }

    fn members(&mut self, node: &Node, depth: usize) -> Vec<(String, Instance)> {
        let mut members = Vec::new();
        for (name, schema) in node.properties.iter().flatten() {
            if node.is_required(name) || self.chance.one_in(2) {
                members.push((name.clone(), self.schema(schema, depth + 1)));
            }
        }
        if let Some(schema @ Schema::Node(_)) = &node.additional {
            for index in 0..self.chance.below(if depth < DEEP { 3 } else { 1 }) {
                members.push((format!("{index}{}", self.chance.text(3)), self.schema(schema, depth + 1)));
            }
        }
        members
    }

    fn array(&mut self, node: &Node, depth: usize) -> Instance {
        let least = node.min_items.unwrap_or(0) as usize;
        let most = node.max_items.map_or(least + 3, |most| most as usize).min(least + 3);
        let most = if depth >= DEEP { least } else { most };
        let wanted = least + self.chance.below(most - least + 1);
        let mut items: Vec<Instance> = Vec::new();
        // A set of a small type may have no further element: then it stays small.
        for _ in 0..wanted * 4 {
            if items.len() == wanted {
                break;
            }
            let Some(schema) = node.prefix_items.get(items.len()).or(node.items.as_ref()) else { break };
            let item = self.schema(schema, depth + 1);
            if !node.unique_items || items.iter().all(|other| other.text() != item.text()) {
                items.push(item);
            }
        }
        Instance::Array(items)
    }

    fn string(&mut self, node: &Node) -> String {
        if node.other.iter().any(|(keyword, _)| keyword == "contentMediaType") {
            return r#"{"a": [1, "b"]}"#.to_owned();
        }
        if let Some(text) = node.format.as_deref().and_then(|format| self.chance.formatted(format)) {
            return text.to_owned();
        }
        if let Some(text) = node.pattern.as_deref().and_then(|pattern| self.chance.matching(pattern)) {
            return text;
        }
        let least = node.min_length.unwrap_or(0) as usize;
        let most = node.max_length.map_or(least + 8, |most| most as usize).min(least + 8);
        let length = least + self.chance.below(most.saturating_sub(least) + 1);
        self.chance.text(length)
    }

    fn integer(&mut self, node: &Node) -> String {
        let step = match node.multiple_of {
            Some(Limit::Integer(step)) if step > 0 => step,
            _ => 1,
        };
        let least = whole(node.minimum).max(whole(node.exclusive_minimum).map(|limit| limit + 1)).unwrap_or(-100);
        let most = [whole(node.maximum), whole(node.exclusive_maximum).map(|limit| limit - 1)];
        let most = most.into_iter().flatten().min().unwrap_or(least.saturating_add(200));
        // Within what the oracle keeps exact.
        let (least, most) = (least.max(i128::from(i64::MIN)), most.min(i128::from(u64::MAX)));
        let near = least.saturating_add(self.chance.below(20) as i128).min(most);
        let number = *self.chance.pick(&[least, most, 0, 1, near]).unwrap_or(&least);
        let number = if number < least || number > most { least } else { number };
        let number = number.div_euclid(step) * step;
        let number = if number < least { number + step } else { number };
        // `1.0` and `1e0` are integers too.
        match self.chance.below(12) {
            0 if number.abs() < 1_000_000 => format!("{number}.0"),
            1 if number.abs() < 1_000_000 => format!("{number}e0"),
            _ => number.to_string(),
        }
    }

    fn number(&mut self, node: &Node) -> String {
        let least = real(node.minimum).or(real(node.exclusive_minimum)).unwrap_or(-1000.0);
        let most = real(node.maximum).or(real(node.exclusive_maximum)).unwrap_or(least + 2000.0);
        let inner = least + (most - least) * (self.chance.below(999) as f64 + 0.5) / 1000.0;
        let edges = [inner, inner, real(node.minimum).unwrap_or(inner), real(node.maximum).unwrap_or(inner)];
        let number = self.chance.pick(&edges).copied().unwrap_or(inner);
        match real(node.multiple_of) {
            Some(step) if step > 0.0 => serde_json::Value::from((number / step).floor() * step).to_string(),
            _ => serde_json::Value::from(number).to_string(),
        }
    }
}

fn fixed(value: &Value) -> Instance {
    Instance::Scalar(value.to_string())
}

fn whole(limit: Option<Limit>) -> Option<i128> {
    match limit? {
        Limit::Integer(whole) => Some(whole),
        Limit::Unsigned(_) => Some(i128::MAX - 1),
        Limit::Real(real) => Some(real.ceil() as i128),
    }
}

fn real(limit: Option<Limit>) -> Option<f64> {
    match limit? {
        Limit::Integer(whole) => Some(whole as f64),
        Limit::Unsigned(whole) => Some(whole as f64),
        Limit::Real(real) => Some(real),
    }
}
