//! A response schema from configuration.

use super::ConfigError;
use super::node::Node;
use super::table::{Problems, Setting, Table};
use crate::raw_schema::RawSchema;
use crate::request::Mode;

/// The keys of a response schema.
const KEYS: [&str; 5] = ["name", "description", "strict", "schema", "mode"];

/// A response schema, and how it is asked for.
///
/// ```
/// use geode_core::config::StructuredOutputConfig;
///
/// let config = StructuredOutputConfig::from_json(
///     r#"{"name": "verdict", "mode": "tool",
///         "schema": {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}}"#,
/// )?;
/// assert_eq!(config.schema().name(), "verdict");
///
/// let error = StructuredOutputConfig::from_json("{\n  \"name\": \"verdict\",\n  \"shema\": {}\n}").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1: `schema`: this key is required\nline 3: `shema`: there is no such key; did you mean `schema`?"
/// );
/// # Ok::<(), geode_core::config::ConfigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct StructuredOutputConfig {
    schema: RawSchema,
    mode: Mode,
}

impl StructuredOutputConfig {
    /// Reads JSON: `name` (required), `description`, `strict` (`false` by default; without effect in tool mode), `schema`
    /// (required), `mode` (`native`, the default, or `tool`).
    ///
    /// # Errors
    ///
    /// All that is wrong, each with its key and its line.
    pub fn from_json(text: &str) -> Result<Self, ConfigError> {
        Self::read(&Node::from_json(text)?)
    }

    /// Reads YAML; the keys are those of [`from_json`](Self::from_json).
    ///
    /// # Errors
    ///
    /// All that is wrong, each with its key and its line.
    #[cfg(feature = "yaml")]
    pub fn from_yaml(text: &str) -> Result<Self, ConfigError> {
        Self::read(&super::yaml::read(text)?)
    }

    /// The schema, under its name.
    pub fn schema(&self) -> &RawSchema {
        &self.schema
    }

    /// How it is asked for: natively, or by the internal tool.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    fn read(node: &Node) -> Result<Self, ConfigError> {
        let problems = Problems::default();
        let table = Table::open(node, String::new(), node.line, &KEYS, &problems);
        let config = table.and_then(|table| Self::from_table(&table));
        problems.finish(config)
    }

    pub(super) fn from_setting(setting: &Setting<'_>) -> Option<Self> {
        Self::from_table(&setting.table(&KEYS)?)
    }

    fn from_table(table: &Table<'_>) -> Option<Self> {
        let name = table.required("name").and_then(|setting| legal_name(&setting));
        let description = table.optional("description").map(|setting| setting.text());
        let strict = table.optional("strict").map_or(Some(false), |setting| setting.boolean());
        let schema = table.required("schema").and_then(|setting| compile(&setting));
        let mode = table.optional("mode").map_or(Some("native"), |setting| setting.word(&["native", "tool"]));
        let mut schema = schema?.named(name?);
        if let Some(description) = description {
            schema = schema.described(description?);
        }
        if !strict? {
            schema = schema.as_hint();
        }
        Some(StructuredOutputConfig { schema, mode: if mode? == "tool" { Mode::Tool } else { Mode::Native } })
    }
}

/// A name that every provider takes.
fn legal_name(setting: &Setting<'_>) -> Option<String> {
    let name = setting.text()?;
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if name.len() > 64 || !name.bytes().all(legal) {
        return setting.wrong("a name has 1 to 64 letters, digits, `_` and `-`, or providers refuse it");
    }
    Some(name)
}

fn compile(setting: &Setting<'_>) -> Option<RawSchema> {
    match setting.node.to_json().parse() {
        Ok(schema) => Some(schema),
        Err(error) => {
            let error: crate::schema::SchemaError = error;
            setting.wrong_at(&error.pointer, error.reason)
        }
    }
}
