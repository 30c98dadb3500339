//! From answer to value: states, retries, modes, rules, tolerance, fallbacks, faults.

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
mod worker;
