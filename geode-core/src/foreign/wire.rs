//! Our types for crates that speak schemars and serde: `JsonSchema` is the wire form, the one that our parser accepts.

use std::any::type_name;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::{Deref, DerefMut};

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::json::{from_str, to_string};
use crate::output::StructuredOutput;
use crate::schema::{Node, Schema, inline, local_target, name_of};
use crate::typed::schema;

/// A `T` for crates that want schemars' `JsonSchema` and serde's `Deserialize`, as rmcp, rig and aide do: its schema is the
/// wire form, and it is read by our parser, every constraint checked.
///
/// `T` needs nothing of serde's or schemars'. A type that shall implement `JsonSchema` itself says
/// `#[geode(json_schema)]`; serde then reads it, by serde's own rules.
///
/// ```
/// # use geode_core::Wire;
/// let schema = schemars::schema_for!(Wire<Option<u8>>);
/// assert_eq!(schema.as_value()["anyOf"][0]["maximum"], 255);
/// assert_eq!(serde_json::from_str::<Wire<Option<u8>>>("7")?.0, Some(7));
/// assert!(serde_json::from_str::<Wire<Option<u8>>>("700").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wire<T>(pub T);

impl<T> Deref for Wire<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Wire<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Wire<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: StructuredOutput> JsonSchema for Wire<T> {
    fn schema_name() -> Cow<'static, str> {
        schema_name::<T>()
    }

    fn schema_id() -> Cow<'static, str> {
        type_name::<T>().into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
        json_schema::<T, Self>(generator)
    }
}

impl<T: StructuredOutput> Serialize for Wire<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: Value = serde_json::from_str(&to_string(&self.0)).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

/// The error lists every violation with its place, and no content.
impl<'de, T: StructuredOutput> Deserialize<'de> for Wire<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        from_str(&value.to_string()).map(Wire).map_err(D::Error::custom)
    }
}

/// The name that a type's schema has among schemars' definitions.
pub fn schema_name<T: StructuredOutput>() -> Cow<'static, str> {
    name_of(T::SHAPE)
}

/// The schema of `T`'s wire form, for the `json_schema` of `S`, whose schema it is. Definitions go where the generator
/// keeps its own.
///
/// # Panics
///
/// Where `T` has no wire form, as [`schema`](crate::schema()) does.
pub fn json_schema<T: StructuredOutput, S: JsonSchema>(generator: &mut SchemaGenerator) -> schemars::Schema {
    let mut schema = schema::<T>();
    if let Some(root) = schema.node_mut() {
        let title = root.title.take();
        if generator.settings().inline_subschemas {
            inline(root, |_, _| true);
        }
        let mut definitions = std::mem::take(&mut root.definitions);
        let mut references = HashMap::new();
        // A recursive type refers to itself by the name that the generator gives it.
        if let Some(index) = definitions.iter().position(|(name, _)| Some(name) == title.as_ref())
            && definitions.get(index).is_some_and(|(_, body)| body.node() == Some(root))
        {
            let (name, _) = definitions.remove(index);
            let own = generator.subschema_for::<S>();
            references.extend(own.get("$ref").and_then(Value::as_str).map(|own| (name, own.to_owned())));
        }
        hoist(generator, &S::schema_name(), &definitions, &mut references);
        retarget(root, &references);
    }
    schemars::Schema::try_from(Value::from(&schema)).unwrap_or_default()
}

/// Puts definitions among the generator's own, each under the type's name and its own, and a number where that is taken:
/// schemars gives no type a name with a dot in it.
fn hoist(
    generator: &mut SchemaGenerator,
    name: &str,
    definitions: &[(String, Schema)],
    references: &mut HashMap<String, String>,
) {
    let path = generator.settings().definitions_path.trim_start_matches('#').trim_end_matches('/').to_owned();
    for number in 1_usize.. {
        let suffix = if number == 1 { String::new() } else { number.to_string() };
        let key = |definition: &str| format!("{name}.{definition}{suffix}");
        references.extend(definitions.iter().map(|(own, _)| (own.clone(), format!("#{path}/{}", key(own)))));
        let bodies = definitions.iter().map(|(own, body)| {
            let mut body = body.clone();
            if let Some(node) = body.node_mut() {
                retarget(node, references);
            }
            (key(own), Value::from(&body))
        });
        let bodies: Vec<(String, Value)> = bodies.collect();
        let taken = |(key, body): &(String, Value)| generator.definitions().get(key).is_some_and(|other| other != body);
        if !bodies.iter().any(taken) {
            generator.definitions_mut().extend(bodies);
            return;
        }
    }
}

/// Makes references follow definitions to where they are now.
fn retarget(node: &mut Node, references: &HashMap<String, String>) {
    let target = node.reference.as_deref().and_then(local_target);
    if let Some(reference) = target.and_then(|target| references.get(&target)) {
        node.reference = Some(reference.clone());
    }
    for (_, child) in node.children_mut() {
        if let Some(child) = child.node_mut() {
            retarget(child, references);
        }
    }
}
