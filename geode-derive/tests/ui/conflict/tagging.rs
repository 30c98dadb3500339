use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[serde(tag = "kind", untagged)]
enum TagUntagged {
    A { a: u8 },
}

#[derive(StructuredOutput)]
#[serde(content = "body")]
enum ContentAlone {
    A { a: u8 },
}

#[derive(StructuredOutput)]
#[serde(content = "body", untagged)]
enum ContentUntagged {
    A { a: u8 },
}

#[derive(StructuredOutput)]
#[serde(tag = "kind", content = "kind")]
enum SameName {
    A { a: u8 },
}

#[derive(StructuredOutput)]
#[serde(tag = "kind")]
enum TagIsField {
    A { kind: u8 },
    B {
        #[serde(rename = "kind")]
        b: u8,
    },
}

fn main() {}
