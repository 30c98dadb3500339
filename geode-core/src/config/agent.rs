//! An agent from configuration.

use std::fmt;
use std::time::Duration;

use super::node::Node;
use super::table::{Problems, Table};
use super::{ConfigError, StructuredOutputConfig, tool_choice};
use crate::client::Client;
use crate::engine::agent::{Agent, Budget};
use crate::message::ToolChoice;
use crate::tool::ToolSet;

const KEYS: [&str; 9] = [
    "adapter",
    "model",
    "instruction",
    "tools",
    "tool_choice",
    "single_call",
    "structured_output",
    "rounds",
    "seconds",
];

/// An agent as a file describes it: the model, its instruction, its tools by name, and the form of its answer.
///
/// The keys: `adapter` and `model`, `instruction` (required), `tools` (a list of names), `tool_choice`, `single_call`,
/// `structured_output` (see [`StructuredOutputConfig`]), `rounds` and `seconds` (the budget).
///
/// `tool_choice` is `auto`, `none`, `required`, one tool (`{named: lookup}`) or some (`{among: [lookup, search]}`, with
/// `required: true` where one of them must be called): see [`Agent::tool_choice`]. `single_call` is `true` for one call a
/// turn: see [`Agent::single_call`].
#[derive(Clone)]
pub struct AgentConfig {
    adapter: Option<String>,
    model: Option<String>,
    instruction: String,
    /// Names, with their lines.
    tools: Vec<(String, usize)>,
    /// With its line.
    tool_choice: Option<(ToolChoice, usize)>,
    single_call: bool,
    structured_output: Option<StructuredOutputConfig>,
    rounds: Option<u32>,
    time: Option<Duration>,
}

impl AgentConfig {
    /// Reads JSON.
    ///
    /// # Errors
    ///
    /// All that is wrong, each with its key and its line.
    pub fn from_json(text: &str) -> Result<Self, ConfigError> {
        Self::read(&Node::from_json(text)?)
    }

    /// Reads YAML.
    ///
    /// # Errors
    ///
    /// All that is wrong, each with its key and its line.
    #[cfg(feature = "yaml")]
    pub fn from_yaml(text: &str) -> Result<Self, ConfigError> {
        Self::read(&super::yaml::read(text)?)
    }

    /// Name of the adapter, for [`Client::from_name`].
    pub fn adapter(&self) -> Option<&str> {
        self.adapter.as_deref()
    }

    /// The model to ask.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The form of the answer.
    pub fn structured_output(&self) -> Option<&StructuredOutputConfig> {
        self.structured_output.as_ref()
    }

    /// The agent, asking through `client`, with those of `tools` that the configuration names.
    ///
    /// # Errors
    ///
    /// Where it names a tool that is not among them, or chooses one that it does not name.
    pub fn agent(&self, client: &Client, tools: &ToolSet) -> Result<Agent, ConfigError> {
        let mut picked = ToolSet::new();
        for (name, line) in &self.tools {
            let one = tools.pick([name.as_str()]);
            picked = picked.with_all(one.map_err(|error| ConfigError::one("tools", *line, error.to_string()))?);
        }
        let mut agent = client.agent().instruction(&self.instruction).single_call(self.single_call);
        if let Some((choice, line)) = &self.tool_choice {
            if let Err(error) = picked.pick(choice.named().iter().map(String::as_str)) {
                return Err(ConfigError::one("tool_choice", *line, error.to_string()));
            }
            agent = agent.tool_choice(choice.clone());
        }
        agent = agent.tools(picked);
        if let Some(model) = &self.model {
            agent = agent.model(model);
        }
        if let Some(output) = &self.structured_output {
            agent = agent.response_schema(output.schema().clone()).mode(output.mode());
        }
        let mut budget = Budget::default();
        if let Some(rounds) = self.rounds {
            budget = budget.rounds(rounds);
        }
        if let Some(time) = self.time {
            budget = budget.time(time);
        }
        Ok(agent.budget(budget))
    }

    fn read(node: &Node) -> Result<Self, ConfigError> {
        let problems = Problems::default();
        let table = Table::open(node, String::new(), node.line, &KEYS, &problems);
        let config = table.and_then(|table| Self::from_table(&table));
        problems.finish(config)
    }

    /// Every key is read, so that all problems are found; the first that is missing then ends it.
    fn from_table(table: &Table<'_>) -> Option<Self> {
        let adapter = table.optional("adapter").map(|setting| setting.text());
        let model = table.optional("model").map(|setting| setting.text());
        let instruction = table.required("instruction").and_then(|setting| setting.text());
        let tools = table.optional("tools").map_or(Some(Vec::new()), |setting| setting.texts());
        let tool_choice =
            table.optional("tool_choice").map(|setting| Some((tool_choice::read(&setting)?, setting.line)));
        let single_call = table.optional("single_call").map(|setting| setting.boolean());
        let output = table.optional("structured_output").map(|setting| StructuredOutputConfig::from_setting(&setting));
        let rounds = table.optional("rounds").map(|setting| {
            let rounds = setting.count()?;
            u32::try_from(rounds).ok().or_else(|| setting.wrong("the number is too large"))
        });
        let seconds = table.optional("seconds").map(|setting| setting.count());
        Some(AgentConfig {
            adapter: given(adapter)?,
            model: given(model)?,
            instruction: instruction?,
            tools: tools?,
            tool_choice: given(tool_choice)?,
            single_call: given(single_call)?.unwrap_or(false),
            structured_output: given(output)?,
            rounds: given(rounds)?,
            time: given(seconds)?.map(Duration::from_secs),
        })
    }
}

/// Without the instruction, which is content.
impl fmt::Debug for AgentConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentConfig")
            .field("adapter", &self.adapter)
            .field("model", &self.model)
            .field("tools", &self.tools)
            .field("tool_choice", &self.tool_choice)
            .field("single_call", &self.single_call)
            .field("structured_output", &self.structured_output)
            .field("rounds", &self.rounds)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

/// `None` where a value was given and is wrong; `Some(None)` where none was given.
fn given<T>(value: Option<Option<T>>) -> Option<Option<T>> {
    match value {
        Some(Some(value)) => Some(Some(value)),
        Some(None) => None,
        None => Some(None),
    }
}
