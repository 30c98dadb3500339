//! An incremental strict JSON tokenizer: it keeps a state of a few bytes and one bit of context a level, so that each
//! byte is read once, however the text is cut.

use super::scan::string_run;

/// What the tokenizer finds, in the order of the text. Offsets count bytes of the text so far.
pub(super) trait Sink {
    /// A value's first byte stands at `at`.
    fn begin(&mut self, kind: Kind, at: usize);
    /// More of the current string or property name as it stands in the text, without escapes.
    fn plain(&mut self, text: &str);
    /// An escape begins at `at`, in the current string or property name.
    fn escape(&mut self, text: &str, at: usize);
    /// The character that an escape stands for.
    fn escaped(&mut self, character: char);
    /// The current string's closing quote stands at `at`.
    fn end_string(&mut self, at: usize);
    /// A property name's opening quote stands at `at`.
    fn begin_key(&mut self, at: usize);
    /// The current property name's closing quote stands at `at`.
    fn end_key(&mut self, text: &str, at: usize);
    /// A number is complete.
    fn number(&mut self, text: &str, start: usize, end: usize);
    /// `true`, `false` or `null` is complete.
    fn literal(&mut self, kind: Kind, end: usize);
    /// The innermost object or array ends before `end`.
    fn close(&mut self, end: usize);
}

/// What a value is, as its first byte tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

/// Why a text is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// Something else was expected at this offset.
    Syntax { at: usize, expected: &'static str },
    /// Deeper than the limit.
    Depth { at: usize },
    /// Text behind the value.
    Trailing { at: usize },
}

/// Where in JSON's grammar the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    FirstElement,
    FirstKey,
    NextKey,
    Key,
    Colon,
    String,
    Escape,
    Unicode,
    SecondEscape,
    SecondLetter,
    Minus,
    Zero,
    Integer,
    Dot,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    Literal,
    AfterMember,
    AfterElement,
    Done,
}

/// The tokenizer's whole memory.
#[derive(Debug)]
pub(super) struct Tokens {
    state: State,
    /// Whether the current text is a property name.
    in_key: bool,
    /// Offset of the current number.
    start: usize,
    /// The rest of the current literal.
    literal: &'static [u8],
    literal_kind: Kind,
    /// Hexadecimal digits of the current escape, and how many there are.
    code: u32,
    digits: u8,
    /// First half of a surrogate pair, or 0.
    high: u32,
    /// Whether each open level is an object.
    levels: Vec<bool>,
    max_depth: usize,
}

impl Tokens {
    pub(super) fn new(max_depth: usize) -> Self {
        Tokens {
            state: State::Value,
            in_key: false,
            start: 0,
            literal: b"",
            literal_kind: Kind::Null,
            code: 0,
            digits: 0,
            high: 0,
            levels: Vec::new(),
            max_depth,
        }
    }

    /// Whether the value is complete.
    pub(super) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Whether a string, or a property name, is open.
    pub(super) fn in_text(&self) -> bool {
        matches!(self.state, State::String | State::Key)
    }

    /// Reads `text` from offset `from` on.
    pub(super) fn read(&mut self, text: &str, from: usize, sink: &mut impl Sink) -> Result<(), Fault> {
        let bytes = text.as_bytes();
        let mut i = from;
        while let Some(&byte) = bytes.get(i) {
            match self.state {
                State::String => {
                    let end = string_run(bytes, i);
                    sink.plain(text.get(i..end).unwrap_or_default());
                    i = end;
                    match bytes.get(i) {
                        None => return Ok(()),
                        Some(b'"') => {
                            sink.end_string(i);
                            self.after_value();
                        }
                        Some(b'\\') => {
                            self.in_key = false;
                            sink.escape(text, i);
                            self.state = State::Escape;
                        }
                        Some(_) => return Err(control(i)),
                    }
                }
                State::Key => {
                    let end = string_run(bytes, i);
                    sink.plain(text.get(i..end).unwrap_or_default());
                    i = end;
                    match bytes.get(i) {
                        None => return Ok(()),
                        Some(b'"') => {
                            sink.end_key(text, i);
                            self.state = State::Colon;
                        }
                        Some(b'\\') => {
                            self.in_key = true;
                            sink.escape(text, i);
                            self.state = State::Escape;
                        }
                        Some(_) => return Err(control(i)),
                    }
                }
                State::Minus
                | State::Zero
                | State::Integer
                | State::Dot
                | State::Fraction
                | State::Exponent
                | State::ExponentSign
                | State::ExponentDigits => match next_in_number(self.state, byte) {
                    Some(next) => self.state = next,
                    None => {
                        if !ends_number(self.state) {
                            return Err(Fault::Syntax { at: i, expected: "a digit" });
                        }
                        sink.number(text, self.start, i);
                        self.after_value();
                        continue;
                    }
                },
                State::Escape | State::Unicode | State::SecondEscape | State::SecondLetter => {
                    self.escaped(byte, i, sink)?;
                }
                State::Literal => match self.literal.split_first() {
                    Some((first, rest)) if *first == byte => {
                        self.literal = rest;
                        if rest.is_empty() {
                            sink.literal(self.literal_kind, i + 1);
                            self.after_value();
                        }
                    }
                    _ => return Err(Fault::Syntax { at: i, expected: "`true`, `false` or `null`" }),
                },
                _ if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') => {}
                State::AfterMember => match byte {
                    b',' => self.state = State::NextKey,
                    b'}' => self.close(i, sink),
                    _ => return Err(Fault::Syntax { at: i, expected: "`,` or `}`" }),
                },
                State::AfterElement => match byte {
                    b',' => self.state = State::Value,
                    b']' => self.close(i, sink),
                    _ => return Err(Fault::Syntax { at: i, expected: "`,` or `]`" }),
                },
                State::Colon => match byte {
                    b':' => self.state = State::Value,
                    _ => return Err(Fault::Syntax { at: i, expected: "`:`" }),
                },
                State::FirstKey | State::NextKey => match byte {
                    b'"' => {
                        sink.begin_key(i);
                        self.state = State::Key;
                    }
                    b'}' if self.state == State::FirstKey => self.close(i, sink),
                    _ => return Err(Fault::Syntax { at: i, expected: "a property name in quotes" }),
                },
                State::FirstElement if byte == b']' => self.close(i, sink),
                State::Value | State::FirstElement => self.value(byte, i, sink)?,
                State::Done => return Err(Fault::Trailing { at: i }),
            }
            i += 1;
        }
        Ok(())
    }

    /// Ends the text, which may end a number.
    pub(super) fn finish(&mut self, text: &str, sink: &mut impl Sink) -> Result<(), Fault> {
        if self.levels.is_empty() && ends_number(self.state) {
            sink.number(text, self.start, text.len());
            self.state = State::Done;
        }
        match self.state {
            State::Done => Ok(()),
            _ => Err(Fault::Syntax { at: text.len(), expected: "more: the text ends within a value" }),
        }
    }

    fn value(&mut self, byte: u8, at: usize, sink: &mut impl Sink) -> Result<(), Fault> {
        let kind = match byte {
            b'"' => Kind::String,
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'-' | b'0'..=b'9' => Kind::Number,
            b't' => Kind::True,
            b'f' => Kind::False,
            b'n' => Kind::Null,
            _ => return Err(Fault::Syntax { at, expected: "a value" }),
        };
        if matches!(kind, Kind::Object | Kind::Array) {
            if self.levels.len() >= self.max_depth {
                return Err(Fault::Depth { at });
            }
            self.levels.push(kind == Kind::Object);
        }
        sink.begin(kind, at);
        self.state = match kind {
            Kind::String => State::String,
            Kind::Object => State::FirstKey,
            Kind::Array => State::FirstElement,
            Kind::Number => {
                self.start = at;
                match byte {
                    b'-' => State::Minus,
                    b'0' => State::Zero,
                    _ => State::Integer,
                }
            }
            Kind::True => self.begin_literal(kind, b"rue"),
            Kind::False => self.begin_literal(kind, b"alse"),
            Kind::Null => self.begin_literal(kind, b"ull"),
        };
        Ok(())
    }

    fn begin_literal(&mut self, kind: Kind, rest: &'static [u8]) -> State {
        self.literal_kind = kind;
        self.literal = rest;
        State::Literal
    }

    fn close(&mut self, at: usize, sink: &mut impl Sink) {
        self.levels.pop();
        sink.close(at + 1);
        self.after_value();
    }

    fn after_value(&mut self) {
        self.state = match self.levels.last() {
            Some(true) => State::AfterMember,
            Some(false) => State::AfterElement,
            None => State::Done,
        };
    }

    #[cold]
    fn escaped(&mut self, byte: u8, at: usize, sink: &mut impl Sink) -> Result<(), Fault> {
        let text = if self.in_key { State::Key } else { State::String };
        match self.state {
            State::SecondEscape if byte == b'\\' => self.state = State::SecondLetter,
            State::SecondLetter if byte == b'u' => {
                (self.code, self.digits, self.state) = (0, 0, State::Unicode);
            }
            State::SecondEscape | State::SecondLetter => return Err(lone_surrogate(at)),
            State::Unicode => {
                let digit = (byte as char).to_digit(16);
                let digit = digit.ok_or(Fault::Syntax { at, expected: "a hexadecimal digit" })?;
                self.code = self.code << 4 | digit;
                self.digits += 1;
                if self.digits < 4 {
                    return Ok(());
                }
                match (self.high, self.code) {
                    (0, 0xD800..0xDC00) => {
                        self.high = self.code;
                        self.state = State::SecondEscape;
                        return Ok(());
                    }
                    (0, _) => {}
                    (high, 0xDC00..0xE000) => self.code = 0x10000 + ((high - 0xD800) << 10) + (self.code - 0xDC00),
                    _ => return Err(lone_surrogate(at)),
                }
                self.high = 0;
                sink.escaped(char::from_u32(self.code).ok_or(lone_surrogate(at))?);
                self.state = text;
            }
            _ => {
                let character = match byte {
                    b'"' => '"',
                    b'\\' => '\\',
                    b'/' => '/',
                    b'b' => '\u{8}',
                    b'f' => '\u{c}',
                    b'n' => '\n',
                    b'r' => '\r',
                    b't' => '\t',
                    b'u' => {
                        (self.code, self.digits, self.state) = (0, 0, State::Unicode);
                        return Ok(());
                    }
                    _ => return Err(Fault::Syntax { at, expected: "an escape that JSON knows" }),
                };
                sink.escaped(character);
                self.state = text;
            }
        }
        Ok(())
    }
}

fn control(at: usize) -> Fault {
    Fault::Syntax { at, expected: "control characters in strings to be escaped" }
}

fn lone_surrogate(at: usize) -> Fault {
    Fault::Syntax { at, expected: "surrogates in pairs" }
}

/// The state behind `byte` in a number, or `None` where `byte` is no part of it.
fn next_in_number(state: State, byte: u8) -> Option<State> {
    Some(match (state, byte) {
        (State::Minus, b'0') => State::Zero,
        (State::Minus | State::Integer, b'0'..=b'9') => State::Integer,
        (State::Zero | State::Integer, b'.') => State::Dot,
        (State::Dot | State::Fraction, b'0'..=b'9') => State::Fraction,
        (State::Zero | State::Integer | State::Fraction, b'e' | b'E') => State::Exponent,
        (State::Exponent, b'+' | b'-') => State::ExponentSign,
        (State::Exponent | State::ExponentSign | State::ExponentDigits, b'0'..=b'9') => State::ExponentDigits,
        _ => return None,
    })
}

fn ends_number(state: State) -> bool {
    matches!(state, State::Zero | State::Integer | State::Fraction | State::ExponentDigits)
}
