//! Prints what each adapter can do, from its capabilities: `cargo run --example adapters`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(geode::adapter::table().as_bytes())
}
