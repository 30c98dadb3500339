//! Where the software is.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory of `scripts/real/install.sh`: `GEODE_REAL_DIR`, else `target/real`.
pub(crate) fn directory() -> PathBuf {
    std::env::var_os("GEODE_REAL_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/real"), PathBuf::from)
}

/// `GEODE_REAL=0` leaves all of it out.
fn is_wanted() -> bool {
    std::env::var_os("GEODE_REAL").is_none_or(|wanted| wanted != "0")
}

/// A program of npm's, or one on `PATH`. Prints its version, or a note that it is not there.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    if !is_wanted() {
        return missing(name);
    }
    let local = directory().join("node_modules/.bin").join(name);
    let path = if local.exists() { local } else { PathBuf::from(name) };
    match Command::new(&path).arg("--version").output() {
        Ok(output) if output.status.success() => {
            println!("{name}: {}", String::from_utf8_lossy(&output.stdout).trim());
            Some(path)
        }
        _ => missing(name),
    }
}

/// The Python with the packages `modules`. Prints their versions, or a note that they are not there.
pub(crate) fn python(modules: &[&str]) -> Option<PathBuf> {
    if !is_wanted() {
        return missing(&modules.join(" and "));
    }
    let path = directory().join("venv/bin/python");
    let imports =
        "import sys, importlib.metadata as m; print(*(f'{n} {m.version(n)}' for n in sys.argv[1:]), sep=', ')";
    match Command::new(&path).arg("-c").arg(imports).args(modules).output() {
        Ok(output) if output.status.success() => {
            println!("{}", String::from_utf8_lossy(&output.stdout).trim());
            Some(path)
        }
        _ => missing(&modules.join(" and ")),
    }
}

fn missing(what: &str) -> Option<PathBuf> {
    let why = if is_wanted() { "not installed (scripts/real/install.sh)" } else { "left out (`GEODE_REAL=0`)" };
    println!("note: {what} is {why}, so nothing was run against it");
    None
}
