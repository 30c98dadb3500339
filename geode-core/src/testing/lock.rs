//! Lock files of schemas.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::output::StructuredOutput;
use crate::schema::{Schema, compare};
use crate::shape::fingerprint;
use crate::typed::schema;

/// What stands in a lock file.
#[derive(Serialize, Deserialize)]
struct Lock {
    /// Compared by `geode::lock!` at compile time.
    fingerprint: String,
    schema: Schema,
}

/// Holds the schema of `T` against its lock file; with `GEODE_UPDATE_LOCKS=1` in the environment, writes the file instead.
///
/// Tests run in the package's folder, so that `path` is the same as in [`lock!`](crate::lock).
///
/// # Panics
///
/// Where they differ, with every change and whom it breaks; where the file can't be read or written.
#[track_caller]
#[expect(clippy::panic, reason = "it is how a test fails")]
pub fn lock<T: StructuredOutput>(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let current = Lock { fingerprint: format!("{:016x}", fingerprint(T::SHAPE)), schema: schema::<T>() };
    let text = serde_json::to_string_pretty(&current).unwrap_or_default() + "\n";
    if std::env::var_os("GEODE_UPDATE_LOCKS").is_some() {
        if let Err(error) = std::fs::write(path, text) {
            panic!("{}: {error}", path.display());
        }
        return;
    }
    let committed = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if committed.replace("\r\n", "\n") == text {
        return;
    }
    let changes: Vec<String> = match serde_json::from_str::<Lock>(&committed) {
        Ok(lock) => compare(&lock.schema, &current.schema).iter().map(ToString::to_string).collect(),
        Err(error) => vec![format!("it is no lock file: {error}")],
    };
    panic!(
        "{} is not the lock of {} any more:\n{}\nIf that is meant, run the tests with GEODE_UPDATE_LOCKS=1 and commit the file.",
        path.display(),
        std::any::type_name::<T>(),
        changes.join("\n"),
    );
}
