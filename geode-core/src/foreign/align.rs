//! A value brought into the form that its schema spells out: what is absent as `null`, names in their own case.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::schema::{Node, Schema, Type, join};

/// Most schemas that are looked at for one value. When they are used up, the value stays as it is from there on, and the
/// schema judges it.
const MOST_STEPS: usize = 100_000;

/// Walks a value along its schema.
pub(super) struct Align<'s> {
    definitions: HashMap<String, &'s Schema>,
    /// A property that is absent and may be `null` becomes `null`.
    fill: bool,
    /// Names of enum values are compared without regard to ASCII case.
    any_case: bool,
    /// Whether a name was in another case.
    pub(super) recased: bool,
    steps: usize,
}

impl<'s> Align<'s> {
    pub(super) fn new(root: Option<&'s Node>, fill: bool, any_case: bool) -> Self {
        let definitions = root.into_iter().flat_map(|root| &root.definitions);
        Align {
            definitions: definitions.map(|(name, schema)| (join("#/$defs", name), schema)).collect(),
            fill,
            any_case,
            recased: false,
            steps: MOST_STEPS,
        }
    }

    /// Aligns the value; whether it then has the schema's outline: its type, its properties, its names.
    pub(super) fn value(&mut self, value: &mut Value, schema: &'s Schema) -> bool {
        let Some(steps) = self.steps.checked_sub(1) else { return false };
        self.steps = steps;
        let Some(node) = self.follow(schema) else { return *schema != Schema::Boolean(false) };
        let mut branches = node.any_of.iter().chain(&node.one_of).peekable();
        if branches.peek().is_some() {
            return branches.any(|branch| self.branch(value, branch));
        }
        if let Some(names) = node.enumeration.as_deref().or(node.constant.as_ref().map(std::slice::from_ref)) {
            return self.name(value, names);
        }
        if !node.types.is_empty() && !node.types.iter().any(|of| is_of(value, *of)) {
            return false;
        }
        match value {
            Value::Object(members) => self.members(members, node),
            Value::Array(items) => {
                let mut fits = true;
                for (item, schema) in items.iter_mut().zip(node.items.iter().cycle()) {
                    fits &= self.value(item, schema);
                }
                fits
            }
            _ => true,
        }
    }

    /// Aligns the value with one branch of several; it stays as it was where the branch isn't its own.
    fn branch(&mut self, value: &mut Value, branch: &'s Schema) -> bool {
        let (mut trial, recased) = (value.clone(), self.recased);
        let fits = self.value(&mut trial, branch);
        if fits {
            *value = trial;
        } else {
            self.recased = recased;
        }
        fits
    }

    fn members(&mut self, members: &mut Map<String, Value>, node: &'s Node) -> bool {
        let mut fits = true;
        for (name, schema) in node.properties.iter().flatten() {
            match members.get_mut(name) {
                Some(member) => fits &= self.value(member, schema),
                None if self.fill && self.value(&mut Value::Null, schema) => {
                    members.insert(name.clone(), Value::Null);
                }
                None => fits &= !node.is_required(name),
            }
        }
        let known = |name: &str| node.properties.iter().flatten().any(|(other, _)| other == name);
        for (_, member) in members.iter_mut().filter(|(name, _)| !known(name)) {
            fits &= node.additional.as_ref().is_none_or(|schema| self.value(member, schema));
        }
        fits
    }

    fn name(&mut self, value: &mut Value, names: &[Value]) -> bool {
        if names.contains(value) {
            return true;
        }
        let Some(text) = value.as_str().filter(|_| self.any_case) else { return false };
        let same = names.iter().find(|name| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case(text)));
        if let Some(same) = same {
            *value = same.clone();
            self.recased = true;
        }
        same.is_some()
    }

    fn follow(&self, schema: &'s Schema) -> Option<&'s Node> {
        let mut node = schema.node()?;
        for _ in 0..=self.definitions.len() {
            let Some(reference) = &node.reference else { return Some(node) };
            node = self.definitions.get(reference)?.node()?;
        }
        None
    }
}

fn is_of(value: &Value, of: Type) -> bool {
    let own = Type::of(value);
    own == of || (own == Type::Integer && of == Type::Number)
}
