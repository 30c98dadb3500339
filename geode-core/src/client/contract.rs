//! What an answer has to be: where its schema comes from, and how its text becomes a value.

use std::any::Any;
use std::sync::Arc;

use crate::engine::SchemaSource;
use crate::json::{ReadOptions, Reader, Ruled};
use crate::output::StructuredOutput;
use crate::report::Report;
use crate::schema::name_of;

/// Reads a text, and holds the value against the rules of its types. Those see the call's context.
type Read<T> = Arc<dyn Fn(&str, &ReadOptions, &dyn Any) -> Result<Ruled<T>, Report> + Send + Sync>;

/// What an answer has to be.
pub(super) struct Contract<T> {
    pub(super) schema: SchemaSource,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) read: Read<T>,
}

impl<T: StructuredOutput + 'static> Contract<T> {
    /// The contract that is a Rust type.
    pub(super) fn of_type() -> Self {
        Contract {
            schema: SchemaSource::Shape(T::SHAPE),
            name: name_of(T::SHAPE),
            description: None,
            read: Arc::new(|text, options, context| Reader::read_ruled(text, options, context)),
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
