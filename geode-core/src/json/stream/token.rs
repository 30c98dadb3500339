//! An incremental strict JSON tokenizer: it keeps a state of a few bytes and one bit of context a level, so that each
//! byte is read once, however the text is cut.

mod escape;
mod number;

use super::scan::string_run;
use number::{ends_number, number_run};

/// What the tokenizer finds, in the order of the text. Offsets count bytes of the text so far.
pub(super) trait Sink {
    /// A value's first byte stands at `at`.
    fn begin(&mut self, kind: Kind, at: usize);
    /// More of the current string or property name, without escapes: `text` from `start` to `end`.
    fn plain(&mut self, text: &str, start: usize, end: usize);
    /// An escape begins at `at`, in the current string or property name.
    fn escape(&mut self, text: &str, at: usize);
    /// The character that an escape stands for.
    fn escaped(&mut self, character: char);
    /// The current string's closing quote stands at `at`.
    fn end_string(&mut self, at: usize);
    /// A property name's opening quote stands at `at`.
    fn begin_key(&mut self, at: usize);
    /// The current property name's closing quote stands at `at`.
    fn end_key(&mut self, at: usize);
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

    /// Whether the text so far ends within a string or a property name.
    #[cfg(feature = "client")]
    pub(super) fn in_string(&self) -> bool {
        matches!(self.state, State::String | State::Key)
    }

    /// Reads `text` from offset `from` on.
    ///
    /// A piece is short, so what decides is how often the reading has to find out where it stands: behind a name or a
    /// value, what mostly comes next is looked for at once.
    #[inline]
    pub(super) fn read(&mut self, text: &str, from: usize, sink: &mut impl Sink) -> Result<(), Fault> {
        let bytes = text.as_bytes();
        let mut i = from;
        // in a register, not behind `self`: it changes with almost every byte
        let mut state = self.state;
        while let Some(&byte) = bytes.get(i) {
            match state {
                State::String | State::Key => {
                    let end = string_run(bytes, i);
                    sink.plain(text, i, end);
                    i = end + 1;
                    match bytes.get(end) {
                        None => break,
                        Some(b'"') if state == State::String => {
                            sink.end_string(end);
                            (state, i) = self.ahead(bytes, i, sink);
                        }
                        Some(b'"') => {
                            sink.end_key(end);
                            state = State::Colon;
                            if bytes.get(i) == Some(&b':') {
                                (state, i) = string_ahead(bytes, i + 1, sink);
                            }
                        }
                        Some(b'\\') => {
                            self.in_key = state == State::Key;
                            sink.escape(text, end);
                            state = State::Escape;
                        }
                        Some(_) => return Err(control(end)),
                    }
                    continue;
                }
                State::Minus
                | State::Zero
                | State::Integer
                | State::Dot
                | State::Fraction
                | State::Exponent
                | State::ExponentSign
                | State::ExponentDigits => {
                    (state, i) = number_run(state, bytes, i);
                    if i < bytes.len() {
                        if !ends_number(state) {
                            return Err(Fault::Syntax { at: i, expected: "a digit" });
                        }
                        sink.number(text, self.start, i);
                        (state, i) = self.ahead(bytes, i, sink);
                    }
                    continue;
                }
                State::AfterMember => match byte {
                    b',' => {
                        (state, i) = self.ahead(bytes, i, sink);
                        continue;
                    }
                    b'}' => state = self.close(i, sink),
                    _ if is_space(byte) => {}
                    _ => return Err(Fault::Syntax { at: i, expected: "`,` or `}`" }),
                },
                State::AfterElement => match byte {
                    b',' => state = State::Value,
                    b']' => state = self.close(i, sink),
                    _ if is_space(byte) => {}
                    _ => return Err(Fault::Syntax { at: i, expected: "`,` or `]`" }),
                },
                State::Colon => match byte {
                    b':' => {
                        (state, i) = string_ahead(bytes, i + 1, sink);
                        continue;
                    }
                    _ if is_space(byte) => {}
                    _ => return Err(Fault::Syntax { at: i, expected: "`:`" }),
                },
                State::NextKey | State::FirstKey => match byte {
                    b'"' => {
                        sink.begin_key(i);
                        state = State::Key;
                    }
                    b'}' if state == State::FirstKey => state = self.close(i, sink),
                    _ if is_space(byte) => {}
                    _ => return Err(Fault::Syntax { at: i, expected: "a property name in quotes" }),
                },
                State::Value | State::FirstElement => match byte {
                    b'"' => {
                        sink.begin(Kind::String, i);
                        state = State::String;
                    }
                    b']' if state == State::FirstElement => state = self.close(i, sink),
                    _ if is_space(byte) => {}
                    _ => state = self.value(byte, i, sink)?,
                },
                State::Literal => match self.literal.split_first() {
                    Some((first, rest)) if *first == byte => {
                        self.literal = rest;
                        if rest.is_empty() {
                            sink.literal(self.literal_kind, i + 1);
                            state = self.behind_value();
                        }
                    }
                    _ => return Err(Fault::Syntax { at: i, expected: "`true`, `false` or `null`" }),
                },
                State::Escape | State::Unicode | State::SecondEscape | State::SecondLetter => {
                    state = self.escaped(state, byte, i, sink)?;
                }
                State::Done if is_space(byte) => {}
                State::Done => {
                    self.state = state; // that the value was complete must still be told
                    return Err(Fault::Trailing { at: i });
                }
            }
            i += 1;
        }
        self.state = state;
        Ok(())
    }

    /// The state behind a value, and behind the comma and the quotation mark that mostly come next in an object.
    #[inline(always)]
    fn ahead(&mut self, bytes: &[u8], mut i: usize, sink: &mut impl Sink) -> (State, usize) {
        let mut state = self.behind_value();
        if state == State::AfterMember && bytes.get(i) == Some(&b',') {
            i += 1;
            state = State::NextKey;
            if bytes.get(i) == Some(&b'"') {
                sink.begin_key(i);
                i += 1;
                state = State::Key;
            }
        }
        (state, i)
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

    /// Begins a value that is no string. Returns the state behind its first byte.
    #[inline]
    fn value(&mut self, byte: u8, at: usize, sink: &mut impl Sink) -> Result<State, Fault> {
        let (kind, state) = match byte {
            b'{' => (Kind::Object, State::FirstKey),
            b'[' => (Kind::Array, State::FirstElement),
            b'1'..=b'9' => (Kind::Number, State::Integer),
            b'0' => (Kind::Number, State::Zero),
            b'-' => (Kind::Number, State::Minus),
            b't' => self.begin_literal(Kind::True, b"rue"),
            b'f' => self.begin_literal(Kind::False, b"alse"),
            b'n' => self.begin_literal(Kind::Null, b"ull"),
            _ => return Err(Fault::Syntax { at, expected: "a value" }),
        };
        if matches!(kind, Kind::Object | Kind::Array) {
            if self.levels.len() >= self.max_depth {
                return Err(Fault::Depth { at });
            }
            self.levels.push(kind == Kind::Object);
        }
        self.start = at;
        sink.begin(kind, at);
        Ok(state)
    }

    fn begin_literal(&mut self, kind: Kind, rest: &'static [u8]) -> (Kind, State) {
        self.literal_kind = kind;
        self.literal = rest;
        (kind, State::Literal)
    }

    #[inline]
    fn close(&mut self, at: usize, sink: &mut impl Sink) -> State {
        self.levels.pop();
        sink.close(at + 1);
        self.behind_value()
    }

    #[inline]
    fn behind_value(&self) -> State {
        match self.levels.last() {
            Some(true) => State::AfterMember,
            Some(false) => State::AfterElement,
            None => State::Done,
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

fn control(at: usize) -> Fault {
    Fault::Syntax { at, expected: "control characters in strings to be escaped" }
}

/// The state before a value, or behind the quotation mark that mostly opens it.
#[inline(always)]
fn string_ahead(bytes: &[u8], at: usize, sink: &mut impl Sink) -> (State, usize) {
    if bytes.get(at) != Some(&b'"') {
        return (State::Value, at);
    }
    sink.begin(Kind::String, at);
    (State::String, at + 1)
}
