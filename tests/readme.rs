//! What the README shows is what this version does, word by word.

use geode::StructuredOutput;

/// A support ticket.
#[derive(Debug, StructuredOutput)]
#[allow(dead_code)]
struct Ticket {
    /// What it is about.
    category: Category,
    /// How sure the classification is.
    #[geode(range(min = 0.0, max = 1.0))]
    confidence: f64,
    /// The order number, where the message names one.
    #[geode(pattern = "^[A-Z]{2}-[0-9]{5}$")]
    order: Option<String>,
}

#[derive(Debug, StructuredOutput)]
#[geode(rename_all = "snake_case")]
enum Category {
    /// Charges, payments, refunds, invoices.
    Billing,
    /// Crashes, errors, pages that fail.
    Technical,
    /// Anything else.
    Other,
}

const GUIDE: &str = include_str!("../docs/guide.md");
const README: &str = include_str!("../README.md");

#[track_caller]
fn shows(text: &str) {
    assert!(README.contains(text.trim_end()), "the README does not show:\n{text}");
}

#[test]
fn the_schema_is_shown() {
    shows(&geode::schema::<Ticket>().to_pretty());
}

#[test]
fn the_report_and_the_feedback_are_shown() {
    let wrong = r#"{"category": "biling", "confidence": 1.5, "order": "12345", "execute_refund": true}"#;
    shows(wrong);
    let report = geode::from_str::<Ticket>(wrong).unwrap_err();
    shows(&report.to_string());
    shows(&report.for_model());
}

#[test]
fn the_compile_error_is_shown() {
    let message = include_str!("../geode-derive/tests/ui/constraint/wrong_shape.stderr");
    shows(message.split("\n  |\n  = note").next().unwrap());
}

#[test]
fn the_example_is_the_quickstart() {
    let quickstart = include_str!("../examples/quickstart.rs");
    let types = quickstart.split("/// A support ticket.").nth(1).unwrap().split("#[tokio::main").next().unwrap();
    shows(types);
}

#[test]
fn the_features_are_listed() {
    let manifest = include_str!("../Cargo.toml");
    let features = manifest.split("[features]").nth(1).unwrap().split("\n[").next().unwrap();
    let names = features.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    let table = README.split("| feature | what it adds |").nth(1).unwrap().split("\n\n").next().unwrap();
    let rows: String = table.lines().filter_map(|line| line.split('|').nth(1)).collect();
    for name in names.filter(|name| *name != "default") {
        assert!(rows.contains(&format!("`{name}`")), "the README has no row for the feature `{name}`");
    }
}

#[test]
fn the_adapters_are_listed() {
    for line in include_str!("../docs/adapters.md").lines() {
        if let Some(name) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) {
            shows(&format!("`{name}`"));
        }
    }
}

/// Each line of a block that shows what an example prints is a line that it prints; `…` says that some are left out.
#[test]
fn the_examples_print_what_the_guide_shows() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let blocks: Vec<&str> = GUIDE.split("```text\n$ cargo run --example ").skip(1).collect();
    assert!(blocks.len() >= 4, "{} blocks", blocks.len());
    for block in blocks {
        let (command, shown) = block.split("\n```").next().unwrap().split_once('\n').unwrap();
        let name = command.split(' ').next().unwrap();
        let output = std::process::Command::new(&cargo)
            .args(["run", "--quiet", "--all-features", "--locked", "--example", name])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().replace('\r', "");
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert!(output.status.success(), "{name}: {printed}");
        let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
        for line in shown.lines().filter(|line| !line.is_empty() && *line != "…") {
            assert!(lines.contains(&line), "`{name}` does not print {line:?}:\n{printed}");
        }
    }
}

/// How many packages a build with these features has.
#[cfg(target_os = "linux")]
fn packages(features: &[&str]) -> usize {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = std::process::Command::new(cargo)
        .args(["tree", "--locked", "--offline", "-p", "geode", "-e", "normal", "--prefix", "none"])
        .args(features)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = String::from_utf8(output.stdout).unwrap();
    // A name and a version; what stands behind them says where a package comes from, or that it was listed before.
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    listed.lines().map(name).collect::<std::collections::BTreeSet<_>>().len()
}

#[cfg(target_os = "linux")]
#[test]
fn the_features_cost_as_many_packages_as_shown() {
    let default = packages(&[]);
    let table = README.split("| feature | what it adds | packages |").nth(1).unwrap();
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 9, "{} rows", rows.len());
    let mut chosen = String::new();
    for row in rows {
        let [names, _, counts] = row.trim_matches('|').split('|').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let names = names.split('`').skip(1).step_by(2);
        for (name, count) in names.zip(counts.split(',').map(str::trim)) {
            let found = if count.starts_with('+') {
                format!("+{}", packages(&["--features", name]) - default)
            } else {
                chosen = format!("{chosen},{name}");
                packages(&["--no-default-features", "--features", chosen.trim_matches(',')]).to_string()
            };
            assert_eq!(found, count, "packages of `{name}`");
        }
    }
    assert!(README.contains(&format!(
        "`schemars` makes {}",
        packages(&["--no-default-features", "--features", "derive,schemars"])
    )));
}
