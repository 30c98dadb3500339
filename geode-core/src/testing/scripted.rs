//! A model that answers by a script: for tests of agents and tools, with no network.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde_json::Value;

use crate::adapter::{Adapter, AdapterFault, Capabilities, Decoder, Enforcement, StreamEvent};
use crate::dialect::OPENAI_STRICT;
use crate::message::ToolUse;
use crate::reply::{Event, FinishReason, Reply};
use crate::request::Request;
use crate::transport::{WireReply, WireRequest};

/// An adapter whose model is a function from a request to a reply. Nothing leaves the process. Clones share what they
/// recorded.
///
/// ```
/// use geode_core::client::Client;
/// use geode_core::testing::scripted::{self, ScriptedAdapter};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = ScriptedAdapter::new(|_request| Ok(scripted::text("Hello.")));
/// let answer = Client::new(model.clone()).agent().run_text("Hi").await?;
/// assert_eq!(answer.value, "Hello.");
/// assert_eq!(model.requests().len(), 1);
/// # Ok(())
/// # }
/// ```
#[must_use]
#[derive(Clone)]
pub struct ScriptedAdapter {
    capabilities: Capabilities,
    script: Arc<Script>,
    record: Arc<Mutex<Record>>,
}

type Script = dyn Fn(&Request) -> Result<Reply, AdapterFault> + Send + Sync;

#[derive(Default)]
struct Record {
    requests: Vec<Request>,
    replies: Vec<Reply>,
}

impl ScriptedAdapter {
    /// A model that takes everything: tools, forced calls, and an enforced response schema beside them.
    pub fn new(script: impl Fn(&Request) -> Result<Reply, AdapterFault> + Send + Sync + 'static) -> Self {
        let capabilities = Capabilities {
            native: Enforcement::Enforced,
            tools: true,
            tools_with_schema: true,
            forced_tool_choice: true,
            ..Capabilities::text_only(&OPENAI_STRICT, "a script")
        };
        ScriptedAdapter { capabilities, script: Arc::new(script), record: Arc::default() }
    }

    /// A model that gives these replies, one after another, and then the last one again and again.
    pub fn replies(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: Vec<Reply> = replies.into_iter().collect();
        let next = Mutex::new(0);
        ScriptedAdapter::new(move |_| {
            let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
            let reply = replies.get(*next).or(replies.last()).cloned();
            *next += 1;
            reply.ok_or_else(|| AdapterFault::Configuration { reason: "the script has no reply".to_owned() })
        })
    }

    /// Changes what the model is said to be able to do.
    pub fn capabilities_with(mut self, change: impl FnOnce(&mut Capabilities)) -> Self {
        change(&mut self.capabilities);
        self
    }

    /// The requests so far, oldest first.
    pub fn requests(&self) -> Vec<Request> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }
}

/// A reply of text.
pub fn text(text: impl Into<String>) -> Reply {
    Reply { text: text.into(), finish: Some(FinishReason::Stop), ..Reply::default() }
}

/// A reply of calls: names and arguments. The ids are `call-1`, `call-2` and so on.
pub fn calls<'n>(calls: impl IntoIterator<Item = (&'n str, Value)>) -> Reply {
    let tool_uses = calls
        .into_iter()
        .enumerate()
        .map(|(index, (name, input))| ToolUse {
            id: format!("call-{}", index + 1),
            name: name.to_owned(),
            input: input.to_string(),
        })
        .collect();
    Reply { tool_uses, finish: Some(FinishReason::ToolUse), ..Reply::default() }
}

impl Adapter for ScriptedAdapter {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn default_model(&self) -> Option<&str> {
        Some("script")
    }

    /// Asks the script. What goes over the loopback is the reply's number.
    fn encode(&self, request: &Request) -> Result<WireRequest, AdapterFault> {
        let reply = (self.script)(request)?;
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.requests.push(request.clone());
        record.replies.push(reply);
        Ok(WireRequest::Loopback(Bytes::from((record.replies.len() - 1).to_string())))
    }

    fn decode(&self, _: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        self.reply(&reply.body)
    }

    fn decoder(&self, _: &Request) -> Box<dyn Decoder> {
        Box::new(ScriptedDecoder { adapter: self.clone(), reply: Reply::default() })
    }
}

impl ScriptedAdapter {
    fn reply(&self, number: &[u8]) -> Result<Reply, AdapterFault> {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        let number = std::str::from_utf8(number).ok().and_then(|number| number.trim().parse::<usize>().ok());
        number.and_then(|number| record.replies.get(number)).cloned().ok_or_else(|| AdapterFault::Malformed {
            reason: "the number of a scripted reply was expected".to_owned(),
            status: None,
            request_id: None,
        })
    }
}

/// A scripted reply as a stream of one event.
struct ScriptedDecoder {
    adapter: ScriptedAdapter,
    reply: Reply,
}

impl Decoder for ScriptedDecoder {
    fn event(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        self.reply = self.adapter.reply(event.data.as_bytes())?;
        out.push(Event::Text(self.reply.text.clone()));
        out.push(Event::Done(Box::new(self.reply.clone())));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Reply {
        self.reply
    }
}

impl fmt::Debug for ScriptedAdapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedAdapter").field("capabilities", &self.capabilities).finish_non_exhaustive()
    }
}
