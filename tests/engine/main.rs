//! From answer to value: states, retries, modes, rules, tolerance, fallbacks, faults.

#[allow(dead_code, reason = "not every test binary looks at all that the server recorded")]
#[path = "../support/mod.rs"]
mod support;

mod chaos;
mod fallbacks;
mod faults;
mod modes;
mod responses;
mod retries;
mod rules;
mod triage;
mod wire_cases;
mod worker;
