//! Numbers: lexed once, exact as integers of any width and as doubles.

use super::scan::first_word;

/// A number as it was lexed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// Plain digits that fit.
    Integer {
        /// Whether a minus stood in front.
        negative: bool,
        /// The digits' value.
        magnitude: u64,
    },
    /// Anything else: as a double, infinite where it is too large.
    Real(f64),
}

impl Number {
    /// The nearest double.
    #[inline(always)]
    pub(crate) fn real(self) -> f64 {
        match self {
            Number::Integer { negative: false, magnitude } => magnitude as f64,
            Number::Integer { negative: true, magnitude } => -(magnitude as f64),
            Number::Real(real) => real,
        }
    }
}

static POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Adds the digits from `at` on to `value`; the new value, and where the digits end.
#[inline(always)]
fn digits(bytes: &[u8], at: usize, mut value: u64) -> (u64, usize) {
    let mut count = 0;
    for &byte in bytes.get(at..).unwrap_or_default() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        count += 1;
    }
    (value, at + count)
}

/// The integer that `text` starts with and its length, if it has few plain digits.
#[inline(always)]
pub(crate) fn plain_integer(text: &[u8]) -> Option<(i64, usize)> {
    let (negative, number) = match text {
        [b'-', number @ ..] => (true, number),
        number => (false, number),
    };
    let (mut value, mut count) = (0i64, 0);
    let next = loop {
        match number.get(count) {
            Some(&byte @ b'0'..=b'9') => value = value.wrapping_mul(10).wrapping_add(i64::from(byte - b'0')),
            Some(&byte) => break byte,
            None => break 0,
        }
        count += 1;
    };
    // eighteen digits always fit
    let plain = (1..=18).contains(&count) && !matches!(next, b'.' | b'e' | b'E');
    if !plain || count > 1 && number.first() == Some(&b'0') {
        return None;
    }
    Some(if negative { (-value, count + 1) } else { (value, count) })
}

/// The double nearest to the decimal that `text` starts with and its length, if it has few digits and no exponent.
#[inline(always)]
pub(crate) fn plain_real(text: &[u8]) -> Option<(f64, usize)> {
    if let [b'-', number @ ..] = text {
        return short_real(number).map(|(real, length)| (-real, length + 1));
    }
    short_real(text)
}

const ONES: u64 = u64::MAX / 255;

/// The same without a sign, if seven bytes hold it: all of them at once.
#[inline(always)]
fn short_real(text: &[u8]) -> Option<(f64, usize)> {
    let word = first_word(text)?;
    let digits = word ^ (ONES * b'0' as u64);
    // the high bits of bytes that are no digits; bits above the second may be false
    let others = (digits.wrapping_add(ONES * 0x76) | digits) & (ONES << 7);
    let whole = others.trailing_zeros() & !7;
    if whole == 0 || whole == 64 || whole > 8 && digits as u8 == 0 {
        return None;
    }
    let next = (word >> whole) as u8;
    if next | 0x20 == b'e' {
        return None;
    }
    if next != b'.' {
        return Some((f64::from(eight_digits(digits << (64 - whole))), (whole / 8) as usize));
    }
    let end = (others & (others - 1)).trailing_zeros() & !7;
    if end == 64 || (word >> end) as u8 | 0x20 == b'e' {
        return None;
    }
    // without the point; the digits and their power of ten are exact doubles, so one division gives the nearest
    let before = (1 << whole) - 1;
    let digits = digits & before | digits >> 8 & !before;
    let power = SHORT_POWERS.get(((end - whole) / 8).wrapping_sub(2) as usize)?;
    Some((f64::from(eight_digits(digits << (72 - end))) / power, (end / 8) as usize))
}

/// Powers of ten by the length of a fraction, less one.
static SHORT_POWERS: [f64; 5] = [1e1, 1e2, 1e3, 1e4, 1e5];

/// The number of eight decimal digits, the first in the lowest byte.
#[inline(always)]
fn eight_digits(digits: u64) -> u32 {
    const TWO: u64 = 0xff_0000_00ff;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let high = (pairs & TWO).wrapping_mul(100 + (1_000_000 << 32));
    let low = (pairs >> 16 & TWO).wrapping_mul(1 + (10_000 << 32));
    (high.wrapping_add(low) >> 32) as u32
}

/// Lexes a number at `start`. The number and where it ends; where it is none, the offset at which it stops being one.
pub(crate) fn lex(text: &str, start: usize) -> Result<(Number, usize), usize> {
    let bytes = text.as_bytes();
    let negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(negative);
    let (mut value, mut at) = digits(bytes, first, 0);
    let whole = at - first;
    if whole == 0 || (whole > 1 && bytes.get(first) == Some(&b'0')) {
        return Err(first + usize::from(whole > 1));
    }
    let next = bytes.get(at).copied().unwrap_or(0);
    if next != b'.' && next | 0x20 != b'e' {
        // nineteen digits always fit
        if whole <= 19 {
            return Ok((Number::Integer { negative, magnitude: value }, at));
        }
        return Ok((slow(text, start, at), at));
    }
    let mut fraction = 0;
    if next == b'.' {
        let point = at + 1;
        (value, at) = digits(bytes, point, value);
        fraction = at - point;
        if fraction == 0 {
            return Err(at);
        }
    }
    let mut exponent = 0i32.saturating_sub_unsigned(u32::try_from(fraction).unwrap_or(u32::MAX));
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        let mut down = false;
        if let Some(&sign @ (b'+' | b'-')) = bytes.get(at) {
            down = sign == b'-';
            at += 1;
        }
        let from = at;
        let mut power = 0i32;
        while let Some(digit @ 0..=9) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')) {
            power = power.saturating_mul(10).saturating_add(i32::from(digit));
            at += 1;
        }
        if at == from {
            return Err(at);
        }
        exponent = exponent.saturating_add(if down { -power } else { power });
    }
    // both operands are exact doubles, so one correctly rounded operation gives the nearest double
    if whole + fraction <= 19
        && value < 1 << 53
        && let Some(&power) = POWERS.get(exponent.unsigned_abs() as usize)
    {
        let real = value as f64;
        let real = if exponent < 0 { real / power } else { real * power };
        return Ok((Number::Real(if negative { -real } else { real }), at));
    }
    Ok((slow(text, start, at), at))
}

#[cold]
#[inline(never)]
fn slow(text: &str, start: usize, end: usize) -> Number {
    Number::Real(text.get(start..end).and_then(|number| number.parse().ok()).unwrap_or(f64::INFINITY))
}

/// An integer of any spelling, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exact {
    /// Whether it is below zero. `-0` is not.
    pub(crate) negative: bool,
    /// Its distance from zero.
    pub(crate) magnitude: u128,
}

/// Why a number is no integer of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotExact {
    /// It has a fraction.
    Fraction,
    /// It is beyond 128 bits.
    Large,
}

/// Reads a well-formed JSON number as an integer: `1e3`, `20.0` and `9007199254740993.0` are ones.
pub(crate) fn exact(number: &str) -> Result<Exact, NotExact> {
    let (negative, number) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (number, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = String::with_capacity(mantissa.len());
    digits.push_str(whole);
    digits.push_str(fraction);
    let significant = digits.trim_start_matches('0');
    let trimmed = significant.trim_end_matches('0');
    if trimmed.is_empty() {
        return Ok(Exact { negative: false, magnitude: 0 });
    }
    // an exponent beyond i64 decides the matter by its sign alone
    let exponent = match exponent.parse::<i64>() {
        Ok(exponent) => exponent,
        Err(_) if exponent.starts_with('-') => return Err(NotExact::Fraction),
        Err(_) => return Err(NotExact::Large),
    };
    let zeros = significant.len() - trimmed.len();
    let scale = exponent.saturating_sub_unsigned(fraction.len() as u64).saturating_add_unsigned(zeros as u64);
    if scale < 0 {
        return Err(NotExact::Fraction);
    }
    let magnitude = trimmed.parse::<u128>().map_err(|_| NotExact::Large)?;
    let power = u32::try_from(scale).ok().and_then(|scale| 10u128.checked_pow(scale)).ok_or(NotExact::Large)?;
    let magnitude = magnitude.checked_mul(power).ok_or(NotExact::Large)?;
    Ok(Exact { negative, magnitude })
}
