//! The schema of a call, lowered to the dialect that it goes to, once for each pair.

use std::collections::HashMap;
use std::ptr;
use std::sync::{Arc, PoisonError, RwLock};

use crate::dialect::{self, Dialect, Incompatible, WirePlan};
use crate::shape::Shape;

/// Where a call's schema comes from.
#[derive(Clone)]
pub(crate) enum SchemaSource {
    /// A Rust type.
    Shape(&'static Shape),
}

/// A lowered schema, or why the dialect can't take it.
pub(crate) type Lowered = Result<Arc<WirePlan>, Vec<Incompatible>>;

/// Schemas that have been lowered. Shapes and dialects are static, so there are only so many.
#[derive(Default)]
pub(crate) struct Plans {
    known: RwLock<HashMap<(usize, usize), Lowered>>,
}

impl Plans {
    /// The schema for a dialect.
    pub(crate) fn get(&self, source: &SchemaSource, dialect: &'static Dialect) -> Lowered {
        match source {
            SchemaSource::Shape(shape) => self.of_shape(shape, dialect),
        }
    }

    fn of_shape(&self, shape: &'static Shape, dialect: &'static Dialect) -> Lowered {
        let key = (ptr::from_ref(shape).addr(), ptr::from_ref(dialect).addr());
        if let Some(plan) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return plan.clone();
        }
        let plan = dialect::lower(shape, dialect);
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(key, plan.clone());
        plan
    }
}
