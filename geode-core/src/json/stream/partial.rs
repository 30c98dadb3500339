//! The typed view of a text that is still coming: what `#[derive(Partial)]` builds on.

use super::preview::Preview;
use crate::shape::{Field, Role, Shape};

/// A type that can be shown while it is still coming.
///
/// `#[derive(Partial)]` makes a view in which each field is a [`Progress`]: for `Ticket` it is `TicketPartial`. A view
/// is another type than what it shows, and nothing turns the one into the other: a value comes from the whole answer
/// alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no partial view: it does not implement `Partial`",
    label = "not a `Partial`",
    note = "for your own type, add `#[derive(Partial)]`; on a field, `#[partial(preview)]` shows it untyped"
)]
pub trait Partial {
    /// What is shown.
    type View<'a>;

    /// The view of a value that has begun. `None` where there is nothing to show yet, or the value is of another kind
    /// than the type.
    fn view(value: Preview<'_>) -> Option<Self::View<'_>>;
}

/// How far a part of a value has come, and what can be shown of it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Progress<V> {
    /// It has not begun, or can't be shown before it is complete.
    #[default]
    Pending,
    /// It has begun; more may come.
    Growing(V),
    /// It is complete.
    Done(V),
}

impl<V> Progress<V> {
    /// What can be shown, whether or not it is complete.
    pub fn shown(&self) -> Option<&V> {
        match self {
            Progress::Pending => None,
            Progress::Growing(view) | Progress::Done(view) => Some(view),
        }
    }

    /// What is shown once it is complete.
    pub fn done(&self) -> Option<&V> {
        match self {
            Progress::Done(view) => Some(view),
            Progress::Pending | Progress::Growing(_) => None,
        }
    }

    /// Whether it is complete.
    pub fn is_done(&self) -> bool {
        matches!(self, Progress::Done(_))
    }

    /// Whether there is nothing to show yet.
    pub fn is_pending(&self) -> bool {
        matches!(self, Progress::Pending)
    }
}

/// Shows how far it has come, and no content.
impl<V> std::fmt::Debug for Progress<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Progress::Pending => "Pending",
            Progress::Growing(_) => "Growing",
            Progress::Done(_) => "Done",
        })
    }
}

/// The progress of a part that may have begun, for generated code.
#[doc(hidden)]
pub fn progress<T: Partial>(value: Option<Preview<'_>>) -> Progress<T::View<'_>> {
    match value.and_then(|value| Some((value.is_done(), T::view(value)?))) {
        None => Progress::Pending,
        Some((true, view)) => Progress::Done(view),
        Some((false, view)) => Progress::Growing(view),
    }
}

/// The progress of a part that is shown untyped, for generated code.
#[doc(hidden)]
pub fn progress_untyped(value: Option<Preview<'_>>) -> Progress<Preview<'_>> {
    match value {
        None => Progress::Pending,
        Some(value) if value.is_done() => Progress::Done(value),
        Some(value) => Progress::Growing(value),
    }
}

/// The member for a struct's `index`th field on the wire, for generated code. A flattened field is the object itself.
#[doc(hidden)]
pub fn partial_member<'a>(value: Preview<'a>, shape: &'static Shape, index: usize) -> Option<Preview<'a>> {
    let Shape::Object(object) = unwrapped(shape) else { return None };
    member_of(value, object.fields, index)
}

/// The member for the `index`th of these fields.
pub(super) fn member_of<'a>(value: Preview<'a>, fields: &'static [Field], index: usize) -> Option<Preview<'a>> {
    let field = fields.iter().filter(|field| !matches!(field.role(), Role::Constant(_))).nth(index)?;
    if field.role() == Role::Flatten { Some(value) } else { value.member(field.key.name()) }
}

/// The shape without what narrows or describes it anew.
pub(super) fn unwrapped(shape: &'static Shape) -> &'static Shape {
    match shape {
        Shape::Annotated(annotated) => unwrapped(annotated.of.shape()),
        shape => shape,
    }
}
