//! Views: an object that is read more than once, each time for a part of its properties.

use super::Reader;
use super::object::NOWHERE;
use super::union::Pending;
use crate::shape::{Body, Edge, Field, Role, Shape, Tagging};

/// What is to be seen of an object that is read for a part of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// The view beneath, as in [`Fields`](super::Fields).
    pub(super) parent: usize,
    pub(super) sight: Sight,
}

/// Which properties a view leaves to be seen.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sight {
    /// Only those of a flattened field's shape.
    Only(Edge),
    /// All but a tag. The offset is that of the tag's value; a second one is a repetition.
    Without(&'static str, usize),
}

/// What a view says about one property.
pub(super) enum Seen {
    Yes,
    No,
    Again,
}

impl Reader<'_> {
    /// Whether the property `name`, whose value stands at offset `at`, is to be seen.
    pub(super) fn seen(&self, mut view: usize, name: &str, at: usize) -> Seen {
        while let Some(View { parent, sight }) = view.checked_sub(1).and_then(|index| self.views.get(index)) {
            match sight {
                Sight::Only(edge) if !owns(edge.shape(), name, self.options.stored) => return Seen::No,
                Sight::Without(tag, first) if *tag == name => {
                    return if *first == at { Seen::No } else { Seen::Again };
                }
                _ => {}
            }
            view = *parent;
        }
        Seen::Yes
    }

    /// Reads a part of an object that was just read: the same text again, from its brace at `start` on, seeing only the
    /// properties that belong to the flattened `field`. `view` is what is to be seen of the object itself.
    pub(super) fn part(&mut self, field: &'static Field, start: usize, view: usize, read: impl FnOnce(&mut Self)) {
        if start == NOWHERE || self.halted {
            return;
        }
        let (behind, views) = (self.at, self.views.len());
        self.views.push(View { parent: view, sight: Sight::Only(field.edge()) });
        self.pending = Pending::Body { start, view: views + 1, resume: None };
        self.at = start;
        read(self);
        self.views.truncate(views);
        self.pending = Pending::Nothing;
        if !self.halted {
            self.at = behind;
        }
    }
}

/// Whether the property `name` belongs to a shape that is flattened into the object around it.
pub(super) fn owns(shape: &Shape, name: &str, stored: bool) -> bool {
    let has = |fields: &[Field]| {
        fields.iter().any(|field| match field.role() {
            Role::Flatten => owns(field.shape(), name, stored),
            _ => field.key.is(name) || stored && field.aliases().contains(&name),
        })
    };
    match shape {
        Shape::Object(object) => has(object.fields),
        Shape::Nullable(inner) => owns(inner.shape(), name, stored),
        Shape::Annotated(annotated) => owns(annotated.of.shape(), name, stored),
        Shape::Union(union) => {
            let tag = match union.tagging {
                Tagging::Adjacent { tag, content } => return tag == name || content == name,
                Tagging::Internal { tag } => tag == name,
                Tagging::External | Tagging::Untagged | Tagging::Version { .. } => false,
            };
            let external = matches!(union.tagging, Tagging::External);
            tag || union.variants.iter().any(|variant| match &variant.body {
                _ if external && !variant.untagged => variant.name == name || stored && variant.aliases.contains(&name),
                Body::Unit => false,
                Body::Newtype(inner) => owns(inner.shape(), name, stored),
                Body::Fields(fields) => has(fields),
            })
        }
        _ => false,
    }
}
