//! Calls that arrive in pieces.

#[cfg(test)]
mod tests;

use crate::adapter::settle::Turn;
use crate::message::ToolUse;

/// Puts the pieces together. Servers mark the pieces of a call by index, by id, by both or, where calls come one after
/// another, by neither; some give every call index 0.
#[derive(Default)]
pub(super) struct Calls(Vec<PartialCall>);

struct PartialCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Calls {
    /// Takes a piece. Returns the position of its call, or `None` if it can't be told which call it belongs to.
    pub(super) fn push(&mut self, index: Option<u64>, id: String, name: &str, arguments: &str) -> Option<usize> {
        let position = match self.position(index, &id, name) {
            Some(position) => position,
            None if name.is_empty() && id.is_empty() => return None,
            None => {
                let call = PartialCall { index, id: String::new(), name: String::new(), arguments: String::new() };
                self.0.push(call);
                self.0.len() - 1
            }
        };
        let call = self.0.get_mut(position)?;
        if call.id.is_empty() {
            call.id = id;
        }
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        }
        call.arguments.push_str(arguments);
        Some(position)
    }

    /// The call that a piece goes on with; `None` where it begins a new one.
    fn position(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let same_index = |call: &PartialCall| index.is_none() || call.index.is_none() || call.index == index;
        if !id.is_empty() {
            return self.0.iter().rposition(|call| same_index(call) && (call.id == id || call.is_unnamed()));
        }
        let position = self.0.iter().rposition(same_index)?;
        // A name again, behind arguments that are complete, is the next call.
        let is_next =
            !name.is_empty() && self.0.get(position).is_some_and(|call| call.is_complete() || call.is_other(name));
        (!is_next).then_some(position)
    }

    pub(super) fn finish(self, turn: &Turn, tool_uses: &mut Vec<ToolUse>) {
        for call in self.0 {
            turn.add_call(tool_uses, call.id, call.name, call.arguments);
        }
    }
}

impl PartialCall {
    /// Whether neither id nor name are known yet.
    fn is_unnamed(&self) -> bool {
        self.id.is_empty() && self.name.is_empty()
    }

    fn is_complete(&self) -> bool {
        serde_json::from_str::<serde::de::IgnoredAny>(&self.arguments).is_ok()
    }

    fn is_other(&self, name: &str) -> bool {
        !self.name.is_empty() && self.name != name
    }
}
