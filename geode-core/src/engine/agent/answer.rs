//! The final answer of a run: what it has to be, and how it is asked for beside tools.

use crate::adapter::{Capabilities, Enforcement};
use crate::engine::{Line, Resolved, SchemaSource, Wanted, resolve};
use crate::json::{ReadOptions, Reader};
use crate::outcome::Failure;
use crate::output::StructuredOutput;
use crate::report::Report;
use crate::request::Mode;

/// What the final answer has to be. It holds the answer once it was read.
pub(super) trait AnswerForm: Send {
    fn schema(&self) -> SchemaSource;
    fn name(&self) -> String;

    /// Reads a text and keeps the value.
    fn read(&mut self, text: &str, lifts: &ReadOptions) -> Result<(), Report>;
}

/// An answer that is a Rust type.
pub(super) struct Typed<T> {
    pub(super) value: Option<T>,
}

impl<T: StructuredOutput + Send> AnswerForm for Typed<T> {
    fn schema(&self) -> SchemaSource {
        SchemaSource::Shape(T::SHAPE)
    }

    fn name(&self) -> String {
        "response".to_owned()
    }

    fn read(&mut self, text: &str, lifts: &ReadOptions) -> Result<(), Report> {
        self.value = Some(Reader::read::<T>(text, lifts)?);
        Ok(())
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
        let wanted = Wanted {
            mode,
            guarantee: Enforcement::None,
            model: model.map(str::to_owned),
            tools: tools && !without_tools,
        };
        let resolved = resolve(&*line.adapter, &form.schema(), &wanted)?;
        let suppressed = tools && resolved.mode == Mode::Native && able.schema_suppresses_tools;
        Ok(Asking { resolved, at_the_end: suppressed || without_tools, without_tools })
    }
}
