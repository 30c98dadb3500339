//! Many calls: a run that is killed and goes on, and the batch engines of providers.

mod batches;
mod engine;
mod killed;
