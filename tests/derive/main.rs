//! The derive, one module for each theme: what a type looks like on the wire, and that it reads back what it writes.

// Types stand in modules of a binary here, and some fields only on the wire.
#![allow(unreachable_pub, dead_code)]

mod attributes;
mod constraints;
mod enums;
mod generics;
mod hot;
mod hygiene;
mod structs;
mod support;
mod versions;
mod wide;
