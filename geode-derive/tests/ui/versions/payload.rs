use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(version = "1")]
struct V1 {
    text: String,
}

#[derive(StructuredOutput)]
#[geode(version = "1")]
struct Again {
    text: String,
}

#[derive(StructuredOutput)]
struct Unversioned {
    text: String,
}

impl From<V1> for Again {
    fn from(old: V1) -> Self {
        Again { text: old.text }
    }
}

impl From<V1> for Unversioned {
    fn from(old: V1) -> Self {
        Unversioned { text: old.text }
    }
}

#[derive(StructuredOutput)]
#[geode(versions)]
enum Twice {
    V1(V1),
    V2(Again),
}

#[derive(StructuredOutput)]
#[geode(versions)]
enum Without {
    V1(V1),
    V2(Unversioned),
}

fn main() {}
