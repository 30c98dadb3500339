//! [`MapKey`]: what can be the key of a map.

use crate::output::StructuredOutput;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A type that can be the key of a map: text, a whole number, or an enum without data. The derive implements it for the
/// last.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the key of a map",
    label = "not a map key",
    note = "keys are text, whole numbers, or enums without data; for others write a `Vec` of structs with a key field"
)]
pub trait MapKey: StructuredOutput {}

macro_rules! keys {
    ($($type:ty),*) => {$( impl MapKey for $type {} )*};
}

keys! {
    String, Box<str>, std::rc::Rc<str>, std::sync::Arc<str>, Cow<'_, str>, char, bool,
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize,
    IpAddr, Ipv4Addr, Ipv6Addr
}
