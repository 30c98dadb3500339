//! What an answer has to be: where its schema comes from, and how its text becomes a value.

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use crate::check::Issues;
use crate::dialect::WirePlan;
use crate::json::{Reader, Ruled};
use crate::output::StructuredOutput;
use crate::raw_schema::RawSchema;
use crate::report::Report;
use crate::schema::name_of;

use super::SchemaSource;

/// Reads a text, and holds the value against the rules of its types. Those see the call's context.
type Read<T> = Arc<dyn Fn(&str, &WirePlan, &dyn Any) -> Result<Ruled<T>, Report> + Send + Sync>;

/// What an answer has to be.
pub(crate) struct Contract<T> {
    pub(crate) schema: SchemaSource,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) read: Read<T>,
}

impl<T: StructuredOutput + 'static> Contract<T> {
    /// The contract that is a Rust type.
    pub(crate) fn of_type() -> Self {
        Contract {
            schema: SchemaSource::Shape(T::SHAPE),
            name: name_of(T::SHAPE),
            description: None,
            read: Arc::new(|text, plan, context| Reader::read_ruled(text, &plan.lifts, context)),
        }
    }
}

impl Contract<Value> {
    /// The contract that is a JSON Schema.
    pub(crate) fn of_schema(schema: RawSchema) -> Self {
        Contract {
            schema: SchemaSource::Raw(schema.clone()),
            name: schema.name().to_owned(),
            description: schema.description().map(str::to_owned),
            read: Arc::new(move |text, plan, _context| {
                let value = schema.read(text, Some(plan))?;
                Ok(Ruled { value, issues: Issues::new(), notes: Vec::new(), missing_context: None })
            }),
        }
    }
}

impl<T> Clone for Contract<T> {
    fn clone(&self) -> Self {
        Contract {
            schema: self.schema.clone(),
            name: self.name.clone(),
            description: self.description.clone(),
            read: Arc::clone(&self.read),
        }
    }
}
