//! Whole objects for generated parsers: one shared loop reads the properties of all types.

use super::Reader;
use super::object::{Ahead, Fields};
use super::slot::Slot;
use crate::json::scan::skip_white;
use crate::shape::{Field, Role};

impl Reader<'_> {
    /// Reads an object: each property into the slot at its index. A slot whose property is missing, or not acceptable,
    /// stays empty, and the violation is recorded.
    pub fn fill(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        self.properties(&mut Fields::unopened(fields), slots);
    }

    /// The same where fields are flattened: what belongs to them is read when the object's own properties have been.
    pub fn fill_flattened(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        let mut opened = Fields::unopened(fields);
        self.properties(&mut opened, slots);
        for (index, (field, slot)) in fields.iter().zip(slots).enumerate() {
            if matches!(field.role, Role::Flatten) {
                self.part(&opened, index, |reader| slot.read(reader, field));
            }
        }
    }

    fn properties(&mut self, opened: &mut Fields, slots: &mut [&mut dyn Slot]) {
        self.open(opened);
        let fields = opened.fields;
        let mut progress = opened.progress;
        loop {
            let (index, field) = match progress.ahead(fields, self.text.as_bytes(), self.at) {
                Ahead::Property { index, field, behind } => {
                    self.at = skip_white(self.text.as_bytes(), behind);
                    (index, field)
                }
                Ahead::End { behind } => {
                    self.leave(behind);
                    break;
                }
                Ahead::Unclear => {
                    opened.progress = progress;
                    let index = self.unexpected(opened);
                    progress = opened.progress;
                    let Some(field) = fields.get(index) else { break };
                    self.at = skip_white(self.text.as_bytes(), self.at);
                    (index, field)
                }
            };
            let Some(slot) = slots.get_mut(index) else { break };
            slot.read(self, field);
        }
        if self.options.absent_is_null {
            for slot in slots {
                slot.absent();
            }
        }
    }
}
