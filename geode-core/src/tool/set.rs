//! Tools by name.

use std::sync::Arc;

use super::erased::ErasedTool;
use super::typed::TypedTool;
use super::{DefinitionError, RawTool, Tier, Tool};
use crate::dialect::{self, Dialect, Incompatible, Weakening, WirePlan};
use crate::message::ToolSpec;
use crate::output::StructuredOutput;
use crate::shape::{Edge, Shape};

/// Tools by name, in the order in which they were added: the order in which the model sees them. Cheap to clone.
#[must_use]
#[derive(Clone, Default)]
pub struct ToolSet {
    pub(super) tools: Vec<Arc<dyn ErasedTool>>,
}

impl ToolSet {
    /// An empty set.
    pub fn new() -> Self {
        ToolSet::default()
    }

    /// Adds a typed tool. One of the same name is replaced. Its name, description, tier and timeout are asked for here,
    /// once.
    ///
    /// Providers want a tool's arguments to be an object: other types of arguments don't compile.
    ///
    /// ```compile_fail,E0080
    /// use geode_core::tool::{ToolSet, from_fn};
    ///
    /// let sum = from_fn("sum", "Adds up.", |numbers: Vec<i64>| async move { Ok(numbers.iter().sum::<i64>()) });
    /// let tools = ToolSet::new().with(sum); // the arguments of a tool must be a struct: wrap them in one
    /// ```
    pub fn with<T: Tool>(mut self, tool: T) -> Self {
        const { arguments_are_an_object(T::Arguments::SHAPE) };
        self.insert(Arc::new(TypedTool::of(tool)));
        self
    }

    /// Adds a raw tool. One of the same name is replaced.
    pub fn with_raw(mut self, tool: RawTool) -> Self {
        self.insert(Arc::new(tool));
        self
    }

    /// Adds all tools of another set. Those of the same name are replaced.
    pub fn with_all(mut self, other: ToolSet) -> Self {
        for tool in other.tools {
            self.insert(tool);
        }
        self
    }

    /// The tools of these names, in the order of the names.
    ///
    /// # Errors
    ///
    /// The first name that is not in the set, with the nearest one that is.
    pub fn pick<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<ToolSet, UnknownTool> {
        let mut picked = ToolSet::new();
        for name in names {
            match self.find(name) {
                Some(tool) => picked.tools.push(Arc::clone(tool)),
                None => {
                    let near = crate::nearest::nearest(name, self.names()).map(str::to_owned);
                    return Err(UnknownTool { name: name.to_owned(), near });
                }
            }
        }
        Ok(picked)
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The tier of the tool of this name.
    pub fn tier(&self, name: &str) -> Option<Tier> {
        self.find(name).map(|tool| tool.tier())
    }

    /// Their specs for a provider's dialect. A schema that the dialect can't take goes out as plain JSON Schema, which
    /// providers take as a hint: the parser holds the arguments to all of it either way, and
    /// [`weakenings`](PlannedTools::weakenings) says what the wire does not carry.
    ///
    /// # Errors
    ///
    /// The first tool whose schema can't go out at all.
    pub fn plan(&self, dialect: &'static Dialect) -> Result<PlannedTools, DefinitionError> {
        let mut planned = PlannedTools::default();
        for tool in &self.tools {
            let plan = match tool.plan(dialect) {
                Ok(plan) => plan,
                Err(misfit) => {
                    planned.hints.push((tool.name().to_owned(), misfit));
                    tool.plan(&dialect::TOOL_HINT).map_err(|misfit| {
                        DefinitionError::of(tool.name(), format!("its schema can't be sent: {misfit}"))
                    })?
                }
            };
            planned.specs.push(ToolSpec {
                name: tool.name().to_owned(),
                description: tool.description().to_owned(),
                input_schema: plan.schema.clone(),
            });
            planned.tools.push((Arc::clone(tool), plan));
        }
        Ok(planned)
    }

    /// Holds the names against what every provider takes. Raw tools were checked when they were made.
    pub(crate) fn check(&self) -> Result<(), DefinitionError> {
        self.names().try_for_each(super::definitions::check_name)
    }

    fn find(&self, name: &str) -> Option<&Arc<dyn ErasedTool>> {
        self.tools.iter().find(|tool| tool.name() == name)
    }

    pub(super) fn insert(&mut self, tool: Arc<dyn ErasedTool>) {
        match self.tools.iter_mut().find(|old| old.name() == tool.name()) {
            Some(old) => *old = tool,
            None => self.tools.push(tool),
        }
    }
}

/// Refuses, at compile time, arguments that are no object.
///
/// # Panics
///
/// In `const` evaluation only, where the shape is no object.
#[doc(hidden)]
#[track_caller]
pub const fn arguments_are_an_object(shape: &Shape) {
    assert!(is_object(shape), "the arguments of a tool must be a struct\nhelp: wrap them in one");
}

/// Whether a shape is an object on every wire.
const fn is_object(shape: &Shape) -> bool {
    match shape {
        Shape::Object(_) => true,
        Shape::Annotated(annotated) => match annotated.of {
            Edge::Eager(shape) => is_object(shape),
            Edge::Lazy(_) => false,
        },
        _ => false,
    }
}

impl std::fmt::Debug for ToolSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|tool| (tool.name(), tool.tier()))).finish()
    }
}

/// A [`ToolSet`] made ready for one provider's dialect.
#[derive(Clone, Default)]
pub struct PlannedTools {
    /// What goes into a request.
    pub specs: Vec<ToolSpec>,
    /// Tools whose schema is no more than a hint, and what of it the dialect can't take.
    pub hints: Vec<(String, Incompatible)>,
    pub(super) tools: Vec<(Arc<dyn ErasedTool>, Arc<WirePlan>)>,
}

impl std::fmt::Debug for PlannedTools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|(tool, _)| (tool.name(), tool.tier()))).finish()
    }
}

impl PlannedTools {
    /// What the schemas on the wire could not carry, with the tool that it is of; checked locally all the same.
    pub fn weakenings(&self) -> impl Iterator<Item = (&str, &Weakening)> {
        self.tools.iter().flat_map(|(tool, plan)| plan.weakenings.iter().map(|weakening| (tool.name(), weakening)))
    }

    pub(super) fn find(&self, name: &str) -> Option<&(Arc<dyn ErasedTool>, Arc<WirePlan>)> {
        self.tools.iter().find(|(tool, _)| tool.name() == name)
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.tools.iter().map(|(tool, _)| tool.name()).collect()
    }
}

/// A name that no tool of a set has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTool {
    /// The name.
    pub name: String,
    /// The nearest name that a tool has.
    pub near: Option<String>,
}

impl std::fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no tool `{}`", self.name)?;
        match &self.near {
            Some(near) => write!(f, "; did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownTool {}
