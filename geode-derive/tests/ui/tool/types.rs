use geode::tool::{ToolError, ToolSet};

struct Opaque;

/// Returns another error.
#[geode::tool]
async fn other_error() -> Result<(), std::io::Error> {
    Ok(())
}

/// Takes what has no wire form.
#[geode::tool]
async fn no_wire_form(thing: Opaque) -> Result<(), ToolError> {
    let _ = thing;
    Ok(())
}

fn main() {
    let _ = ToolSet::new().with(Opaque);
}
