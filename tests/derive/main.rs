//! The derive, one module for each theme: what a type looks like on the wire, and that it reads back what it writes.

mod attributes;
mod constraints;
mod enums;
mod generics;
mod hygiene;
mod structs;
mod support;
