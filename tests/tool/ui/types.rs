use geode::tool::{ToolError, ToolSet};

/// Has no serialisation.
struct Opaque;

/// Returns what does not serialise.
#[geode::tool]
async fn opaque() -> Result<Opaque, ToolError> {
    Ok(Opaque)
}

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
