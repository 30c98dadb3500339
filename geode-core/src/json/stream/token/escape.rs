//! Escapes in strings, byte by byte.

use super::{Fault, Sink, State, Tokens};

impl Tokens {
    /// Reads a byte of an escape. Returns the state behind it.
    pub(super) fn escaped(&mut self, state: State, byte: u8, at: usize, sink: &mut impl Sink) -> Result<State, Fault> {
        let character = match (state, byte) {
            (State::Escape, b'"') => '"',
            (State::Escape, b'\\') => '\\',
            (State::Escape, b'/') => '/',
            (State::Escape, b'b') => '\u{8}',
            (State::Escape, b'f') => '\u{c}',
            (State::Escape, b'n') => '\n',
            (State::Escape, b'r') => '\r',
            (State::Escape, b't') => '\t',
            (State::Escape | State::SecondLetter, b'u') => {
                (self.code, self.digits) = (0, 0);
                return Ok(State::Unicode);
            }
            (State::Escape, _) => return Err(Fault::Syntax { at, expected: "an escape that JSON knows" }),
            (State::SecondEscape, b'\\') => return Ok(State::SecondLetter),
            (State::SecondEscape | State::SecondLetter, _) => return Err(lone_surrogate(at)),
            _ => {
                let digit = (byte as char).to_digit(16);
                let digit = digit.ok_or(Fault::Syntax { at, expected: "a hexadecimal digit" })?;
                self.code = self.code << 4 | digit;
                self.digits += 1;
                if self.digits < 4 {
                    return Ok(State::Unicode);
                }
                if self.high == 0 && (0xD800..0xDC00).contains(&self.code) {
                    self.high = self.code;
                    return Ok(State::SecondEscape);
                }
                let code = match (std::mem::take(&mut self.high), self.code) {
                    (0, code) => code,
                    (high, low @ 0xDC00..0xE000) => 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00),
                    _ => return Err(lone_surrogate(at)),
                };
                char::from_u32(code).ok_or(lone_surrogate(at))?
            }
        };
        sink.escaped(character);
        Ok(if self.in_key { State::Key } else { State::String })
    }
}

fn lone_surrogate(at: usize) -> Fault {
    Fault::Syntax { at, expected: "surrogates in pairs" }
}
