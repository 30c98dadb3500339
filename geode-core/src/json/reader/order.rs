//! The order in which objects' properties come where it is not the declared one: the next object of the type mostly has
//! the same.

use crate::shape::Field;

/// How many types' orders are kept: a list's elements and what each of them holds.
const TYPES: usize = 2;

/// Stands for a property that is not known yet.
const UNKNOWN: u8 = u8::MAX;

/// The last order of some types.
pub(super) struct Orders {
    kept: [Order; TYPES],
    /// Which one goes next.
    oldest: usize,
}

#[derive(Clone, Copy)]
struct Order {
    fields: &'static [Field],
    /// Indices of the properties, as they came.
    indices: [u8; 64],
}

/// Which of the orders. Another type may have taken its place: what is known of an order is never more than a guess.
#[derive(Clone, Copy)]
pub(super) struct OrderId(usize);

impl Orders {
    pub(super) const NONE: Orders = Orders { kept: [Order { fields: &[], indices: [UNKNOWN; 64] }; TYPES], oldest: 0 };

    /// The order of an object with these properties.
    #[inline]
    pub(super) fn of(&mut self, fields: &'static [Field]) -> OrderId {
        if let Some(id) = self.kept.iter().position(|order| std::ptr::eq(order.fields, fields)) {
            return OrderId(id);
        }
        let id = self.oldest;
        if let Some(order) = self.kept.get_mut(id) {
            *order = Order { fields, indices: [UNKNOWN; 64] };
        }
        self.oldest = (id + 1) % TYPES;
        OrderId(id)
    }

    /// The index of the property that came last time where `count` had come before.
    #[inline(always)]
    pub(super) fn guess(&self, id: OrderId, count: usize) -> Option<usize> {
        self.kept.get(id.0)?.indices.get(count).map(|index| usize::from(*index))
    }

    /// Keeps what came there this time.
    #[inline(always)]
    pub(super) fn learn(&mut self, id: OrderId, count: usize, index: usize) {
        if let Some(known) = self.kept.get_mut(id.0).and_then(|order| order.indices.get_mut(count)) {
            *known = u8::try_from(index).unwrap_or(UNKNOWN);
        }
    }
}
