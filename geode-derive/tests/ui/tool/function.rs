use geode::tool::ToolError;

#[geode::tool]
fn neither_async_nor_described<T>(order: &str, (a, b): (u8, u8)) -> Result<(), ToolError> {
    let _ = (order, a, b);
    Ok(())
}

/// Returns nothing.
#[geode::tool]
async fn no_result() {}

/// Takes both.
#[geode::tool]
async fn both(args: u8, other: u8) -> Result<(), ToolError> {
    let _ = (args, other);
    Ok(())
}

/// Not a function.
#[geode::tool]
struct Thing;

fn main() {}
