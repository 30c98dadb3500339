//! What a foreign type's schema says, made once a type.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::align::Align;
use super::names::fold_names;
use super::width::{bound_widths, whole_numbers};
use crate::dialect::canonical;
use crate::json::ReadOptions;
use crate::raw_schema::{RawSchema, drop_nulls};
use crate::report::Report;
use crate::schema::{Node, Schema, SchemaError};
use crate::shape::Unfit;

/// A foreign type's schema, in both forms.
pub(super) struct Contract {
    /// As schemars made it: an optional property may be absent.
    original: Schema,
    /// As it stands on the wire, where nothing is absent.
    wire: RawSchema,
}

type Made = Result<Arc<Contract>, Vec<Unfit>>;

/// The contract of `T`, or why there is none.
pub(super) fn contract<T: JsonSchema + 'static>() -> Made {
    static MADE: LazyLock<Mutex<HashMap<TypeId, Made>>> = LazyLock::new(Mutex::default);
    let key = TypeId::of::<T>();
    if let Some(made) = MADE.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return made.clone();
    }
    // Not under the lock: the type may hold a type of ours, which may hold a foreign one.
    let schema = SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>();
    let made = Contract::new(&schema.to_value()).map(Arc::new);
    MADE.lock().unwrap_or_else(PoisonError::into_inner).insert(key, made.clone());
    made
}

impl Contract {
    fn new(schema: &Value) -> Result<Self, Vec<Unfit>> {
        let unfit = |error: SchemaError| vec![Unfit { pointer: error.pointer, reason: error.reason }];
        let mut original = Schema::try_from(schema).map_err(unfit)?;
        bound_widths(&mut original);
        fold_names(&mut original);
        // Before anything is followed: what leads out of the document, or grows without measure, is refused here.
        let _ = RawSchema::new(original.clone()).map_err(unfit)?;
        if let Some(root) = original.node_mut() {
            root.other.retain(|(keyword, _)| keyword != "$schema");
        }
        let mut wire = canonical(original.clone());
        if let Some(root) = wire.node_mut()
            && let Some(title) = root.title.take()
        {
            // A type that refers to itself stands among its own definitions.
            let own = root.definitions.iter_mut().filter_map(|(_, body)| body.node_mut());
            own.filter(|body| body.title.as_ref() == Some(&title)).for_each(|body| body.title = None);
        }
        Ok(Contract { original, wire: RawSchema::new(wire).map_err(unfit)? })
    }

    /// The wire form as JSON text.
    pub(super) fn text(&self) -> String {
        self.wire.schema().to_string()
    }

    /// Whether `null` is one of the values.
    pub(super) fn takes_null(&self) -> bool {
        self.wire.validate(&Value::Null).is_ok()
    }

    /// Undoes in an answer what a dialect changed; whether a name came in another case.
    pub(super) fn lift(&self, value: &mut Value, options: &ReadOptions) -> bool {
        whole_numbers(value);
        if !options.absent_is_null && !options.any_case {
            return false;
        }
        let mut align = Align::new(self.root(), options.absent_is_null, options.any_case);
        align.value(value, self.wire.schema());
        align.recased
    }

    /// Holds a value against the wire form.
    pub(super) fn check(&self, value: &Value) -> Result<(), Report> {
        self.wire.validate(value)
    }

    /// A value in wire form as serde knows it: what is optional is absent again.
    pub(super) fn for_serde(&self, mut value: Value) -> Value {
        drop_nulls(&mut value, &self.original);
        value
    }

    /// Brings what serde wrote into wire form: what is absent is `null`.
    pub(super) fn fill(&self, value: &mut Value) {
        Align::new(self.root(), true, false).value(value, self.wire.schema());
    }

    fn root(&self) -> Option<&Node> {
        self.wire.schema().node()
    }
}
