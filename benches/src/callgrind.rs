//! Instruction counts, by valgrind: steadier than times on a busy machine.

use std::collections::HashMap;
use std::process::{Command, ExitCode};

use crate::measure::Case;

/// Runs a case under valgrind's eye: twice, the first time not counted, so that what is made once has been made.
pub(crate) fn once(cases: &mut [Case<'_>], name: &str) {
    let case = cases.iter_mut().find(|case| case.name == name).expect("a case of that name");
    (case.run)();
    counted_region(&mut case.run);
}

#[inline(never)]
fn counted_region(run: &mut dyn FnMut()) {
    run();
    std::hint::black_box(());
}

/// Counts the instructions of cases, each in a process of its own.
pub(crate) struct Counter {
    part: &'static str,
    counts: HashMap<String, f64>,
}

impl Counter {
    /// Instructions of one run of the case `name`.
    pub(crate) fn count(&mut self, name: &str) -> f64 {
        if let Some(count) = self.counts.get(name) {
            return *count;
        }
        let program = std::env::current_exe().expect("a program");
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*counted_region*"])
            .arg(program)
            .args(["once", self.part, name])
            .output()
            .expect("valgrind");
        let log = String::from_utf8_lossy(&output.stderr);
        let collected = log.lines().find_map(|line| line.split_once("Collected :")).map(|(_, count)| count.trim());
        let count = collected.and_then(|count| count.parse().ok());
        let count = count.unwrap_or_else(|| panic!("no count for {name}:\n{log}"));
        self.counts.insert(name.to_owned(), count);
        count
    }

    /// Instructions of one case as a share of another's.
    pub(crate) fn ratio(&mut self, name: &str, floor: &str) -> f64 {
        self.count(name) / self.count(floor)
    }
}

pub(crate) fn run(part: &'static str, report: impl FnOnce(&mut Counter)) -> ExitCode {
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("`--callgrind` needs valgrind");
        return ExitCode::FAILURE;
    }
    report(&mut Counter { part, counts: HashMap::new() });
    ExitCode::SUCCESS
}
