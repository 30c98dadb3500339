//! Whole objects for generated parsers: one shared loop reads the properties of all types.

use super::Reader;
use super::ahead::{Ahead, Progress};
use super::slot::{Settle, Slot};
use crate::json::scan::skip_white;
use crate::shape::{Field, Role};

impl Reader<'_> {
    /// Reads an object: each property into the slot at its index. Where one is missing, or not acceptable, the violation
    /// is recorded and all slots are empty in the end: generated code then has nothing to drop.
    pub fn fill(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        self.properties(fields, slots);
        self.settle(fields, slots);
    }

    /// The same where fields are flattened: what belongs to them is read when the object's own properties have been.
    pub fn fill_flattened(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        let (start, view) = self.properties(fields, slots);
        for (field, slot) in fields.iter().zip(slots.iter_mut()) {
            if matches!(field.role(), Role::Flatten) {
                self.part(field, start, view, |reader| slot.read(reader, field));
            }
        }
        self.settle(fields, slots);
    }

    /// Empties all slots if there is one without a value.
    #[inline(always)]
    pub(super) fn settle(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        if self.halted || !self.faults.is_empty() {
            give_up(fields, slots);
        }
    }

    /// Reads the properties. Where the object starts, and what is to be seen of it.
    ///
    /// This is where the time goes. As long as the names come in the declared order, there is nothing to look up and
    /// nothing to keep account of.
    fn properties(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) -> (usize, usize) {
        let Some(start) = self.plain_object(fields) else { return self.any_properties(fields, slots) };
        let mut due = b'{';
        let mut count = 0;
        for (field, slot) in fields.iter().zip(slots.iter_mut()) {
            let Some(behind) = field.key.comes(due, self.text.as_bytes(), self.at) else { break };
            self.at = skip_white(self.text.as_bytes(), behind);
            slot.read(self, field);
            due = b',';
            count += 1;
        }
        self.go_on(fields, slots, count, start);
        (start, 0)
    }

    /// Reads what is left of a [`plain_object`](Self::plain_object), the first `read` properties having been read in turn.
    #[inline(always)]
    pub(super) fn go_on(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot], read: usize, start: usize) {
        let progress = Progress::new(fields.len(), read);
        match progress.end(self.text.as_bytes(), self.at) {
            Some(behind) => self.leave(behind),
            None => self.other_properties(fields, slots, progress, start),
        }
        self.absent(slots);
    }

    /// Reads what is left of the properties, in whatever order: first in that of the type's last object.
    #[inline(never)]
    fn other_properties(
        &mut self,
        fields: &'static [Field],
        slots: &mut [&mut dyn Slot],
        mut progress: Progress,
        start: usize,
    ) {
        let order = self.orders.of(fields);
        let Progress { mut awaited, next: mut count, mut due } = progress;
        while let Some(index) = self.orders.guess(order, count)
            && let (Some(field), Some(slot)) = (fields.get(index), slots.get_mut(index))
            && awaited & 1 << (index % 64) != 0
            && let Some(behind) = field.key.comes(due, self.text.as_bytes(), self.at)
        {
            self.at = skip_white(self.text.as_bytes(), behind);
            awaited ^= 1 << (index % 64);
            (count, due) = (count + 1, b',');
            progress.next = index + 1;
            slot.read(self, field);
        }
        progress = Progress { awaited, due, ..progress };
        loop {
            let index = match progress.ahead(fields, self.text.as_bytes(), self.at) {
                Ahead::Property { index, behind } => {
                    self.at = behind;
                    index
                }
                Ahead::End { behind } => return self.leave(behind),
                Ahead::Unclear => {
                    let index;
                    (index, progress) = self.surprise(fields, progress, start);
                    index
                }
            };
            let (Some(field), Some(slot)) = (fields.get(index), slots.get_mut(index)) else { return };
            self.orders.learn(order, count, index);
            count += 1;
            self.at = skip_white(self.text.as_bytes(), self.at);
            slot.read(self, field);
        }
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
                slot.settle(Settle::Absent);
            }
        }
    }
}

#[cold]
#[inline(never)]
fn give_up(fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
    let filled = |(field, slot): (&Field, &mut &mut dyn Slot)| {
        slot.settle(Settle::Keep) || matches!(field.role(), Role::Defaulted)
    };
    if !fields.iter().zip(slots.iter_mut()).all(filled) {
        for slot in slots {
            slot.settle(Settle::Clear);
        }
    }
}
