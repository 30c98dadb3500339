//! Who calls, and what a running call knows of its run.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;
use crate::shape::{Object, Shape};

/// On whose behalf a run acts: what [`Tool::authorize`](super::Tool::authorize) decides by.
///
/// It comes from the program, never from the model.
#[must_use]
#[derive(Clone, Default, PartialEq)]
pub struct Caller {
    id: String,
    claims: BTreeMap<String, Value>,
}

impl Caller {
    /// A caller by id. The default one has an empty id: nobody is known.
    pub fn new(id: impl Into<String>) -> Self {
        Caller { id: id.into(), claims: BTreeMap::new() }
    }

    /// Adds something that is known of the caller: a role, a tenant, a limit.
    pub fn with_claim(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.claims.insert(name.into(), value.into());
        self
    }

    /// The caller's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is known of the caller under a name.
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.claims.get(name)
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").field("claims", &self.claims.keys()).finish_non_exhaustive()
    }
}

/// Why a caller may not make a call. The reason goes to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    pub(crate) reason: String,
}

impl Denial {
    /// A denial with its reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Denial { reason: reason.into() }
    }

    /// The reason.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Denial {}

/// What a running call knows of its run. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ToolContext {
    caller: Arc<Caller>,
    tool_use_id: Arc<str>,
    cancel: CancellationToken,
}

impl ToolContext {
    pub(crate) fn new(caller: Arc<Caller>, tool_use_id: &str, cancel: CancellationToken) -> Self {
        ToolContext { caller, tool_use_id: tool_use_id.into(), cancel }
    }

    /// On whose behalf the run acts.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Id of the call: a key for idempotent writes.
    pub fn tool_use_id(&self) -> &str {
        &self.tool_use_id
    }

    /// Cancelled with the run. Work that was handed to another task or thread should watch it; the call's own future
    /// is dropped anyway.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancel
    }
}

/// The arguments of a tool that takes none: `{}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoArguments;

impl StructuredOutput for NoArguments {
    const SHAPE: &'static Shape = &Shape::Object(&Object {
        name: "NoArguments",
        id: std::any::type_name::<NoArguments>,
        description: None,
        fields: &[],
    });

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut fields = reader.object(&[]);
        while reader.field(&mut fields) != crate::json::DONE {}
        Some(NoArguments)
    }

    fn write(&self, writer: &mut Writer) {
        writer.object(&[], |_, _| {});
    }
}
