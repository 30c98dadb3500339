//! Literals and numbers.

use super::Reader;
use crate::json::fault::Fault;
use crate::json::number::{Exact, NotExact, Number, exact, lex, plain_integer, plain_real};
use crate::report::Code;
use crate::shape::Limit;

impl Reader<'_> {
    /// Steps over `null` where it comes next.
    #[inline]
    pub fn null(&mut self) -> bool {
        self.peek() == b'n' && self.literal(b"null")
    }

    /// Reads `null`.
    #[inline]
    pub fn nothing(&mut self) -> Option<()> {
        if self.null() {
            return Some(());
        }
        self.mismatch("null");
        None
    }

    /// Reads `true` or `false`.
    #[inline]
    pub fn boolean(&mut self) -> Option<bool> {
        match self.peek() {
            b't' if self.literal(b"true") => Some(true),
            b'f' if self.literal(b"false") => Some(false),
            _ => {
                self.mismatch("true or false");
                None
            }
        }
    }

    /// Lexes the number that opens here.
    pub(super) fn number(&mut self) -> Option<Number> {
        match lex(self.text, self.at) {
            Ok((number, end)) => {
                self.at = end;
                Some(number)
            }
            Err(at) => {
                self.broken(at, "a JSON number");
                None
            }
        }
    }

    /// Reads a number as the nearest double. One beyond all doubles is a violation.
    #[inline(never)]
    pub fn real(&mut self) -> Option<f64> {
        let at = self.offset();
        if let Some((real, length)) = self.text.as_bytes().get(at..).and_then(plain_real) {
            self.at = at + length;
            return Some(real);
        }
        self.any_real()
    }

    /// Reads a number of any spelling.
    #[cold]
    fn any_real(&mut self) -> Option<f64> {
        if !matches!(self.peek(), b'-' | b'0'..=b'9') {
            self.mismatch("a number");
            return None;
        }
        let at = self.at;
        let real = self.number()?.real();
        if real.is_infinite() {
            self.record(at, Fault::Plain(Code::Range, "a number that a 64-bit float holds"));
            return None;
        }
        Some(real)
    }

    /// Reads a number as the nearest single. One beyond all singles is a violation.
    #[inline(never)]
    pub fn single(&mut self) -> Option<f32> {
        let at = self.offset();
        let real = self.real()?;
        if real.abs() > f64::from(f32::MAX) {
            self.record(at, Fault::Plain(Code::Range, "a number that a 32-bit float holds"));
            return None;
        }
        // from the text, since rounding twice is not rounding once
        self.text.get(at..self.at).and_then(|number| number.parse().ok())
    }

    /// Reads an integer from 0 to `maximum`.
    #[inline(never)]
    pub fn unsigned(&mut self, maximum: u64) -> Option<u64> {
        let at = self.offset();
        if let Some((value, length)) = self.text.as_bytes().get(at..).and_then(plain_integer)
            && let Ok(value) = u64::try_from(value)
            && value <= maximum
        {
            self.at = at + length;
            return Some(value);
        }
        let range = (Limit::Integer(0), Limit::Integer(i128::from(maximum)));
        self.integer(range).and_then(|number| u64::try_from(number.magnitude).ok())
    }

    /// Reads an integer from `minimum` to `maximum`.
    #[inline(never)]
    pub fn signed(&mut self, minimum: i64, maximum: i64) -> Option<i64> {
        let at = self.offset();
        if let Some((value, length)) = self.text.as_bytes().get(at..).and_then(plain_integer)
            && minimum <= value
            && value <= maximum
        {
            self.at = at + length;
            return Some(value);
        }
        let range = (Limit::Integer(i128::from(minimum)), Limit::Integer(i128::from(maximum)));
        self.integer(range).and_then(|number| i64::try_from(number.signed()?).ok())
    }

    /// Reads an integer of up to 128 bits from 0 to `maximum`.
    pub fn unsigned_wide(&mut self, maximum: u128) -> Option<u128> {
        let maximum = i128::try_from(maximum).map_or(Limit::Unsigned(maximum), Limit::Integer);
        self.integer((Limit::Integer(0), maximum)).map(|number| number.magnitude)
    }

    /// Reads an integer of up to 128 bits from `minimum` to `maximum`.
    pub fn signed_wide(&mut self, minimum: i128, maximum: i128) -> Option<i128> {
        self.integer((Limit::Integer(minimum), Limit::Integer(maximum))).and_then(Exact::signed)
    }

    /// Reads an integer of any spelling, and of whatever width.
    #[cold]
    fn integer(&mut self, (minimum, maximum): (Limit, Limit)) -> Option<Exact> {
        if !matches!(self.peek(), b'-' | b'0'..=b'9') {
            self.mismatch("an integer");
            return None;
        }
        let at = self.at;
        self.number()?;
        let fault = match exact(self.text.get(at..self.at).unwrap_or_default()) {
            Ok(number) if number.at_least(minimum) && number.at_most(maximum) => return Some(number),
            Ok(_) | Err(NotExact::Large) => Fault::Outside(Box::new([minimum, maximum])),
            Err(NotExact::Fraction) => Fault::Plain(Code::Type, "an integer"),
        };
        self.record(at, fault);
        None
    }
}
