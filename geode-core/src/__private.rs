//! Everything that generated code may name, and nothing else.

pub use core::clone::Clone;
pub use core::convert::{From, TryFrom};
pub use core::default::Default;
pub use core::option::Option::{self, None, Some};
pub use core::result::Result::{self, Ok};
pub use std::any::type_name;
pub use std::mem::forget;

pub use crate::StructuredOutput;
pub use crate::dialect::assert_fits;
#[cfg(feature = "schemars")]
pub use crate::foreign::{json_schema, schema_name};
#[cfg(feature = "client")]
pub use crate::function::{Prompt, insert_data};
pub use crate::impls::{Json, Optional, Schemars, Text};
pub use crate::json::stream::{
    Partial, Preview, PreviewKind, Progress, partial_member, partial_variant, partial_variant_member, progress,
    progress_untyped,
};
pub use crate::json::{By, Distinct, Line, Member, Place, Reader, Slot, Version, WriteBy, Writer};
pub use crate::output::Carrier;
pub use crate::pattern::Matcher;
pub use crate::schema::check_lock;
pub use crate::shape::*;
#[cfg(feature = "client")]
pub use crate::tool::{NoArguments, Offered, Tier, ToolReturn, Tools, arguments_are_an_object};
pub use crate::version::{MigrationError, Step, TryStep};
pub use crate::with_schemars;
#[cfg(feature = "schemars")]
pub use ::schemars::{JsonSchema, Schema as JsonSchemaDocument, SchemaGenerator};
#[cfg(feature = "schemars")]
pub use std::borrow::Cow;
