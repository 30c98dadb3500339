//! Objects with more properties than a word has bits.

use geode::StructuredOutput;

use crate::support::{read, refused};

macro_rules! wide {
    ($($field:ident),*) => {
        #[derive(StructuredOutput, Debug, PartialEq)]
        struct Wide {
            $($field: u8),*
        }

        const NAMES: &[&str] = &[$(stringify!($field)),*];
    };
}

wide!(
    f00, f01, f02, f03, f04, f05, f06, f07, f08, f09, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
    f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38, f39, f40, f41, f42, f43, f44, f45,
    f46, f47, f48, f49, f50, f51, f52, f53, f54, f55, f56, f57, f58, f59, f60, f61, f62, f63, f64, f65, f66, f67, f68,
    f69
);

/// An object with these properties, each with its place in the declaration for its value.
fn text<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let members = names.map(|name| format!("{name:?}:{}", name[1..].parse::<u8>().unwrap()));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

#[test]
fn properties_come_in_any_order() {
    let expected: Wide = read(&text(NAMES.iter().copied())).unwrap();
    assert_eq!((expected.f00, expected.f63, expected.f64, expected.f69), (0, 63, 64, 69));
    for start in 0..NAMES.len() {
        let rotated = || NAMES.iter().copied().cycle().skip(start).take(NAMES.len());
        assert_eq!(read::<Wide>(&text(rotated())).unwrap(), expected, "from {start} on");
        let backwards: Vec<&str> = rotated().collect();
        assert_eq!(read::<Wide>(&text(backwards.into_iter().rev())).unwrap(), expected, "down to {start}");
    }
}

#[test]
fn properties_beyond_a_word_are_missed_and_may_not_repeat() {
    let but_one = NAMES.iter().copied().filter(|name| *name != "f65");
    refused::<Wide>(&text(but_one), &["Missing /f65"]);
    refused::<Wide>(&text(NAMES.iter().copied().chain(["f66"])), &["Duplicate /f66"]);
    refused::<Wide>(&text(NAMES.iter().copied().chain(["f01"])), &["Duplicate /f01"]);
}
