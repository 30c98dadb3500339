//! The derive, shape by shape.

use geode::StructuredOutput;

#[derive(StructuredOutput, Debug, Clone, Copy, PartialEq)]
enum Level {
    Low,
    High,
}

/// A ticket.
#[derive(StructuredOutput, Debug)]
struct Ticket {
    /// How much.
    a: Level,
    b: Level,
}

#[test]
fn shape() {
    let geode::shape::Shape::Object(object) = Ticket::SHAPE else { panic!() };
    assert_eq!(object.fields[0].description, Some("How much."));
}
