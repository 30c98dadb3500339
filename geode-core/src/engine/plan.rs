//! Where a call's schema comes from, and its lowering to the dialect that it goes to.

use std::sync::Arc;

use crate::dialect::{self, Dialect, Incompatible, WirePlan};
use crate::raw_schema::RawSchema;
use crate::shape::Shape;

/// Where a call's schema comes from.
#[derive(Clone)]
pub(crate) enum SchemaSource {
    /// A Rust type.
    Shape(&'static Shape),
    /// A JSON Schema.
    Raw(RawSchema),
}

impl SchemaSource {
    /// The schema for a dialect, or all that the dialect can't take.
    pub(crate) fn lower(&self, dialect: &'static Dialect) -> Result<Arc<WirePlan>, Incompatible> {
        match self {
            SchemaSource::Shape(shape) => dialect::lower(shape, dialect),
            SchemaSource::Raw(schema) => schema.plan(dialect),
        }
    }

    /// The schema as the arguments of a tool that the provider holds the model to, where it does so in this dialect.
    pub(crate) fn lower_strict_arguments(&self, dialect: &'static Dialect) -> Option<Arc<WirePlan>> {
        let plan = match self {
            SchemaSource::Shape(shape) => dialect::lower(shape, dialect),
            SchemaSource::Raw(schema) => schema.as_arguments().plan(dialect),
        };
        plan.ok().filter(|plan| plan.strict)
    }

    /// The version that values carry as a constant, where they do.
    pub(crate) fn version(&self) -> Option<&'static str> {
        match self {
            SchemaSource::Shape(shape) => shape.version(),
            SchemaSource::Raw(_) => None,
        }
    }
}
