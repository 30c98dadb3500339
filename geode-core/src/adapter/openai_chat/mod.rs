//! Chat Completions: GLM, local servers and gateways, each a variant of one wire.
//!
//! Facts: the types of openai-python 3.57; docs.z.ai, "Chat completion" and "api-code"; docs.docker.com, "Model
//! Runner"; the READMEs of llama.cpp's server, Ollama and vLLM; openrouter.ai, "Structured outputs". Read 2026-11; what
//! llama.cpp b11434 and b11549 really do was tried.

mod calls;
mod request;
mod response;
mod stream;
mod think;

use std::borrow::Cow;

use super::one_reply::OneReply;
use super::{
    AdapterFault, Authorization, Capabilities, Codec, Credential, Decoder, Enforcement, HttpAdapter, openai_responses,
};
use crate::dialect;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::WireReply;

/// The Chat Completions wire, in one server's variant.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ChatCompletions {
    /// Whether `response_format` takes a `json_schema`.
    pub json_schema: bool,
    /// Whether `response_format` takes `json_object`.
    pub json_object: bool,
    /// What `tool_choice` takes.
    pub choices: Choices,
    /// Whether `parallel_tool_calls` is understood, so that a turn can be held to one call.
    pub single_call: bool,
    /// Whether a tool's `strict` is understood.
    pub strict_tools: bool,
    /// Role of the system prompt and of reminders: `developer` for OpenAI itself. Elsewhere it is `system`, and
    /// reminders go as marked user turns, since many chat templates take a system turn at the start only.
    pub developer_role: bool,
    /// Whether the limit of output tokens is called `max_completion_tokens`, not `max_tokens`.
    pub completion_limit: bool,
    /// Whether a stream reports its usage only when asked by `stream_options`.
    pub stream_options: bool,
    /// Whether tool arguments stream only when asked by `tool_stream`.
    pub tool_stream: bool,
    /// Whether the text may begin with one `<think>…</think>` block, which is then left out.
    pub leading_think: bool,
}

/// What a server's `tool_choice` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choices {
    /// Every form, a choice among some of the tools too: OpenAI itself.
    All,
    /// Words, and a named tool as an object. For a choice among some tools the others are left out.
    Named,
    /// Words only. A named tool goes as `required` with that tool alone on offer, since the object is ignored or refused.
    Words,
    /// `auto` only. For `none` the tools are left out; a forced call is an error.
    AutoOnly,
}

impl Default for ChatCompletions {
    /// What most compatible servers take.
    fn default() -> Self {
        ChatCompletions {
            json_schema: true,
            json_object: true,
            choices: Choices::Named,
            single_call: true,
            strict_tools: true,
            developer_role: false,
            completion_limit: false,
            stream_options: true,
            tool_stream: false,
            leading_think: true,
        }
    }
}

/// What GLM can do.
static GLM: Capabilities = Capabilities {
    native: Enforcement::None,
    tools: true,
    tools_with_schema: true,
    strict_tools: false,
    forced_tool_choice: false,
    streaming: true,
    schema_suppresses_tools: false,
    dialect: &dialect::PLAIN,
    source: "docs.z.ai, Chat completion reference, 2026-11: response_format is text or json_object, tool_choice auto",
};

/// A server that is compatible and of which nothing more is known.
static COMPATIBLE: Capabilities = Capabilities {
    native: Enforcement::Hint,
    tools: true,
    tools_with_schema: false,
    strict_tools: false,
    forced_tool_choice: true,
    streaming: true,
    schema_suppresses_tools: true,
    dialect: &dialect::OPENAI_STRICT,
    source: "nothing is promised by a server that only speaks the wire",
};

/// Servers that sample under a grammar made from the schema.
static GRAMMAR: Capabilities = Capabilities {
    native: Enforcement::Enforced,
    dialect: &dialect::LOCAL,
    source: "llama.cpp server README and a run of b11434, 2026-11: with tools beside a schema, the schema wins",
    ..COMPATIBLE
};

static OLLAMA: Capabilities = Capabilities {
    forced_tool_choice: false,
    source: "Ollama, OpenAI compatibility page, 2026-11: tool_choice is not supported",
    ..GRAMMAR
};

static VLLM: Capabilities =
    Capabilities { source: "vLLM, Structured outputs and Tool calling pages, 2026-11", ..GRAMMAR };

static DOCKER: Capabilities =
    Capabilities { source: "docs.docker.com, Model Runner API reference, 2026-11; its engine is llama.cpp", ..GRAMMAR };

static OPENROUTER: Capabilities =
    Capabilities { source: "openrouter.ai, Structured outputs page, 2026-11: enforced by some models", ..COMPATIBLE };

/// `openai-chat`: OpenAI's own Chat Completions. New code asks the Responses API ([`openai_responses::payg`]).
pub fn openai(key: impl Into<Credential>) -> HttpAdapter<ChatCompletions> {
    let codec = ChatCompletions {
        choices: Choices::All,
        developer_role: true,
        completion_limit: true,
        leading_think: false,
        ..ChatCompletions::default()
    };
    // It can do what the Responses API can.
    HttpAdapter::new("openai-chat", openai_responses::CAPABILITIES.clone(), "https://api.openai.com/v1", codec)
        .model("gpt-5.4")
        .credential(Authorization::Bearer, key)
}

/// `glm-payg`: GLM, paid by use. In China the base URL is `https://open.bigmodel.cn/api/paas/v4`.
pub fn glm_payg(key: impl Into<Credential>) -> HttpAdapter<ChatCompletions> {
    glm("glm-payg", "https://api.z.ai/api/paas/v4", key)
}

/// `glm-coding-plan`: GLM by the coding plan. A key of the one plan fails at the other's address.
pub fn glm_coding_plan(key: impl Into<Credential>) -> HttpAdapter<ChatCompletions> {
    glm("glm-coding-plan", "https://api.z.ai/api/coding/paas/v4", key)
}

fn glm(name: &'static str, base_url: &str, key: impl Into<Credential>) -> HttpAdapter<ChatCompletions> {
    let codec = ChatCompletions {
        json_schema: false,
        choices: Choices::AutoOnly,
        single_call: false,
        strict_tools: false,
        stream_options: false,
        tool_stream: true,
        ..ChatCompletions::default()
    };
    HttpAdapter::new(name, GLM.clone(), base_url, codec).model("glm-5.2").credential(Authorization::Bearer, key)
}

/// `openai-compatible`: any server that speaks Chat Completions. Name a model; add a key by
/// [`credential`](HttpAdapter::credential) and what the server enforces by
/// [`with_capabilities`](HttpAdapter::with_capabilities).
///
/// ```
/// use geode_core::adapter::{Adapter, openai_chat};
///
/// let adapter = openai_chat::compatible("http://localhost:1234/v1").model("qwen3-8b");
/// assert_eq!(adapter.default_model(), Some("qwen3-8b"));
/// ```
pub fn compatible(base_url: impl Into<String>) -> HttpAdapter<ChatCompletions> {
    HttpAdapter::new("openai-compatible", COMPATIBLE.clone(), base_url, ChatCompletions::default())
}

/// `llama.cpp`: its server on this machine, which serves one model under any name.
pub fn llama_cpp() -> HttpAdapter<ChatCompletions> {
    let codec = llama_cpp_wire();
    HttpAdapter::new("llama.cpp", GRAMMAR.clone(), "http://localhost:8080/v1", codec).model("default")
}

/// `docker-model-runner`: Docker Model Runner on this machine. Name a model that it has (`ai/…`).
pub fn docker_model_runner() -> HttpAdapter<ChatCompletions> {
    let codec = llama_cpp_wire();
    HttpAdapter::new("docker-model-runner", DOCKER.clone(), "http://localhost:12434/engines/v1", codec)
}

/// Where the chat template writes each call between tags of its own, it makes several for all that `parallel_tool_calls`
/// forbids them.
fn llama_cpp_wire() -> ChatCompletions {
    ChatCompletions { choices: Choices::Words, single_call: false, strict_tools: false, ..ChatCompletions::default() }
}

/// `ollama`: Ollama on this machine. Name a model that it has (`ollama list`).
pub fn ollama() -> HttpAdapter<ChatCompletions> {
    let codec = ChatCompletions {
        choices: Choices::AutoOnly,
        single_call: false,
        strict_tools: false,
        ..ChatCompletions::default()
    };
    HttpAdapter::new("ollama", OLLAMA.clone(), "http://localhost:11434/v1", codec)
}

/// `vllm`: vLLM on this machine. Name the model that it serves.
pub fn vllm() -> HttpAdapter<ChatCompletions> {
    let codec = ChatCompletions { strict_tools: false, ..ChatCompletions::default() };
    HttpAdapter::new("vllm", VLLM.clone(), "http://localhost:8000/v1", codec)
}

/// `openrouter`: the gateway to many models.
pub fn openrouter(key: impl Into<Credential>) -> HttpAdapter<ChatCompletions> {
    HttpAdapter::new("openrouter", OPENROUTER.clone(), "https://openrouter.ai/api/v1", ChatCompletions::default())
        .model("openai/gpt-5.4")
        .credential(Authorization::Bearer, key)
}

impl Codec for ChatCompletions {
    fn path(&self, _model: &str, _stream: bool) -> Cow<'static, str> {
        Cow::Borrowed("/chat/completions")
    }

    fn encode(&self, request: &Request, model: &str) -> Result<Vec<u8>, AdapterFault> {
        request::encode(request, model, self)
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        response::decode(request, reply, self.leading_think)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(OneReply::new(stream::ChatReader::new(request, self.leading_think)))
    }
}
