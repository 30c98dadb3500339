use geode::{StructuredOutput, Tools};

#[derive(StructuredOutput)]
enum Direction {
    Left,
    Right,
}

/// What it can do.
#[derive(Tools)]
#[geode(tier = "rite", name = "turn")]
enum Words {
    /// Turns.
    #[geode(tiers = "write", authorize = "owns")]
    Turn,
}

/// What it can do.
#[derive(Tools)]
enum Variants {
    Undescribed,
    /// Turns.
    Turn(u32, u32),
    /// Turns again.
    #[geode(name = "undescribed!", timeout = "soon")]
    #[serde(rename = "again")]
    Again,
    /// One.
    #[geode(name = "one")]
    One,
    /// Another.
    #[geode(name = "one")]
    Another,
    /// Has a name that no provider takes.
    Größe,
}

/// What it can do.
#[derive(Tools)]
enum Types {
    /// Goes somewhere.
    Go(Direction),
    /// Goes somewhere else.
    Leave {
        /// Where to.
        to: std::net::TcpStream,
    },
}

/// What it can do.
#[derive(Tools)]
enum Generic<T> {
    /// Goes somewhere.
    Go(T),
}

/// Turns.
#[derive(Tools)]
struct Turn;

#[derive(StructuredOutput)]
enum NoTools {
    Left,
}

fn main() {
    let _ = <NoTools as geode::tool::Tools>::tools(|_: NoTools, _: geode::tool::ToolContext| async { Ok(()) });
}
