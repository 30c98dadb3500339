//! What the fuzz targets check. Each module is one target: `run` takes a fuzzer's bytes and panics on a finding.

pub mod decoders;
pub mod frames;
pub mod reader;
pub mod schemas;
pub mod stream;
pub mod tolerant;

mod types;
