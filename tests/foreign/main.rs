//! Types of other crates through schemars and serde, both ways.

mod carried;
mod wire;
