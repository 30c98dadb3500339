//! The final answer of a run: what it has to be, and how it is asked for beside tools.

use std::borrow::Cow;

use crate::adapter::Enforcement;
use crate::engine::{Contract, Reading, Resolved, SchemaSource, Wanted, resolve};
use crate::outcome::Failure;
use crate::request::Mode;

use super::Agent;

/// What the final answer has to be, whatever its Rust type.
pub(super) struct Form {
    pub(super) schema: SchemaSource,
    pub(super) name: Cow<'static, str>,
    pub(super) description: Option<String>,
}

impl Form {
    pub(super) fn of<T>(contract: &Contract<T>) -> Self {
        Form { schema: contract.schema.clone(), name: contract.name(), description: contract.description.clone() }
    }
}

/// How the final answer is asked for.
pub(super) struct Asking {
    pub(super) form: Form,
    pub(super) resolved: Resolved,
    /// The schema goes only with the last model call: it would keep the model from calling tools, or can't stand beside
    /// them.
    pub(super) at_the_end: bool,
    /// The last model call carries no tools: the wire can't take both.
    pub(super) without_tools: bool,
}

impl Asking {
    /// Decides from the adapter's data.
    pub(super) fn decide(agent: &Agent, form: Form, tools: bool) -> Result<Self, Failure> {
        let able = agent.able();
        // Asked for by name, the provider's own way may stand alone in the last call.
        let without_tools = tools && agent.mode == Mode::Native && !able.tools_with_schema;
        let wanted = Wanted {
            mode: agent.mode,
            guarantee: Enforcement::None,
            model: agent.model.as_deref(),
            tools: tools && !without_tools,
        };
        let resolved = resolve(&*agent.line.adapter, &form.schema, &wanted)?;
        let suppressed = tools && resolved.mode == Mode::Native && able.schema_suppresses_tools;
        Ok(Asking { form, resolved, at_the_end: suppressed || without_tools, without_tools })
    }

    /// How much may stand around the JSON of the answer.
    pub(super) fn reading(&self) -> Reading {
        match self.resolved.guarantee {
            Enforcement::Enforced => Reading::Strict,
            _ => Reading::Fenced,
        }
    }
}
