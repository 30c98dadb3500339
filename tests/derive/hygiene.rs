//! Generated code needs nothing of the caller's scope.

use crate::support::both_ways;

/// Every name that generated code could be tempted to use means something else here.
#[allow(dead_code, non_camel_case_types)]
mod shadowed {
    pub struct Option;
    pub struct Result;
    pub struct String;
    pub struct Vec;
    pub struct Box;
    pub struct Default;
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct Err;
    pub struct Shape;
    pub struct Reader;
    pub struct Writer;
    pub struct Field;
    pub mod std {}
    pub mod core {}
    pub mod geode {}
    pub trait StructuredOutput {}

    #[derive(::geode::StructuredOutput, Debug, PartialEq)]
    pub struct Struct {
        pub text: ::std::string::String,
        #[geode(range(min = 1), example = 3)]
        pub count: ::std::option::Option<u8>,
        #[serde(default)]
        pub list: ::std::vec::Vec<Choice>,
    }

    #[derive(::geode::StructuredOutput, Debug, PartialEq)]
    pub enum Choice {
        Some,
        None(u8),
        Ok { __f0: u8, r: u8 },
    }

    #[derive(::geode::StructuredOutput, Debug, PartialEq)]
    pub enum Unit {
        Some,
        None,
    }

    impl Struct {
        pub const SHAPE: u8 = 0;
        pub fn read() {}
        pub fn write() {}
    }
}

#[test]
fn shadowed_names() {
    use shadowed::{Choice, Struct};
    let value = Struct { text: "a".into(), count: Some(1), list: vec![Choice::Some, Choice::Ok { __f0: 1, r: 2 }] };
    both_ways(value, r#"{"text":"a","count":1,"list":["Some",{"Ok":{"__f0":1,"r":2}}]}"#);
    both_ways(shadowed::Unit::None, r#""None""#);
}

mod no_prelude {
    #![no_implicit_prelude]

    #[derive(::geode::StructuredOutput)]
    pub struct Struct<T> {
        #[geode(length(min = 1), pattern = "^a")]
        pub text: ::std::string::String,
        pub value: T,
        #[geode(as_string)]
        pub port: u16,
        #[serde(skip)]
        pub hidden: u8,
    }

    #[derive(::geode::StructuredOutput)]
    #[serde(tag = "kind")]
    pub enum Choice {
        A,
        B {
            b: u8,
        },
        #[serde(other)]
        C,
    }

    #[derive(::geode::StructuredOutput, ::std::clone::Clone)]
    #[geode(from = u8, into = u8)]
    pub struct Converted(pub u8);

    impl ::std::convert::From<u8> for Converted {
        fn from(n: u8) -> Self {
            Converted(n)
        }
    }

    impl ::std::convert::From<Converted> for u8 {
        fn from(converted: Converted) -> u8 {
            converted.0
        }
    }
}

#[test]
fn no_prelude() {
    let value: no_prelude::Struct<u8> = crate::support::read(r#"{"text":"a","value":1,"port":"80"}"#).unwrap();
    assert_eq!((value.value, value.port, value.hidden), (1, 80, 0));
    let choice: no_prelude::Choice = crate::support::read(r#"{"kind":"B","b":1}"#).unwrap();
    assert!(matches!(choice, no_prelude::Choice::B { b: 1 }));
}

/// Variants and fields with the names of associated items, and of bindings.
mod associated {
    #![allow(non_camel_case_types, non_snake_case, clippy::upper_case_acronyms)]

    #[derive(::geode::StructuredOutput, ::geode::Partial, Debug, PartialEq)]
    #[serde(tag = "kind")]
    pub enum Event {
        View { body: u8, shape: u8, value: u8, variant: u8 },
        SHAPE,
        Error,
    }

    #[derive(::geode::StructuredOutput, ::geode::Partial, Debug, PartialEq)]
    pub struct r#struct {
        pub r#fn: u8,
        pub value: Option<Box<r#struct>>,
    }
}

#[test]
fn associated_names() {
    use associated::{Event, r#struct};
    both_ways(
        Event::View { body: 1, shape: 2, value: 3, variant: 4 },
        r#"{"kind":"View","body":1,"shape":2,"value":3,"variant":4}"#,
    );
    both_ways(Event::SHAPE, r#"{"kind":"SHAPE"}"#);
    both_ways(r#struct { r#fn: 1, value: None }, r#"{"fn":1,"value":null}"#);
}

/// The facade under another path.
mod renamed {
    pub mod inner {
        pub use ::geode as other;
    }

    #[derive(::geode::StructuredOutput, Debug, PartialEq)]
    #[geode(crate = crate::hygiene::renamed::inner::other)]
    pub struct Struct<T> {
        pub value: Option<T>,
    }
}

#[test]
fn renamed() {
    both_ways(renamed::Struct { value: Some(1u8) }, r#"{"value":1}"#);
}
