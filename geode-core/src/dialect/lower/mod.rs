//! Lowering: from the canonical schema to what one dialect takes.
//!
//! Each pass settles one question, and each is total: a keyword that can't be carried goes into the description and into
//! the weakenings, and what can't be said at all makes the schema incompatible. At the end the result is held against
//! the linter, so that no schema leaves here that the linter would refuse.

mod absence;
mod canonical;
mod disjoint;
mod gather;
mod keywords;
mod merge;
mod types;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

#[cfg(feature = "schemars")]
use super::catalogue::CANONICAL;
use super::facts::{Absence, Dialect, References, RootRule};
use super::lint::lint;
use super::{Breach, Incompatible, Weakening, WirePlan};
use crate::json::ReadOptions;
use crate::schema::{self, Node, Schema, Type, from_shape, is_openai_strict};
use crate::shape::Shape;

/// The schema of `shape` for `dialect`, and what it could not carry. Made once in a process.
///
/// # Errors
///
/// Where the dialect can't take the shape, every breach of its rules.
pub fn lower(shape: &'static Shape, dialect: &'static Dialect) -> Result<Arc<WirePlan>, Incompatible> {
    type Lowered = Result<Arc<WirePlan>, Incompatible>;
    static MADE: LazyLock<Mutex<HashMap<(usize, usize), Lowered>>> = LazyLock::new(Mutex::default);
    // Shapes at one address are one and the same constant.
    let key = (std::ptr::from_ref(shape).addr(), std::ptr::from_ref(dialect).addr());
    if let Some(made) = MADE.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return made.clone();
    }
    let lowered = lower_shape(shape, dialect).map(Arc::new);
    MADE.lock().unwrap_or_else(PoisonError::into_inner).insert(key, lowered.clone());
    lowered
}

fn lower_shape(shape: &'static Shape, dialect: &'static Dialect) -> Result<WirePlan, Incompatible> {
    let schema = from_shape(shape).map_err(|errors| {
        let breach = |error: schema::SchemaError| Breach {
            pointer: error.pointer,
            keyword: "properties".to_owned(),
            rule: error.reason,
            help: "change the type",
        };
        Incompatible::new(dialect, errors.into_iter().map(breach).collect())
    })?;
    Lowering::new(dialect).finish(schema)
}

/// A raw schema for `dialect`, and what it could not carry.
///
/// The result accepts nothing that the schema refuses, except what the weakenings name, and spells an optional
/// property as a nullable one where the dialect wants every property required.
///
/// # Errors
///
/// Where the dialect can't take the schema, every breach of its rules.
pub fn lower_schema(schema: &Schema, dialect: &'static Dialect) -> Result<WirePlan, Incompatible> {
    let mut lowering = Lowering::new(dialect);
    let mut schema = schema.clone();
    if dialect.keywords.is_some() {
        schema = lowering.canonical(schema);
    } else if lowering.wraps(&schema) {
        // So that every reference still holds when the root has moved.
        gather::gather_definitions(&mut schema);
    }
    lowering.finish(schema)
}

/// A schema that others made of a type, in the form of our own types as far as that can say it: unions as `anyOf`, objects
/// closed, every property required, an optional one nullable. The rest stays, for each dialect to judge.
#[cfg(feature = "schemars")]
pub(crate) fn canonical(schema: Schema) -> Schema {
    Lowering { lenient: true, ..Lowering::new(&CANONICAL) }.canonical(schema)
}

struct Lowering {
    dialect: &'static Dialect,
    /// What the dialect doesn't take stays as it is.
    lenient: bool,
    weakenings: Vec<Weakening>,
    breaches: Vec<Breach>,
    lifts: ReadOptions,
}

impl Lowering {
    fn new(dialect: &'static Dialect) -> Self {
        let lifts = ReadOptions { any_case: dialect.any_case, ..ReadOptions::default() };
        Lowering { dialect, lenient: false, weakenings: Vec::new(), breaches: Vec::new(), lifts }
    }

    /// The passes that every schema goes through.
    fn finish(mut self, schema: Schema) -> Result<WirePlan, Incompatible> {
        let mut schema = self.wrap_root(schema);
        self.refuse_recursion(&schema);
        if self.dialect.absence == Absence::Budget {
            self.lifts.absent_is_null = absence::use_budget(&mut schema, &self.dialect.limits, self.lifts.wrapped_root);
        }
        if let Some(root) = schema.node_mut()
            && !place_definitions(root, self.dialect.references)
        {
            self.breaches.push(Breach {
                pointer: String::new(),
                keyword: "$ref".to_owned(),
                rule: format!(
                    "{} takes no references here, and written out the schema has over {} parts or {} levels",
                    self.dialect.provider,
                    schema::MOST_INLINED,
                    schema::MOST_LEVELS
                ),
                help: "refer to fewer definitions from within definitions, or use tool mode",
            });
        }
        self.keywords(&mut schema, "");
        if let Some(root) = schema.node_mut() {
            schema::prune(root);
        }
        if self.breaches.is_empty() {
            self.breaches = lint(&schema, self.dialect);
        }
        if !self.breaches.is_empty() {
            return Err(Incompatible::new(self.dialect, self.breaches));
        }
        Ok(WirePlan {
            dialect: self.dialect,
            strict: is_openai_strict(&schema),
            schema: schema.to_raw(),
            weakenings: self.weakenings,
            lifts: self.lifts,
        })
    }

    /// Whether the root is one that the dialect doesn't take.
    fn wraps(&self, schema: &Schema) -> bool {
        match (self.dialect.root, schema.node()) {
            (RootRule::Any, _) => false,
            (RootRule::Typed, Some(node)) => node.types.is_empty(),
            (RootRule::Object, Some(node)) => {
                // Where no keyword is taken off, those that don't go at a root are still there.
                let as_it_is = self.dialect.keywords.is_none();
                node.types != [Type::Object]
                    || !node.any_of.is_empty()
                    || node.reference.is_some()
                    || (as_it_is && !node.is_plain_object())
            }
            (_, None) => true,
        }
    }

    /// Puts a root that the dialect doesn't take into a closed object of the one property `value`.
    fn wrap_root(&mut self, mut schema: Schema) -> Schema {
        if !self.wraps(&schema) {
            return schema;
        }
        self.lifts.wrapped_root = true;
        let (title, definitions) = schema
            .node_mut()
            .map_or_else(Default::default, |node| (node.title.take(), std::mem::take(&mut node.definitions)));
        let root = Node::closed_object(vec![("value".to_owned(), schema)]);
        Node { title, definitions, ..root }.into()
    }

    fn refuse_recursion(&mut self, schema: &Schema) {
        if self.dialect.recursion {
            return;
        }
        for name in schema.node().map(schema::recursive_definitions).unwrap_or_default() {
            self.breaches.push(Breach {
                pointer: schema::join("/$defs", &name),
                keyword: "$ref".to_owned(),
                rule: format!("{} takes no recursive schema, and {name} is recursive", self.dialect.provider),
                help: "use tool mode, or limit the depth: write the levels out, or refer to items by an id",
            });
        }
    }
}

/// Puts definitions where the dialect wants them. `false` says that the schema would grow without measure.
fn place_definitions(root: &mut Node, references: References) -> bool {
    let mut fits = true;
    match references {
        References::Free => {}
        References::Wrapped => schema::wrap_references(root),
        References::Alone => {
            fits = schema::inline(root, |node, _| node.keywords().len() > 1);
            schema::wrap_references(root);
        }
        References::RecursionOnly => {
            fits = schema::inline(root, |_, _| true);
            schema::wrap_references(root);
        }
    }
    schema::prune(root);
    fits
}
