//! A package that renames the dependency in its manifest, and has no serde, builds.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

#[test]
fn a_renamed_dependency_without_serde_builds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // A copy, so that the lock file, which is the workspace's, doesn't come to lie in the sources.
    let package = temporary.join("rename");
    fs::create_dir_all(package.join("src")).unwrap();
    let manifest = fs::read_to_string(root.join("tests/rename/Cargo.toml")).unwrap();
    let path = format!("path = {:?}", root.display().to_string());
    assert!(manifest.contains("path = \"../..\"") && !manifest.contains("serde ="));
    fs::write(package.join("Cargo.toml"), manifest.replace("path = \"../..\"", &path)).unwrap();
    fs::copy(root.join("tests/rename/src/lib.rs"), package.join("src/lib.rs")).unwrap();
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();

    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["check", "--offline", "--quiet", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", temporary.parent().unwrap_or(temporary))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
