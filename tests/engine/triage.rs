//! The triage example as its user meets it.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The example's program, where it has been built: `cargo test` builds it, `cargo test --test engine` does not.
fn program() -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.parent()?.join("examples");
    let program = folder.join(format!("triage{}", std::env::consts::EXE_SUFFIX));
    program.exists().then_some(program)
}

fn run(arguments: &[&str], input: Option<&str>) -> Option<Output> {
    let mut command = Command::new(program()?);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("OPENAI_API_KEY");
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = command.spawn().unwrap();
    if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
        pipe.write_all(input.as_bytes()).unwrap();
    }
    Some(child.wait_with_output().unwrap())
}

#[test]
fn the_shipped_messages() {
    let Some(output) = run(&[], None) else { return };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("\"additionalProperties\": false"));
    assert_eq!(text.matches("\n#").count(), 7);
    assert!(text.contains("category: Billing") && text.contains("low_confidence_without_review"));
}

#[test]
fn texts_and_standard_input() {
    let Some(output) = run(&["My password reset fails, I am locked out", "The parcel is late"], None) else { return };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("category: Account") && text.contains("category: Delivery"), "{text}");
    let output = run(&[], Some("You charged an amount of $20 too much")).unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("20.0"));
}

#[test]
fn mistakes_get_a_clear_message_and_a_non_zero_exit() {
    for (arguments, input, word) in [
        (&["--file", "/does/not/exist"][..], None, "/does/not/exist"),
        (&["--surprise"], None, "--surprise"),
        (&["--model"], None, "--model"),
        (&[], Some(" \n"), "no message"),
        (&["--provider", "openai", "x"], None, "OPENAI_API_KEY"),
        (&["--provider", "nobody", "x"], None, "nobody"),
    ] {
        let Some(output) = run(arguments, input) else { return };
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && message.contains(word), "{arguments:?}: {message}");
    }
    let help = run(&["--help"], None).unwrap();
    assert!(help.status.success() && String::from_utf8(help.stdout).unwrap().contains("OPENAI_API_KEY"));
}
