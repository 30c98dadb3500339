//! JSON Schema documents: an ordered, typed tree, read from text and written in declaration order.
//!
//! A property that happens to be called `format` stands in [`Node::properties`] and the keyword `format` in
//! [`Node::format`], so that no pass can take one for the other. Keywords that this tree doesn't know are kept in
//! [`Node::other`], in order.

mod compare;
mod cycles;
mod fingerprint;
mod flatten;
#[cfg(feature = "schemars")]
mod foreign;
mod from_shape;
mod lock;
mod name;
mod narrow;
mod node;
mod ordered;
mod places;
mod pointer;
mod read;
mod references;
mod strict;
mod union;
mod write;

pub use compare::{Breaks, Change, assert_compatible, compare};
pub use fingerprint::fingerprint;
pub use from_shape::from_shape;
#[doc(hidden)]
pub use lock::check_lock;
pub use name::{legal_name, name_of};
pub use node::{Node, Schema, Type};
pub use read::SchemaError;
pub use strict::is_openai_strict;

pub(crate) use cycles::in_cycle;
#[cfg(feature = "client")]
pub(crate) use fingerprint::fingerprint_of;
pub(crate) use fingerprint::hash;
pub(crate) use places::Places;
pub(crate) use pointer::join;
#[cfg(feature = "testing")]
pub(crate) use pointer::unescape;
#[cfg(any(feature = "client", feature = "schemars", feature = "testing"))]
pub(crate) use read::read_value;
pub(crate) use references::{
    MOST_INLINED, MOST_LEVELS, inline, inline_single_uses, local_target, prune, recursive_definitions, wrap_references,
};

#[cfg(test)]
mod tests;
