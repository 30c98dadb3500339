//! Whole objects for generated parsers: one shared loop reads the properties of all types.

use super::Reader;
use super::object::{Ahead, Progress};
use super::slot::Slot;
use crate::json::scan::skip_white;
use crate::shape::{Field, Role};

impl Reader<'_> {
    /// Reads an object: each property into the slot at its index. A slot whose property is missing, or not acceptable,
    /// stays empty, and the violation is recorded.
    pub fn fill(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        self.properties(fields, slots);
    }

    /// The same where fields are flattened: what belongs to them is read when the object's own properties have been.
    pub fn fill_flattened(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        let (start, view) = self.properties(fields, slots);
        for (field, slot) in fields.iter().zip(slots) {
            if matches!(field.role, Role::Flatten) {
                self.part(field, start, view, |reader| slot.read(reader, field));
            }
        }
    }

    /// Reads the properties. Where the object starts, and what is to be seen of it.
    fn properties(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) -> (usize, usize) {
        let Some(start) = self.plain_object(fields) else { return self.any_properties(fields, slots) };
        let mut progress = Progress::new(fields.len());
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
                    let index;
                    (index, progress) = self.surprise(fields, progress, start);
                    let Some(field) = fields.get(index) else { break };
                    self.at = skip_white(self.text.as_bytes(), self.at);
                    (index, field)
                }
            };
            let Some(slot) = slots.get_mut(index) else { break };
            slot.read(self, field);
        }
        self.absent(slots);
        (start, 0)
    }

    /// The same for any object, and for what is none.
    #[inline(never)]
    fn any_properties(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) -> (usize, usize) {
        let mut opened = self.object(fields);
        loop {
            let index = self.field(&mut opened);
            let (Some(field), Some(slot)) = (fields.get(index), slots.get_mut(index)) else { break };
            self.at = skip_white(self.text.as_bytes(), self.at);
            slot.read(self, field);
        }
        self.absent(slots);
        (opened.start, opened.view)
    }

    /// Properties that aren't there are `null`, if that is how the text is to be read.
    #[inline(always)]
    fn absent(&mut self, slots: &mut [&mut dyn Slot]) {
        if self.options.absent_is_null {
            for slot in slots {
                slot.absent();
            }
        }
    }
}
