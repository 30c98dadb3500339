//! The final answer of a run: what it has to be, and how it is asked for beside tools.

use std::any::Any;

use serde_json::Value;

use crate::adapter::{Capabilities, Enforcement};
use crate::dialect::WirePlan;
use crate::engine::{Contract, Line, Reading, Resolved, SchemaSource, Wanted, resolve};
use crate::outcome::Failure;
use crate::raw_schema::RawSchema;
use crate::report::Note;
use crate::request::Mode;

/// What the final answer has to be. It holds the answer once it was read.
pub(super) trait AnswerForm: Send {
    fn schema(&self) -> &SchemaSource;
    fn name(&self) -> String;
    fn description(&self) -> Option<&str>;

    /// Reads a text, holds the value against the rules of its types, which see the context, and keeps it. Gives what was
    /// tolerated.
    fn read(&mut self, text: &str, plan: &WirePlan, context: &dyn Any) -> Result<Vec<Note>, Failure>;
}

/// A contract, and the value that kept to it.
pub(super) struct Form<T> {
    pub(super) contract: Contract<T>,
    pub(super) value: Option<T>,
}

impl Form<Value> {
    pub(super) fn of_schema(schema: RawSchema) -> Self {
        Form { contract: Contract::of_schema(schema), value: None }
    }
}

impl<T: Send> AnswerForm for Form<T> {
    fn schema(&self) -> &SchemaSource {
        &self.contract.schema
    }

    fn name(&self) -> String {
        self.contract.name()
    }

    fn description(&self) -> Option<&str> {
        self.contract.description.as_deref()
    }

    fn read(&mut self, text: &str, plan: &WirePlan, context: &dyn Any) -> Result<Vec<Note>, Failure> {
        let ruled = self.contract.read(text, plan, context).map_err(Failure::InvalidSchema)?;
        if let Some(context) = ruled.missing_context {
            let reason =
                format!("the answer's type has rules on a context of type `{context}`: give it by `Agent::context`");
            return Err(Failure::Unsupported { reason });
        }
        if !ruled.issues.is_empty() {
            return Err(Failure::InvalidBusiness(ruled.issues.into_vec()));
        }
        self.value = Some(ruled.value);
        Ok(ruled.notes)
    }
}

/// How the final answer is asked for.
#[derive(Clone)]
pub(super) struct Asking {
    pub(super) resolved: Resolved,
    /// The schema goes only with the last model call: it would keep the model from calling tools, or can't stand beside
    /// them.
    pub(super) at_the_end: bool,
    /// The last model call carries no tools: the wire can't take both.
    pub(super) without_tools: bool,
}

impl Asking {
    /// How much may stand around the JSON of the answer.
    pub(super) fn reading(&self) -> Reading {
        match self.resolved.guarantee {
            Enforcement::Enforced => Reading::Strict,
            _ => Reading::Fenced,
        }
    }

    /// Decides from the adapter's data.
    pub(super) fn decide(
        line: &Line,
        able: &Capabilities,
        form: &dyn AnswerForm,
        mode: Mode,
        model: Option<&str>,
        tools: bool,
    ) -> Result<Self, Failure> {
        // Asked for by name, the provider's own way may stand alone in the last call.
        let without_tools = tools && mode == Mode::Native && !able.tools_with_schema;
        let wanted = Wanted { mode, guarantee: Enforcement::None, model, tools: tools && !without_tools };
        let resolved = resolve(&*line.adapter, form.schema(), &wanted)?;
        let suppressed = tools && resolved.mode == Mode::Native && able.schema_suppresses_tools;
        Ok(Asking { resolved, at_the_end: suppressed || without_tools, without_tools })
    }
}
