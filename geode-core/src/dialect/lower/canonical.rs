//! Raw schemas to the canonical form.

use super::Lowering;
use crate::schema::Schema;

impl Lowering {
    pub(super) fn canonical(&mut self, schema: Schema) -> Schema {
        schema
    }
}
