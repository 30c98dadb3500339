//! Part `compile`: what the derive costs a build, beside serde's `Deserialize` with schemars' `JsonSchema`.
//!
//! Two packages of the same types are generated and built in turn, their dependencies once before. Counted is the user
//! CPU time of `cargo` and all that it starts.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::measure::{median, target};

const RUNS: usize = 3;
const STRUCTS: usize = 100;
const ENUMS: usize = 20;

/// One way to get a schema and a parser from a type.
struct Way {
    name: &'static str,
    dependencies: &'static str,
    derives: &'static str,
    /// The attribute of a struct.
    closed: &'static str,
    /// The attribute's namespace for constraints.
    rules: &'static str,
    /// How the namespace counts the items of a list.
    items: &'static str,
    /// Reads a `Root` from `text`, and prints the schema.
    main: &'static str,
}

const WAYS: [Way; 2] = [
    Way {
        name: "peers",
        dependencies: "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\nschemars = \"1\"\n",
        derives: "serde::Deserialize, schemars::JsonSchema",
        closed: "#[serde(deny_unknown_fields)]\n",
        rules: "schemars",
        items: "length",
        main: "    println!(\"{:?}\", serde_json::from_str::<types::Root>(&text));\n    \
               println!(\"{}\", schemars::schema_for!(types::Root).to_value());\n",
    },
    Way {
        name: "geode",
        dependencies: concat!(
            "geode = { path = \"",
            env!("CARGO_MANIFEST_DIR"),
            "/..\", default-features = false, features = [\"derive\"] }\n"
        ),
        derives: "geode::StructuredOutput",
        closed: "",
        rules: "geode",
        items: "items",
        main: "    println!(\"{:?}\", geode::from_str::<types::Root>(&text));\n    \
               println!(\"{}\", geode::schema::<types::Root>());\n",
    },
];

/// What was measured of one way, run by run.
#[derive(Default)]
struct Costs {
    check: Vec<f64>,
    release: Vec<f64>,
    size: f64,
}

pub(crate) fn run() {
    if let Err(error) = measure() {
        println!("part `compile` couldn't run: {error}");
    }
}

fn measure() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/compile");
    let packages: Vec<PathBuf> = WAYS.iter().map(|way| generate(way, &root)).collect::<io::Result<_>>()?;
    for package in &packages {
        cargo(package, &["check"])?;
        cargo(package, &["build", "--release"])?;
    }
    let mut costs: [Costs; 2] = Default::default();
    for _ in 0..RUNS {
        for (package, costs) in packages.iter().zip(&mut costs) {
            costs.check.push(cargo(package, &["check"])?);
            costs.release.push(cargo(package, &["build", "--release"])?);
            costs.size = fs::metadata(package.join("target/release/measured"))?.len() as f64;
        }
    }
    let [peers, geode] = costs.map(|costs| (median(costs.check), median(costs.release), costs.size));
    println!("{STRUCTS} structs of 8 fields and {ENUMS} enums; medians of {RUNS} runs.\n");
    println!("| derives | check, s of CPU | release, s of CPU | stripped program, bytes |\n|---|---:|---:|---:|");
    for (way, (check, release, size)) in WAYS.iter().zip([&peers, &geode]) {
        println!("| {} | {check:.2} | {release:.2} | {size:.0} |", way.derives);
    }
    println!();
    target("compile_check", geode.0 / peers.0, 0.4);
    target("compile_release", geode.1 / peers.1, 0.4);
    target("compile_size", geode.2 / peers.2, 0.5);
    Ok(())
}

/// Builds the package anew, its dependencies excepted. Returns the seconds of user CPU time.
fn cargo(package: &Path, arguments: &[&str]) -> io::Result<f64> {
    let types = fs::File::options().append(true).open(package.join("src/types.rs"))?;
    types.set_modified(std::time::SystemTime::now())?;
    let spent = || getrusage(UsageWho::RUSAGE_CHILDREN).map(|usage| usage.user_time().num_microseconds());
    let before = spent()?;
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--quiet", "--jobs", "1"])
        .current_dir(package)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", package.join("target"))
        .stdin(Stdio::null())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok((spent()? - before) as f64 / 1e6)
}

/// Writes the package of a way. Returns its folder.
fn generate(way: &Way, root: &Path) -> io::Result<PathBuf> {
    let folder = root.join(way.name);
    fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"measured\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [profile.release]\nstrip = true\n\n[dependencies]\n{}",
        way.dependencies
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // The same versions as here.
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock"), folder.join("Cargo.lock"))?;
    let main = format!(
        "mod types;\n\nfn main() {{\n    let text = std::env::args().nth(1).unwrap_or_default();\n{}}}\n",
        way.main
    );
    fs::write(folder.join("src/main.rs"), main)?;
    fs::write(folder.join("src/types.rs"), types(way))?;
    Ok(folder)
}

/// The types: every fourth enum holds data, nearly every struct holds another one.
fn types(way: &Way) -> String {
    let Way { derives, closed, rules, items, .. } = way;
    let mut text = "#![allow(dead_code)]\n".to_owned();
    let mut add = |part: std::fmt::Arguments<'_>| text.write_fmt(part).expect("text grows");
    for i in 0..ENUMS {
        let serde = if *rules == "geode" { "geode" } else { "serde" };
        if i % 4 == 3 {
            add(format_args!(
                "#[derive(Debug, {derives})]\n#[{serde}(tag = \"type\", rename_all = \"snake_case\")]\npub enum E{i} {{\n\
                 Alpha {{ a: String, b: u32 }},\nBeta {{ c: f64, d: Option<String> }},\nGamma {{ e: Vec<String> }},\n}}\n"
            ));
        } else {
            add(format_args!(
                "#[derive(Debug, {derives})]\n#[{serde}(rename_all = \"snake_case\")]\n\
                 pub enum E{i} {{ A{i}, B{i}, C{i}, D{i}, E{i}, F{i} }}\n"
            ));
        }
    }
    for i in 0..STRUCTS {
        let before = i.wrapping_sub(1);
        let child = match (i % 10, i % 3) {
            (0, _) => "Option<String>".to_owned(),
            (_, 0) => format!("Option<Box<S{before}>>"),
            (_, 1) => format!("Vec<S{before}>"),
            _ => format!("Option<S{before}>"),
        };
        let kind = i % ENUMS;
        add(format_args!(
            "#[derive(Debug, {derives})]\n{closed}pub struct S{i} {{\n\
             #[{rules}(length(min = 1, max = 100))]\npub name_{i}: String,\n\
             #[{rules}(length(max = 200))]\npub title: Option<String>,\n\
             #[{rules}(range(min = 0, max = 1000))]\npub count: u32,\n\
             #[{rules}(range(min = 0.0, max = 1.0))]\npub score: f64,\n\
             pub flag: bool,\n\
             #[{rules}({items}(max = 10))]\npub tags: Vec<String>,\n\
             pub kind: E{kind},\npub child: {child},\n}}\n"
        ));
    }
    add(format_args!("#[derive(Debug, {derives})]\n{closed}pub struct Root {{\n"));
    for i in (9..STRUCTS).step_by(10) {
        add(format_args!("pub r{i}: S{i},\n"));
    }
    add(format_args!("}}\n"));
    text
}
