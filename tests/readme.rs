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
    let rows = rows(README, "| feature | what it adds | packages |");
    for name in names.filter(|name| *name != "default") {
        assert!(rows.iter().any(|row| code(row[0]).contains(&name)), "the README has no row for the feature `{name}`");
    }
}

/// The rows of a table, as cells without the blanks around them.
fn rows<'a>(text: &'a str, head: &str) -> Vec<Vec<&'a str>> {
    let table = text.split(head).nth(1).unwrap_or_else(|| panic!("no table {head}")).lines().skip(2);
    let cells = |line: &'a str| line.trim_matches('|').split('|').map(str::trim).collect();
    table.take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// The words in backticks.
fn code(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The summary of the providers says of each adapter what the data says.
#[test]
fn the_adapters_are_summed_up() {
    let summary = rows(README, "| adapter | schema | dialect | checked here alone |");
    let data = rows(include_str!("../docs/adapters.md"), "| adapter | schema | tools | both at once |");
    assert_eq!(data.len(), summary.iter().map(|row| code(row[0]).len()).sum::<usize>());
    for adapter in data {
        let name = code(adapter[0])[0];
        let row = summary.iter().find(|row| code(row[0]).contains(&name)).unwrap_or_else(|| panic!("no row of {name}"));
        assert_eq!(row[1..], [adapter[1], adapter[7], adapter[8]], "{name}");
        assert_eq!(adapter[2] == "yes" && adapter[6] == "yes", !name.ends_with("-cli"), "tools and streams: {name}");
    }
}

/// Every word of ours stands in the table of attributes, and a test of the derive uses each.
#[test]
fn the_attributes_are_listed_and_tested() {
    let listed: Vec<&str> = rows(README, "| on | attribute | what it does |")
        .iter()
        .flat_map(|row| code(row[1]))
        .map(|word| word.split(['(', ' ']).next().unwrap())
        .collect();
    let table = include_str!("../geode-derive/src/syntax/words.rs").split("const WORDS").nth(1).unwrap();
    let ours = table.lines().filter_map(|line| {
        let (word, rest) = line.trim().split_once("(\"")?.1.split_once("\", ")?;
        rest.split(',').next()?.contains('G').then_some(word)
    });
    let ours: Vec<&str> = ours.collect();
    assert!(ours.len() > 40, "{} words", ours.len());
    let tests: String = ["derive", "foreign", "corpus", "engine", "type_cases"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(format!("{}/tests/{folder}", env!("CARGO_MANIFEST_DIR"))).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let attributes: Vec<&str> = tests.split("#[").filter_map(|rest| rest.split("\n").next()).collect();
    let uses = |word: &str| {
        let words = |line: &&str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word);
        attributes.iter().filter(|line| line.starts_with("geode(") || line.starts_with("serde(")).any(words)
    };
    let unlisted: Vec<&&str> = ours.iter().filter(|word| !listed.contains(word)).collect();
    assert!(unlisted.is_empty(), "not in the README's table: {unlisted:?}");
    let unknown: Vec<&&str> = listed.iter().filter(|word| !ours.contains(word)).collect();
    assert!(unknown.is_empty(), "in the README's table, and no word of ours: {unknown:?}");
    let untested: Vec<&&str> = listed.iter().filter(|word| !uses(word)).collect();
    assert!(untested.is_empty(), "no test uses {untested:?}");
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
    let rows = rows(README, "| feature | what it adds | packages |");
    assert!(rows.len() >= 9, "{} rows", rows.len());
    let mut chosen = String::new();
    for row in rows {
        let [names, _, counts] = row[..] else { panic!("{row:?}") };
        for (name, count) in code(names).into_iter().zip(counts.split(',').map(str::trim)) {
            let found = if count.starts_with('+') {
                format!("+{}", packages(&["--features", name]) - default)
            } else {
                chosen = format!("{chosen},{name}");
                packages(&["--no-default-features", "--features", chosen.trim_matches(',')]).to_string()
            };
            assert_eq!(found, count, "packages of `{name}`");
        }
    }
    let alone = |feature: &str| packages(&["--no-default-features", "--features", &format!("derive,{feature}")]);
    let shown = format!("`schemars` makes {} and `testing` {}:", alone("schemars"), alone("testing"));
    assert!(README.contains(&shown), "{shown}");
}
