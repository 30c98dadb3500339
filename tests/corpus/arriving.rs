//! A text that comes is given up only where nothing that could follow would make it valid. Since every valid text is
//! what follows each of its prefixes, that is: no prefix of a valid text is given up.

use geode::StructuredOutput;
use geode::json::stream::PushParser;
use geode::json::{ReadOptions, Reader};
use geode::testing::Generator;

/// How many texts came to what.
#[derive(Default)]
pub(crate) struct Arrived {
    pub(crate) valid: usize,
    /// Invalid, and given up before their end.
    pub(crate) given_up: usize,
    /// Invalid, which only their end showed.
    pub(crate) late: usize,
}

/// Holds `texts` texts of a type, instances and mutants, respelt at random and pushed byte by byte, against its reader.
///
/// # Errors
///
/// The first valid text of which a prefix is given up, or one that is given up for what its reader doesn't find.
pub(crate) fn arrive<T: StructuredOutput>(texts: usize, seed: u64) -> Result<Arrived, String> {
    let mut generator = Generator::of::<T>(seed);
    let mut dice = Dice(seed);
    let mut arrived = Arrived::default();
    let mut lifted = ReadOptions::default();
    (lifted.wrapped_root, lifted.any_case, lifted.absent_is_null) = (true, true, true);
    for index in 0..texts {
        let text = if index % 2 == 0 { generator.instance() } else { generator.mutant() };
        let text = respelt(&text, &mut dice);
        for (options, text) in [(ReadOptions::default(), text.clone()), (lifted, format!("{{\"value\":{text}}}"))] {
            let fault = given_up::<T>(&text, &options);
            match (Reader::read::<T>(&text, &options), fault) {
                (Ok(_), Some((at, why))) => return Err(format!("given up after {at} bytes, {why}: {text}")),
                (Ok(_), None) => arrived.valid += 1,
                (Err(_), Some((at, _))) if at < text.len() => arrived.given_up += 1,
                (Err(_), _) => arrived.late += 1,
            }
        }
    }
    Ok(arrived)
}

/// After how many bytes the text is given up, and why.
fn given_up<T: StructuredOutput>(text: &str, options: &ReadOptions) -> Option<(usize, String)> {
    let mut parser = PushParser::for_shape(T::SHAPE, options);
    let mut bytes = text.as_bytes().iter().enumerate();
    bytes.find_map(|(index, byte)| Some((index + 1, parser.push(&[*byte]).err()?.to_string())))
}

/// The same value in another spelling: whitespace between tokens, characters as escapes, integers with a fraction.
fn respelt(json: &str, dice: &mut Dice) -> String {
    let mut text = String::new();
    let mut characters = json.chars().peekable();
    let mut in_string = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' if in_string => {
                text.push(character);
                text.extend(characters.next());
            }
            '"' => {
                in_string = !in_string;
                text.push(character);
            }
            _ if in_string && dice.roll(12) == 0 => {
                let mut units = [0; 2];
                text.extend(character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04X}")));
            }
            ',' | ':' | '[' | '{' | ']' | '}' if !in_string => {
                let space = ["", "", "", " ", "\n  ", "\t"];
                text.push_str(space[dice.roll(6)]);
                text.push(character);
                text.push_str(space[dice.roll(6)]);
            }
            _ => {
                text.push(character);
                let ends_number = character.is_ascii_digit()
                    && characters.peek().is_none_or(|next| matches!(next, ',' | ']' | '}'))
                    && !in_string;
                let plain = text.rsplit([',', ':', '[', ' ', '\n', '\t']).next();
                if ends_number && plain.is_some_and(|number| !number.contains(['.', 'e', 'E'])) && dice.roll(4) == 0 {
                    text.push_str([".0", "e0", ".0E+0"][dice.roll(3)]);
                }
            }
        }
    }
    text
}

/// Numbers that look random and are the same in every run (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides) as usize
    }
}
