//! Changes of objects and arrays.

use std::collections::{HashMap, HashSet};

use super::{Breaks, Compare};
use crate::schema::node::{Node, Schema};
use crate::schema::pointer::join;

impl<'s> Compare<'s> {
    pub(super) fn objects(&mut self, old: &'s Node, new: &'s Node, pointer: &str) {
        let (before, after) = (Object::of(old), Object::of(new));
        let place = format!("{pointer}/properties");
        for (name, schema) in before.properties {
            let at = join(&place, name);
            match after.find(name) {
                Some(other) => {
                    self.schemas(schema, other, &at);
                    self.required(&before, &after, name, &at);
                }
                None => self.removed(&before, &after, name, &at),
            }
        }
        for (name, _) in after.properties.iter().filter(|(name, _)| before.find(name).is_none()) {
            self.added(&before, &after, name, &join(&place, name));
        }
        let order = |list: &Object<'s>, other: &Object<'s>| -> Vec<&'s str> {
            list.properties.iter().map(|(name, _)| name.as_str()).filter(|name| other.find(name).is_some()).collect()
        };
        if order(&before, &after) != order(&after, &before) {
            self.change(pointer, "property-order-changed", Breaks::Neither, "order means nothing to a reader of JSON");
        }
        self.openness(old, new, pointer);
    }

    fn required(&mut self, old: &Object<'_>, new: &Object<'_>, name: &str, at: &str) {
        match (old.requires(name), new.requires(name)) {
            (false, true) => {
                self.change(at, "property-required", Breaks::Producer, "values without it are refused now")
            }
            (true, false) => self.change(at, "property-optional", Breaks::Consumer, "a reader may miss it now"),
            _ => {}
        }
    }

    fn removed(&mut self, old: &Object<'_>, new: &Object<'_>, name: &str, at: &str) {
        match (old.requires(name), new.closed) {
            (true, true) => {
                self.change(
                    at,
                    "required-property-removed",
                    Breaks::Both,
                    "readers miss it, and values with it are refused",
                );
            }
            (false, true) => {
                self.change(at, "optional-property-removed", Breaks::Producer, "values with it are refused now");
            }
            (true, false) => {
                self.change(at, "required-property-no-longer-named", Breaks::Consumer, "a reader may miss it now");
            }
            (false, false) => {
                self.change(at, "optional-property-no-longer-named", Breaks::Consumer, "it may hold any value now");
            }
        }
    }

    fn added(&mut self, old: &Object<'_>, new: &Object<'_>, name: &str, at: &str) {
        match (new.requires(name), old.closed) {
            (true, true) => self.change(
                at,
                "required-property-added",
                Breaks::Both,
                "values without it are refused now, and a closed reader refuses values with it",
            ),
            (true, false) => {
                self.change(at, "required-property-named", Breaks::Producer, "values without it are refused now");
            }
            (false, true) => {
                self.change(at, "optional-property-added", Breaks::Consumer, "a closed reader refuses values with it");
            }
            (false, false) => {
                self.change(at, "optional-property-named", Breaks::Producer, "it could hold any value before");
            }
        }
    }

    fn openness(&mut self, old: &'s Node, new: &'s Node, pointer: &str) {
        if !old.is_object() || !new.is_object() {
            return;
        }
        match (is_closed(old), is_closed(new)) {
            (false, true) => {
                self.change(pointer, "object-closed", Breaks::Producer, "unnamed properties are refused now")
            }
            (true, false) => self.change(pointer, "object-opened", Breaks::Consumer, "unnamed properties may come now"),
            (true, true) => {}
            (false, false) => {
                let at = format!("{pointer}/additionalProperties");
                match (&old.additional, &new.additional) {
                    (Some(old), Some(new)) => self.schemas(old, new, &at),
                    (None, Some(new)) if new != &Schema::Boolean(true) => {
                        self.change(
                            &at,
                            "schema-narrowed",
                            Breaks::Producer,
                            "unnamed properties are held to a schema now",
                        );
                    }
                    (Some(old), None) if old != &Schema::Boolean(true) => {
                        self.change(
                            &at,
                            "schema-widened",
                            Breaks::Consumer,
                            "unnamed properties may hold anything now",
                        );
                    }
                    _ => {}
                }
            }
        }
    }

    pub(super) fn arrays(&mut self, old: &'s Node, new: &'s Node, pointer: &str) {
        match (&old.items, &new.items) {
            (Some(old), Some(new)) => self.schemas(old, new, &format!("{pointer}/items")),
            (None, Some(_)) => {
                self.change(pointer, "items-added", Breaks::Producer, "elements are held to a schema now");
            }
            (Some(_), None) => self.change(pointer, "items-removed", Breaks::Consumer, "elements may be anything now"),
            (None, None) => {}
        }
        for (index, (old, new)) in old.prefix_items.iter().zip(&new.prefix_items).enumerate() {
            self.schemas(old, new, &format!("{pointer}/prefixItems/{index}"));
        }
        if old.prefix_items.len() != new.prefix_items.len() {
            self.change(pointer, "tuple-length-changed", Breaks::Both, "positions mean something else now");
        }
    }
}

/// What a node says of objects, to be asked of many properties.
struct Object<'s> {
    properties: &'s [(String, Schema)],
    by_name: HashMap<&'s str, &'s Schema>,
    required: HashSet<&'s str>,
    closed: bool,
}

impl<'s> Object<'s> {
    fn of(node: &'s Node) -> Self {
        let properties = node.properties.as_deref().unwrap_or_default();
        let by_name = properties.iter().map(|(name, schema)| (name.as_str(), schema)).collect();
        Object { properties, by_name, required: node.required_names(), closed: is_closed(node) }
    }

    fn find(&self, name: &str) -> Option<&'s Schema> {
        self.by_name.get(name).copied()
    }

    fn requires(&self, name: &str) -> bool {
        self.required.contains(name)
    }
}

fn is_closed(node: &Node) -> bool {
    node.additional == Some(Schema::Boolean(false))
}
