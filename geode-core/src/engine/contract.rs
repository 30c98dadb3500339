//! What an answer has to be: where its schema comes from, and how its text becomes a value.

use std::any::Any;
use std::borrow::Cow;
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

/// What reads a text, and holds the value against the rules of its types. Those see the call's context.
enum Read<T> {
    Type(ReadType<T>),
    Schema(ReadSchema<T>),
}

type ReadType<T> = fn(&str, &WirePlan, &dyn Any) -> Result<Ruled<T>, Report>;
type ReadSchema<T> = Arc<dyn Fn(&str, &WirePlan) -> Result<T, Report> + Send + Sync>;

/// What an answer has to be.
pub(crate) struct Contract<T> {
    pub(crate) schema: SchemaSource,
    pub(crate) description: Option<String>,
    read: Read<T>,
}

impl<T: StructuredOutput + 'static> Contract<T> {
    /// The contract that is a Rust type.
    pub(crate) fn of_type() -> Self {
        Contract {
            schema: SchemaSource::Shape(T::SHAPE),
            description: None,
            read: Read::Type(|text, plan, context| Reader::read_ruled(text, &plan.lifts, context)),
        }
    }
}

impl Contract<Value> {
    /// The contract that is a JSON Schema.
    pub(crate) fn of_schema(schema: RawSchema) -> Self {
        Contract {
            schema: SchemaSource::Raw(schema.clone()),
            description: schema.description().map(str::to_owned),
            read: Read::Schema(Arc::new(move |text, plan| schema.read(text, Some(plan)))),
        }
    }
}

impl<T> Contract<T> {
    /// Name of the schema, legal for every provider.
    pub(crate) fn name(&self) -> Cow<'static, str> {
        match &self.schema {
            SchemaSource::Shape(shape) => name_of(shape),
            SchemaSource::Raw(schema) => Cow::Owned(schema.name().to_owned()),
        }
    }

    /// Reads a text, and holds the value against the rules of its types. Those see the call's context.
    pub(crate) fn read(&self, text: &str, plan: &WirePlan, context: &dyn Any) -> Result<Ruled<T>, Report> {
        match &self.read {
            Read::Type(read) => read(text, plan, context),
            Read::Schema(read) => {
                let value = read(text, plan)?;
                Ok(Ruled { value, issues: Issues::new(), notes: Vec::new(), missing_context: None })
            }
        }
    }
}

impl<T> Clone for Contract<T> {
    fn clone(&self) -> Self {
        let read = match &self.read {
            Read::Type(read) => Read::Type(*read),
            Read::Schema(read) => Read::Schema(Arc::clone(read)),
        };
        Contract { schema: self.schema.clone(), description: self.description.clone(), read }
    }
}
