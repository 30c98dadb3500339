//! Hot types: the same meaning as any other type's, whatever the text.

use geode::StructuredOutput;
use geode::json::{ReadOptions, Reader, to_string};
use geode::report::{Note, Report};
use geode::testing::Generator;
use serde_json::Value;

/// The same types under `hot`, or not.
macro_rules! twins {
    ($($hot:ident)?) => {
        use std::collections::BTreeMap;

        use geode::StructuredOutput;
        use geode::check::Issues;

        #[derive(StructuredOutput)]
        #[geode($($hot,)? version = "7", tag = "kind", check = even)]
        pub struct Whole {
            #[geode(length(min = 2, max = 5))]
            pub short: String,
            #[geode(pattern = "^[A-Z]{3}-[0-9]+$")]
            pub code: String,
            pub long_name_of_more_than_twenty_four_bytes: Option<String>,
            pub level: Level,
            #[geode(range(min = 0.0, max = 1.0))]
            pub confidence: f64,
            pub count: i64,
            #[geode(range(max = 200))]
            pub small: u8,
            pub flag: bool,
            #[geode(const = true)]
            pub agreed: Option<bool>,
            #[geode(items(max = 3, unique), inner(length(max = 3)))]
            pub tags: Vec<String>,
            pub parts: Vec<Part>,
            #[geode(as_string)]
            pub address: Option<std::net::Ipv4Addr>,
            #[geode(with = crate::hot::Percent)]
            pub share: f32,
            pub choice: Choice,
            pub prices: BTreeMap<String, u16>,
            #[serde(default, alias = "extra")]
            pub more: Option<Box<Whole>>,
            pub pair: Pair<i8>,
        }

        fn even(whole: &Whole, (): &(), issues: &mut Issues) {
            if whole.count % 2 != 0 {
                issues.add("/count", "odd", "an odd count");
            }
        }

        #[derive(StructuredOutput)]
        pub enum Level {
            Low,
            High,
            #[geode(fallback)]
            Other,
        }

        #[derive(StructuredOutput)]
        #[geode($($hot)?)]
        pub struct Part {
            pub n: u32,
            #[serde(rename = "a \"quoted\" \\ name\n")]
            pub quoted: bool,
            #[serde(rename = "größe", default)]
            pub size: Option<f64>,
            #[serde(skip)]
            pub hidden: u8,
        }

        #[derive(StructuredOutput)]
        #[serde(tag = "by", rename_all = "snake_case")]
        pub enum Choice {
            Nothing,
            Part(Part),
            Fields { x: i16, y: Option<i16> },
        }

        #[derive(StructuredOutput)]
        #[geode($($hot)?)]
        pub struct Pair<T>(pub T, pub Option<T>);
    };
}

mod shared {
    twins! {}
}

mod straight {
    twins! { hot }
}

/// A wire form of the test's own.
pub(crate) struct Percent;

impl Percent {
    pub(crate) const SHAPE: &'static geode::shape::Shape = <f32 as StructuredOutput>::SHAPE;

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<f32> {
        f32::read(reader).map(|share| share / 100.0)
    }

    pub(crate) fn write(value: &f32, writer: &mut geode::json::Writer) {
        writer.single(value * 100.0);
    }
}

/// What a text is read as: the value in wire form, and the notes.
fn outcome<T: StructuredOutput>(text: &str, options: &ReadOptions) -> Result<(String, Vec<Note>), Report> {
    Reader::read_noted::<T>(text, options).map(|(value, notes)| (to_string(&value), notes))
}

/// Every way to read.
fn options() -> [ReadOptions; 4] {
    let [strict, mut stored, mut wire, mut narrow] = [ReadOptions::default(); 4];
    stored.stored = true;
    (wire.absent_is_null, wire.wrapped_root, wire.any_case) = (true, true, true);
    (narrow.max_depth, narrow.max_violations) = (3, 2);
    [strict, stored, wire, narrow]
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

/// The text in other layouts and orders, and changed by a few bytes.
fn variants(text: &str, random: &mut Random) -> Vec<String> {
    let mut variants = vec![text.to_owned(), format!(r#"{{"value":{text}}}"#)];
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        // in alphabetical order, which is another than the declared one
        variants.push(value.to_string());
        variants.push(format!("{value:#}"));
    }
    variants.push(text.replace("\":", "\" :\n\t ").replace(",\"", " , \""));
    let (mut short, mut longer) = (text.to_owned(), text.to_owned());
    short.truncate(text.floor_char_boundary(random.below(text.len())));
    variants.push(short);
    let at = text.floor_char_boundary(random.below(text.len()));
    let pieces = [" ", "\n  ", ",", "\"", "}", "null", "\\", "1", "{}", ",\"count\":3", ",\"kind\":\"Whole\"", "\u{1}"];
    longer.insert_str(at, pieces[random.below(pieces.len())]);
    variants.push(longer);
    let mut less = text.to_owned();
    less.remove(text.floor_char_boundary(random.below(text.len())));
    variants.push(less);
    variants
}

#[test]
fn a_hot_type_reads_each_text_as_its_twin_does() {
    assert_eq!(geode::schema::<straight::Whole>().to_string(), geode::schema::<shared::Whole>().to_string());
    let mut generator = Generator::of::<shared::Whole>(11);
    let mut random = Random(12);
    let (mut accepted, mut refused) = (0, 0);
    for index in 0..300 {
        let text = if index % 2 == 0 { generator.instance() } else { generator.mutant() };
        for text in variants(&text, &mut random) {
            for options in options() {
                let expected = outcome::<shared::Whole>(&text, &options);
                let found = outcome::<straight::Whole>(&text, &options);
                assert!(found == expected, "{options:?}\n{text}\n{found:?}\n{expected:?}");
                *if found.is_ok() { &mut accepted } else { &mut refused } += 1;
            }
        }
    }
    assert!(accepted > 500 && refused > 2000, "{accepted} accepted, {refused} refused");
}
