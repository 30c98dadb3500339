use geode::tool::{ToolContext, ToolError, ToolSet};

/// Has a name that no provider takes.
#[geode::tool]
async fn __hidden() -> Result<(), ToolError> {
    Ok(())
}

/// Has a name that is too long.
#[geode::tool]
async fn looks_up_an_order_in_the_books_of_the_last_seven_years_and_says_all() -> Result<(), ToolError> {
    Ok(())
}

/// Has a name with a letter that they don't take.
#[geode::tool]
async fn größe() -> Result<(), ToolError> {
    Ok(())
}

/// Is named by what is no name.
#[geode::tool(struct = "Look up", tier = "gentle", colour = "red", timeout = 3)]
async fn several() -> Result<(), ToolError> {
    Ok(())
}

struct Shop;

impl Shop {
    /// Has a shop.
    #[geode::tool]
    async fn lookup(&self, context: ToolContext) -> Result<(), ToolError> {
        let _ = context;
        Ok(())
    }
}

/// Takes what it can't own, and is passed on all the same: that is no mistake more.
#[geode::tool]
async fn borrowing(order: &str) -> Result<(), ToolError> {
    let _ = order;
    Ok(())
}

fn main() {
    let _ = ToolSet::new().with(Borrowing).with(Hidden);
}
