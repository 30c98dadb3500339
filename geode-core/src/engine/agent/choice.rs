//! Which tools the model may or must call in a round.

use super::run::Run;
use super::{Agent, AgentError};
use crate::message::{Message, ToolChoice};
use crate::request::{OUTPUT_TOOL, Request};
use crate::tool::READ_RESULT;

impl Agent {
    /// Holds the tool choice against the tools, and against what the model can do.
    pub(super) fn check_choice(&self) -> Result<(), AgentError> {
        let choice = &self.tool_choice;
        if let Err(unknown) = self.tools.pick(choice.named().iter().map(String::as_str)) {
            return Err(AgentError::configuration(format!("the tool choice: {unknown}")));
        }
        if matches!(choice, ToolChoice::Among { tools, .. } if tools.is_empty()) {
            return Err(AgentError::configuration("the tool choice is among no tools: name at least one"));
        }
        if choice.is_forced() && self.tools.is_empty() {
            return Err(AgentError::configuration(
                "the tool choice forces a call, and the agent has no tools: add one",
            ));
        }
        if choice.is_forced() && !self.able().forced_tool_choice {
            let adapter = self.line.adapter.name();
            let reason = format!("`{adapter}` can't be made to call a tool: leave the tool choice at `auto`");
            return Err(AgentError::configuration(reason));
        }
        Ok(())
    }
}

impl Run<'_> {
    /// Whether no tool may be called in the whole run.
    pub(super) fn forbids_calls(&self) -> bool {
        self.agent.tool_choice == ToolChoice::None
    }

    /// The choice of the next round, as long as the run does not come to its end. One is forced until a tool was called,
    /// and only once where the provider does not keep to it.
    pub(super) fn choice(&self) -> ToolChoice {
        let choice = &self.agent.tool_choice;
        if !choice.is_forced() || !(self.has_called() || self.reminders > 0) {
            return choice.clone();
        }
        match choice {
            ToolChoice::Among { tools, .. } => ToolChoice::Among { tools: tools.clone(), required: false },
            _ => ToolChoice::Auto,
        }
    }

    /// Whether a tool was called since the user's last turn, which an earlier run may have begun to answer.
    fn has_called(&self) -> bool {
        let mut turn = self.history.iter().rev().take_while(|message| !matches!(message, Message::User { .. }));
        turn.any(|message| matches!(message, Message::ToolResults { .. }))
    }
}

/// Adds the runtime's own tools to a choice among some tools: those may always be called.
pub(super) fn admit_own_tools(request: &mut Request) {
    let ToolChoice::Among { tools, .. } = &mut request.tool_choice else { return };
    let own = request.tools.iter().filter(|spec| spec.name == OUTPUT_TOOL || spec.name == READ_RESULT);
    tools.extend(own.map(|spec| spec.name.clone()));
}
