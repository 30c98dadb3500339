//! JSON's grammar of numbers, byte by byte.

use super::State;

/// The state behind the bytes from `at` on that are part of a number, and where they end.
#[inline(never)]
pub(super) fn number_run(mut state: State, bytes: &[u8], mut at: usize) -> (State, usize) {
    while let Some(&byte) = bytes.get(at) {
        let goes_on =
            byte.is_ascii_digit() && matches!(state, State::Integer | State::Fraction | State::ExponentDigits);
        if !goes_on {
            let Some(next) = next_in_number(state, byte) else { break };
            state = next;
        }
        at += 1;
    }
    (state, at)
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

/// Whether a number may end here.
pub(super) fn ends_number(state: State) -> bool {
    matches!(state, State::Zero | State::Integer | State::Fraction | State::ExponentDigits)
}
