use geode::tool::ToolError;

/// Pays back.
#[geode::tool(teir = "write")]
async fn unknown_word() -> Result<(), ToolError> {
    Ok(())
}

/// Pays back.
#[geode::tool(tier = "rite", name = "a b", timeout = "soon", authorize = 3)]
async fn bad_values() -> Result<(), ToolError> {
    Ok(())
}

/// Pays back.
#[geode::tool(tier = safe, tier = "safe")]
async fn twice() -> Result<(), ToolError> {
    Ok(())
}

fn main() {}
