//! Where the values of an object's properties go.

use super::Reader;
use crate::output::{Carrier, StructuredOutput};
use crate::shape::Field;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// A property's empty slot, lent to [`Reader::fill`].
///
/// Generated code has a [`Place`] for each field and lends them all. That is one call for an object and one function
/// for each type of a field, however many structs there are: the loop is compiled once.
pub trait Slot {
    /// Reads the value, which opens where the reader stands.
    fn read(&mut self, reader: &mut Reader<'_>, field: &'static Field);

    /// Settles what becomes of the slot when the object has been read. Whether there is a value then.
    fn settle(&mut self, how: Settle) -> bool;
}

/// What becomes of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// Nothing.
    Keep,
    /// The property may be absent: if there is no value, that is what it means.
    Absent,
    /// The object is given up: the slot is emptied.
    Clear,
}

/// [`Slot::settle`] of a slot whose value is `absent` where there is none.
#[inline(always)]
fn settle<T>(slot: &mut Option<T>, how: Settle, absent: impl FnOnce() -> Option<T>) -> bool {
    match how {
        Settle::Keep => {}
        Settle::Absent if slot.is_some() => {}
        Settle::Absent => put(slot, absent()),
        Settle::Clear => *slot = None,
    }
    slot.is_some()
}

/// A slot of generated code, which drops nothing by itself: no function is made that does, but for [`Settle::Clear`].
///
/// `RULED` says whether the property has rules: where none has, no code is made that holds a `T` against them.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct Place<T, const RULED: bool>(ManuallyDrop<Option<T>>);

impl<T, const RULED: bool> Place<T, RULED> {
    /// A slot without a value.
    #[inline(always)]
    pub const fn empty() -> Self {
        Place(ManuallyDrop::new(None))
    }

    /// What is in the slot.
    #[inline(always)]
    pub fn into_inner(self) -> Option<T> {
        ManuallyDrop::into_inner(self.0)
    }
}

impl<T, const RULED: bool> Deref for Place<T, RULED> {
    type Target = Option<T>;

    #[inline(always)]
    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

impl<T, const RULED: bool> DerefMut for Place<T, RULED> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Option<T> {
        &mut self.0
    }
}

impl<T: StructuredOutput, const RULED: bool> Slot for Place<T, RULED> {
    fn read(&mut self, reader: &mut Reader<'_>, field: &'static Field) {
        T::read_field::<RULED>(self, reader, field);
    }

    fn settle(&mut self, how: Settle) -> bool {
        settle(self, how, T::absent)
    }
}

/// Puts a value into an empty slot.
#[inline(always)]
pub(crate) fn put<T>(slot: &mut Option<T>, value: Option<T>) {
    // the slot is empty, so that this forgets nothing, and needs no code that drops a `T`
    std::mem::forget(std::mem::replace(slot, value));
}

/// A slot for a list whose elements are to differ.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct Distinct<'s, T>(pub &'s mut Place<T, true>);

impl<T: StructuredOutput> Slot for Distinct<'_, T> {
    fn read(&mut self, reader: &mut Reader<'_>, field: &'static Field) {
        let at = reader.offset();
        self.0.read(reader, field);
        if let Some(list) = &**self.0 {
            list.check_distinct(at, reader);
        }
    }

    fn settle(&mut self, how: Settle) -> bool {
        self.0.settle(how)
    }
}

/// A property that can only hold this text.
impl Slot for &'static str {
    fn read(&mut self, reader: &mut Reader<'_>, _: &'static Field) {
        reader.constant(self);
    }

    fn settle(&mut self, _: Settle) -> bool {
        true
    }
}

/// A property that can only hold this schema version.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct Version(pub &'static str);

impl Slot for Version {
    fn read(&mut self, reader: &mut Reader<'_>, _: &'static Field) {
        reader.version(self.0);
    }

    fn settle(&mut self, _: Settle) -> bool {
        true
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
    fn read(&mut self, reader: &mut Reader<'_>, field: &'static Field) {
        *self.0 = C::read(reader, field.rules());
    }

    fn settle(&mut self, how: Settle) -> bool {
        settle(self.0, how, C::absent)
    }
}

/// A slot whose value comes by a function of the user's.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct By<'s, T>(pub &'s mut Option<T>, pub fn(&mut Reader<'_>) -> Option<T>);

impl<T> Slot for By<'_, T> {
    fn read(&mut self, reader: &mut Reader<'_>, _: &'static Field) {
        *self.0 = (self.1)(reader);
    }

    fn settle(&mut self, how: Settle) -> bool {
        settle(self.0, how, || None)
    }
}
