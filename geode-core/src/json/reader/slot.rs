//! Whole objects for generated parsers: one shared loop fills the slots of all types.

use super::Reader;
use super::object::{DONE, Fields};
use crate::output::Carrier;
use crate::output::StructuredOutput;
use crate::shape::{Field, Role, Rules};
use std::marker::PhantomData;

/// Where a property's value goes.
///
/// Generated code has an `Option` for each field and lends them all to [`Reader::fill`]. That is one call for an
/// object and one function for each type of a field, however many structs there are: the loop is compiled once.
pub trait Slot {
    /// Reads the value.
    fn read(&mut self, reader: &mut Reader<'_>, rules: Option<&'static Rules>);

    /// The property may be absent: if there is no value, that is what it means.
    fn absent(&mut self) {}
}

impl<T: StructuredOutput> Slot for Option<T> {
    fn read(&mut self, reader: &mut Reader<'_>, rules: Option<&'static Rules>) {
        *self = match rules {
            None => T::read(reader),
            Some(rules) => reader.checked(rules),
        };
    }

    fn absent(&mut self) {
        if self.is_none() {
            *self = T::absent();
        }
    }
}

/// A property that can only hold this text.
impl Slot for &'static str {
    fn read(&mut self, reader: &mut Reader<'_>, _: Option<&'static Rules>) {
        reader.constant(self);
    }
}

/// A property that can only hold this schema version.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct Version(pub &'static str);

impl Slot for Version {
    fn read(&mut self, reader: &mut Reader<'_>, _: Option<&'static Rules>) {
        reader.version(self.0);
    }
}

/// A slot whose value comes by a carrier.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct Via<'s, T, C>(&'s mut Option<T>, PhantomData<C>);

impl<'s, T, C: Carrier<T>> Via<'s, T, C> {
    /// Wraps the slot.
    pub fn new(slot: &'s mut Option<T>) -> Self {
        Via(slot, PhantomData)
    }
}

impl<T, C: Carrier<T>> Slot for Via<'_, T, C> {
    fn read(&mut self, reader: &mut Reader<'_>, rules: Option<&'static Rules>) {
        *self.0 = C::read(reader, rules.unwrap_or(&Rules::NONE));
    }

    fn absent(&mut self) {
        if self.0.is_none() {
            *self.0 = C::absent();
        }
    }
}

/// A slot whose value comes by a function of the user's.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct By<'s, T>(pub &'s mut Option<T>, pub fn(&mut Reader<'_>) -> Option<T>);

impl<T> Slot for By<'_, T> {
    fn read(&mut self, reader: &mut Reader<'_>, _: Option<&'static Rules>) {
        *self.0 = (self.1)(reader);
    }
}

impl Reader<'_> {
    /// Reads an object: each property into the slot at its index. A slot whose property is missing, or not acceptable,
    /// stays empty, and the violation is recorded.
    pub fn fill(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        self.properties(fields, slots);
    }

    /// The same where fields are flattened: what belongs to them is read when the object's own properties have been.
    pub fn fill_flattened(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        let opened = self.properties(fields, slots);
        for (index, (field, slot)) in fields.iter().zip(slots).enumerate() {
            if matches!(field.role, Role::Flatten) {
                self.part(&opened, index, |reader| slot.read(reader, None));
            }
        }
    }

    fn properties(&mut self, fields: &'static [Field], slots: &mut [&mut dyn Slot]) -> Fields {
        let mut opened = self.object(fields);
        loop {
            let index = self.field(&mut opened);
            if index == DONE {
                break;
            }
            if let (Some(field), Some(slot)) = (fields.get(index), slots.get_mut(index)) {
                slot.read(self, field.ruled.then_some(field.rules));
            }
        }
        if self.options.absent_is_null {
            for slot in slots {
                slot.absent();
            }
        }
        opened
    }
}
