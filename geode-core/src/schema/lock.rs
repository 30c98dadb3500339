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
pub const fn check_lock(shape: &Shape, lock: &str, message: &str) {
    let expected = fingerprint(shape);
    match locked_fingerprint(lock.as_bytes()) {
        Some(found) if found == expected => {}
        _ => panic!("{}", message),
    }
}

/// The sixteen hexadecimal digits behind `"fingerprint": "`.
const fn locked_fingerprint(lock: &[u8]) -> Option<u64> {
    const KEY: &[u8] = b"\"fingerprint\"";
    let mut start = 0;
    while start + KEY.len() <= lock.len() {
        let mut i = 0;
        while i < KEY.len() && lock[start + i] == KEY[i] {
            i += 1;
        }
        if i == KEY.len() {
            return hexadecimal(lock, start + i);
        }
        start += 1;
    }
    None
}

const fn hexadecimal(text: &[u8], mut at: usize) -> Option<u64> {
    while at < text.len() && matches!(text[at], b':' | b' ' | b'"' | b'\n') {
        at += 1;
    }
    let (mut value, mut digits) = (0u64, 0);
    while at < text.len() && digits < 16 {
        let digit = match text[at] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        value = (value << 4) | digit as u64;
        digits += 1;
        at += 1;
    }
    if digits == 16 { Some(value) } else { None }
}
