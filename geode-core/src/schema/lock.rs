//! A type's schema held to its committed copy.

use crate::shape::{Shape, fingerprint};

/// Fails to compile when a type no longer equals its lock file.
///
/// The path is relative to the package's folder. `geode::testing::lock::<T>(path)`, called in a test, writes the file when
/// `GEODE_UPDATE_LOCKS=1` is set, and holds the whole schema against it otherwise. With that variable set, this check is
/// left out. A new lock starts as a file that holds `{}`.
///
/// ```ignore
/// geode::lock!(Ticket, "schemas/ticket.json");
/// ```
#[macro_export]
macro_rules! lock {
    ($type:ty, $path:literal) => {
        const _: () = if ::core::option_env!("GEODE_UPDATE_LOCKS").is_none() {
            $crate::__private::check_lock(
                <$type as $crate::StructuredOutput>::SHAPE,
                ::core::include_str!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", $path)),
                ::core::concat!(
                    "`",
                    ::core::stringify!($type),
                    "` no longer equals its lock ",
                    $path,
                    "\nhelp: if the change is meant, run the tests with GEODE_UPDATE_LOCKS=1 and commit the file; `geode diff` tells whom it breaks"
                ),
            );
        };
    };
}

/// What [`lock!`](crate::lock) calls.
///
/// # Panics
///
/// In `const` evaluation, where the fingerprints differ.
#[doc(hidden)]
#[track_caller]
#[expect(clippy::panic, reason = "it is the compile error")]
pub const fn check_lock(shape: &Shape, lock: &str, message: &str) {
    let expected = fingerprint(shape);
    match locked_fingerprint(lock.as_bytes()) {
        Some(found) if found == expected => {}
        _ => panic!("{}", message),
    }
}

/// The sixteen hexadecimal digits behind `"fingerprint": "`.
const fn locked_fingerprint(mut lock: &[u8]) -> Option<u64> {
    while let [_, rest @ ..] = lock {
        if let Some(behind) = strip(lock, b"\"fingerprint\"") {
            return hexadecimal(behind);
        }
        lock = rest;
    }
    None
}

/// What stands behind `prefix`, if the text starts with it.
const fn strip<'t>(mut text: &'t [u8], mut prefix: &[u8]) -> Option<&'t [u8]> {
    while let [wanted, wanted_rest @ ..] = prefix {
        match text {
            [found, rest @ ..] if *found == *wanted => (text, prefix) = (rest, wanted_rest),
            _ => return None,
        }
    }
    Some(text)
}

const fn hexadecimal(mut text: &[u8]) -> Option<u64> {
    while let [b':' | b' ' | b'"' | b'\n', rest @ ..] = text {
        text = rest;
    }
    let (mut value, mut digits) = (0u64, 0);
    while let [first, rest @ ..] = text
        && digits < 16
    {
        let digit = match *first {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        value = (value << 4) | digit as u64;
        digits += 1;
        text = rest;
    }
    if digits == 16 { Some(value) } else { None }
}
