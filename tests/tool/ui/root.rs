use geode::tool::ToolError;

/// Takes a number.
#[geode::tool]
async fn number(args: u8) -> Result<u8, ToolError> {
    Ok(args)
}

fn main() {}
