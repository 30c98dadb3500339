//! What changed from one schema to the next, and whom it breaks.

mod objects;
mod unions;
mod values;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;

use serde_json::Value;

use super::node::{Node, Schema, Type};
use super::places::Places;
use super::pointer::join;

/// One change, and whom it breaks.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Change {
    /// JSON Pointer into the schemas; where they differ in structure, into the one that has the place.
    pub pointer: String,
    /// What kind of change it is: `enum-value-added`. The names are stable.
    pub kind: &'static str,
    /// Whom it breaks.
    pub breaks: Breaks,
    /// Why, a sentence.
    pub reason: String,
}

/// Whom a change breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Breaks {
    /// Nobody: the same values are accepted.
    Neither,
    /// Whoever writes values, or has stored some: what the old schema accepts, the new one may refuse.
    Producer,
    /// Whoever reads values by the old schema: what the new schema accepts, the old one may refuse.
    Consumer,
    /// Both.
    Both,
}

impl fmt::Display for Breaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Breaks::Neither => "neither",
            Breaks::Producer => "producer",
            Breaks::Consumer => "consumer",
            Breaks::Both => "both",
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the root" } else { &self.pointer };
        write!(f, "{place}: {} (breaks {}): {}", self.kind, self.breaks, self.reason)
    }
}

/// Every change from `old` to `new`, in document order; those behind references come last.
///
/// ```
/// use geode_core::schema::{Breaks, Schema, compare};
///
/// let old: Schema = r#"{"enum": ["open", "closed"]}"#.parse()?;
/// let new: Schema = r#"{"enum": ["open", "closed", "paused"]}"#.parse()?;
/// let changes = compare(&old, &new);
/// assert_eq!((changes[0].kind, changes[0].breaks), ("enum-value-added", Breaks::Consumer));
/// # Ok::<(), geode_core::schema::SchemaError>(())
/// ```
pub fn compare(old: &Schema, new: &Schema) -> Vec<Change> {
    let mut compare = Compare {
        old: Places::of(old),
        new: Places::of(new),
        compared: HashSet::new(),
        pending: VecDeque::new(),
        changes: Vec::new(),
    };
    compare.schemas(old, new, "");
    while let Some((old, new, pointer)) = compare.pending.pop_front() {
        compare.schemas(old, new, &pointer);
    }
    compare.changes
}

/// Fails where a change breaks one of `whom`.
///
/// # Panics
///
/// Where there is such a change, with all of them.
#[track_caller]
pub fn assert_compatible(old: &Schema, new: &Schema, whom: Breaks) {
    let hurts = |breaks: Breaks| breaks == Breaks::Both || whom == Breaks::Both || breaks == whom;
    let breaking: Vec<String> = compare(old, new)
        .iter()
        .filter(|change| change.breaks != Breaks::Neither && hurts(change.breaks))
        .map(ToString::to_string)
        .collect();
    assert!(breaking.is_empty(), "breaking changes:\n{}", breaking.join("\n"));
}

struct Compare<'s> {
    old: Places<'s>,
    new: Places<'s>,
    /// Pairs of references that were compared, so that each is told once and recursion ends.
    compared: HashSet<(&'s str, &'s str)>,
    /// What references lead to, and where they stand: gone through by and by, however long a chain of them is.
    pending: VecDeque<(&'s Schema, &'s Schema, String)>,
    changes: Vec<Change>,
}

impl<'s> Compare<'s> {
    fn change(&mut self, pointer: &str, kind: &'static str, breaks: Breaks, reason: impl Into<String>) {
        self.changes.push(Change { pointer: pointer.to_owned(), kind, breaks, reason: reason.into() });
    }

    fn schemas(&mut self, old: &'s Schema, new: &'s Schema, pointer: &str) {
        if let (Some(before), Some(after)) = (old.node(), new.node()) {
            if !stands_alone(before, &self.old) || !stands_alone(after, &self.new) {
                return self.beside_references(before, after, pointer);
            }
            if before.reference.is_some() && after.reference.is_some() {
                self.annotations(before, after, pointer);
                return self.later(before, after, pointer);
            }
        }
        let (old, new) = (resolve(old, &self.old), resolve(new, &self.new));
        match (old, new) {
            (Schema::Node(old), Schema::Node(new)) => self.nodes(old, new, pointer),
            (Schema::Boolean(old), Schema::Boolean(new)) if old == new => {}
            (Schema::Boolean(true), _) | (_, Schema::Boolean(false)) => {
                self.change(pointer, "schema-narrowed", Breaks::Producer, "fewer values are accepted");
            }
            (Schema::Boolean(false), _) | (_, Schema::Boolean(true)) => {
                self.change(pointer, "schema-widened", Breaks::Consumer, "more values are accepted");
            }
        }
    }

    /// Leaves for later what two references lead to.
    fn later(&mut self, old: &'s Node, new: &'s Node, pointer: &str) {
        if let (Some(before), Some(after)) = (old.reference.as_deref(), new.reference.as_deref())
            && let (Some(old), Some(new)) = (self.old.find(before), self.new.find(after))
            && self.compared.insert((before, after))
        {
            self.pending.push_back((old, new, pointer.to_owned()));
        }
    }

    /// Nodes of which one has constraints beside its reference, or a reference that leads out of the document.
    fn beside_references(&mut self, old: &'s Node, new: &'s Node, pointer: &str) {
        let leads = |node: &Node, places: &Places<'s>| {
            node.reference.as_deref().is_some_and(|reference| places.find(reference).is_some())
        };
        let leads = (leads(old, &self.old), leads(new, &self.new));
        self.nodes(old, new, pointer);
        match leads {
            (true, true) => self.later(old, new, pointer),
            (false, false) if old.reference == new.reference => {}
            _ => {
                let reason = "what the references lead to is not compared here";
                self.change(pointer, "reference-changed", Breaks::Both, reason);
            }
        }
    }

    fn nodes(&mut self, old: &'s Node, new: &'s Node, pointer: &str) {
        self.annotations(old, new, pointer);
        self.types(old, new, pointer);
        self.values(old, new, pointer);
        self.limits(old, new, pointer);
        self.objects(old, new, pointer);
        self.arrays(old, new, pointer);
        self.unions(old, new, pointer);
    }

    fn annotations(&mut self, old: &'s Node, new: &'s Node, pointer: &str) {
        let said = [
            ("title-changed", old.title != new.title),
            ("description-changed", old.description != new.description),
            ("default-changed", old.default != new.default),
            ("examples-changed", old.examples != new.examples),
        ];
        for (kind, changed) in said {
            if changed {
                self.change(
                    pointer,
                    kind,
                    Breaks::Neither,
                    "words do not change what is accepted, though a model reads them",
                );
            }
        }
        let values = |node: &'s Node| -> HashMap<&'s str, &'s Value> {
            node.other.iter().map(|(keyword, value)| (keyword.as_str(), value)).collect()
        };
        let (before, after) = (values(old), values(new));
        let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
        for keyword in names {
            if before.get(keyword) != after.get(keyword) {
                let at = join(pointer, keyword);
                if is_annotation(keyword) {
                    self.change(&at, "annotation-changed", Breaks::Neither, "an annotation changed");
                } else {
                    self.change(
                        &at,
                        "keyword-changed",
                        Breaks::Both,
                        format!("what `{keyword}` does is not compared here"),
                    );
                }
            }
        }
    }

    fn types(&mut self, old: &Node, new: &Node, pointer: &str) {
        let (before, after) = (effective_types(old), effective_types(new));
        if before == after {
            return;
        }
        let takes = |types: &[Type], of: &Type| {
            types.is_empty() || types.contains(of) || (*of == Type::Integer && types.contains(&Type::Number))
        };
        let narrowed = (before.is_empty() && !after.is_empty()) || before.iter().any(|of| !takes(&after, of));
        let widened = (after.is_empty() && !before.is_empty()) || after.iter().any(|of| !takes(&before, of));
        let null = |types: &[Type]| types.contains(&Type::Null);
        let others = |types: &[Type]| types.iter().filter(|of| **of != Type::Null).copied().collect::<Vec<_>>();
        let only_null = others(&before) == others(&after);
        match (narrowed, widened) {
            (false, true) if only_null && null(&after) => {
                self.change(pointer, "null-allowed", Breaks::Consumer, "a reader may meet `null` now");
            }
            (true, false) if only_null && null(&before) => {
                self.change(pointer, "null-forbidden", Breaks::Producer, "`null` is refused now");
            }
            (true, true) => self.change(pointer, "type-changed", Breaks::Both, "another type is asked for"),
            (true, false) => self.change(pointer, "type-narrowed", Breaks::Producer, "fewer types are accepted"),
            (false, true) => self.change(pointer, "type-widened", Breaks::Consumer, "more types are accepted"),
            (false, false) => {}
        }
    }
}

/// Types that a node accepts, those of a bare union of scalars and `null` included.
fn effective_types(node: &Node) -> Vec<Type> {
    let mut types = node.types.clone();
    if types.is_empty() {
        let values = node.enumeration.iter().flatten().chain(&node.constant);
        types.extend(values.map(Type::of));
    }
    types.sort_unstable();
    types.dedup();
    types
}

/// Whether a reference of the node's says all that the node says but for words, and leads somewhere.
fn stands_alone(node: &Node, places: &Places<'_>) -> bool {
    let Some(reference) = &node.reference else { return true };
    places.find(reference).is_some()
        && node.keywords().into_iter().all(|keyword| keyword == "$ref" || is_words(keyword))
}

/// Whether a keyword changes nothing about what is accepted.
fn is_words(keyword: &str) -> bool {
    const WORDS: [&str; 6] = ["title", "description", "default", "examples", "$defs", "definitions"];
    WORDS.contains(&keyword) || is_annotation(keyword)
}

fn is_annotation(keyword: &str) -> bool {
    matches!(keyword, "$schema" | "$id" | "$anchor" | "$comment" | "deprecated" | "readOnly" | "writeOnly")
}

/// The schema that references lead to within their own document.
fn resolve<'s>(schema: &'s Schema, places: &Places<'s>) -> &'s Schema {
    let mut schema = schema;
    for _ in 0..MOST_STEPS {
        let alone = schema.node().filter(|node| stands_alone(node, places));
        match alone.and_then(|node| places.find(node.reference.as_deref()?)) {
            Some(target) => schema = target,
            None => return schema,
        }
    }
    schema
}

/// Most references that lead on to another in a row.
const MOST_STEPS: usize = 64;

#[cfg(test)]
mod tests;
