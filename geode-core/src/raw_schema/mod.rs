//! Response schemas that no Rust type stands behind: compiled once, then used like a type's.

mod external;
mod growth;
mod lift;
mod violation;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde_json::Value;

use crate::dialect::{Absence, Dialect, Incompatible, OPENAI_STRICT, WirePlan, lower_schema};
use crate::json::ReadOptions;
use crate::report::Report;
use crate::schema::{Schema, SchemaError, is_openai_strict, legal_name, read_value};

use external::refuse_external_references;
use growth::refuse_growth;
pub(crate) use lift::drop_nulls;
use lift::unwrapped;
pub(crate) use violation::broken;
use violation::violations;

/// Most violations that are recorded; the count goes on.
const MOST_VIOLATIONS: usize = 100;

/// A JSON Schema that has been compiled: it is valid, and refers to nothing outside itself.
///
/// ```
/// use geode_core::raw_schema::RawSchema;
///
/// let schema: RawSchema = r#"{"title": "Verdict", "type": "object", "properties": {"ok": {"type": "boolean"}},
///     "required": ["ok"], "additionalProperties": false}"#.parse()?;
/// assert_eq!(schema.name(), "Verdict");
/// assert!(schema.read(r#"{"ok": true}"#, None).is_ok());
/// assert!(schema.read(r#"{"ok": true, "execute_refund": true}"#, None).is_err());
/// # Ok::<(), geode_core::schema::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct RawSchema {
    inner: Arc<Compiled>,
    name: String,
    description: Option<String>,
    strict: bool,
}

struct Compiled {
    schema: Schema,
    validator: jsonschema::Validator,
}

impl RawSchema {
    /// Compiles a schema. Its draft is the one that `$schema` names, else 2020-12.
    ///
    /// # Errors
    ///
    /// Where the value is no schema, refers to something outside itself, or would hold one value against over 100,000
    /// schemas.
    pub fn new(schema: Schema) -> Result<Self, SchemaError> {
        refuse_external_references(&schema, "")?;
        refuse_growth(&schema)?;
        let value = Value::from(&schema);
        let validator = jsonschema::options().should_validate_formats(true).build(&value).map_err(|error| {
            SchemaError { pointer: error.instance_path().to_string(), reason: format!("not a valid schema: {error}") }
        })?;
        let node = schema.node();
        Ok(RawSchema {
            name: legal_name(node.and_then(|node| node.title.as_deref()).unwrap_or_default()),
            description: node.and_then(|node| node.description.clone()),
            strict: is_openai_strict(&schema),
            inner: Arc::new(Compiled { schema, validator }),
        })
    }

    /// The schema under another name than its title. What providers don't take in a name is replaced.
    #[must_use]
    pub fn named(mut self, name: impl AsRef<str>) -> Self {
        self.name = legal_name(name.as_ref());
        self
    }

    /// The schema with another description of what the answer is for.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The schema as a hint: OpenAI is not asked to hold the model to it, whatever its strict test says.
    #[must_use]
    pub fn as_hint(mut self) -> Self {
        self.strict = false;
        self
    }

    /// The schema as the arguments of a tool. How far a provider holds the model to those is decided by the schema alone:
    /// that it is a hint where it is a response schema has no effect there.
    #[cfg(feature = "client")]
    pub(crate) fn as_arguments(&self) -> Self {
        let schema = &self.inner.schema;
        RawSchema {
            strict: is_openai_strict(schema) && crate::dialect::lint(schema, &OPENAI_STRICT).is_empty(),
            ..self.clone()
        }
    }

    /// Name of the schema: its title made legal, else `response`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The schema's own description.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The schema itself.
    pub fn schema(&self) -> &Schema {
        &self.inner.schema
    }

    /// Whether OpenAI may be asked to hold the model to it.
    pub fn is_openai_strict(&self) -> bool {
        self.strict
    }

    /// The schema for a dialect. For OpenAI it goes out as it stands, its strict flag decided by OpenAI's test; for every
    /// other it is lowered.
    ///
    /// # Errors
    ///
    /// Where the dialect can't take it, every breach of its rules.
    pub fn plan(&self, dialect: &'static Dialect) -> Result<Arc<WirePlan>, Incompatible> {
        if !std::ptr::eq(dialect, &OPENAI_STRICT) {
            return lower_schema(&self.inner.schema, dialect).map(Arc::new);
        }
        Ok(Arc::new(WirePlan {
            dialect,
            schema: self.inner.schema.to_raw(),
            strict: self.strict,
            weakenings: Vec::new(),
            lifts: ReadOptions::default(),
        }))
    }

    /// Reads an answer: the value, held against the whole schema. With the plan that it was asked for by, what lowering
    /// changed is undone first: the wrapper around a root, and `null` for an optional property.
    ///
    /// # Errors
    ///
    /// Every violation.
    pub fn read(&self, text: &str, plan: Option<&WirePlan>) -> Result<Value, Report> {
        let mut value = read_value(text).map_err(|error| broken(text, &error))?;
        if let Some(plan) = plan {
            if plan.lifts.wrapped_root
                && let Some(inner) = unwrapped(&mut value)
            {
                value = inner;
            }
            if plan.dialect.absence == Absence::Never {
                drop_nulls(&mut value, &self.inner.schema);
            }
        }
        self.validate(&value)?;
        Ok(value)
    }

    /// Holds a value against the schema.
    ///
    /// # Errors
    ///
    /// Every violation.
    pub fn validate(&self, value: &Value) -> Result<(), Report> {
        let mut report = Report { violations: Vec::new(), unrecorded: 0, notes: Vec::new() };
        for violation in self.inner.validator.iter_errors(value).flat_map(|error| violations(&error)) {
            if report.violations.len() < MOST_VIOLATIONS {
                report.violations.push(violation);
            } else {
                report.unrecorded += 1;
            }
        }
        if report.violations.is_empty() { Ok(()) } else { Err(report) }
    }
}

impl FromStr for RawSchema {
    type Err = SchemaError;

    fn from_str(text: &str) -> Result<Self, SchemaError> {
        RawSchema::new(text.parse()?)
    }
}

impl TryFrom<&Value> for RawSchema {
    type Error = SchemaError;

    fn try_from(value: &Value) -> Result<Self, SchemaError> {
        RawSchema::new(Schema::try_from(value)?)
    }
}

impl fmt::Debug for RawSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawSchema").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
