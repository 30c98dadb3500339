//! Nothing: the package is its test, `corpus.rs`.
