//! Anthropic Message Batches.
//!
//! Facts: platform.claude.com, "Batch processing" guide and API reference, and the types of anthropic-python 2.14
//! (`types/messages/message_batch.py`, `message_batch_individual_response.py`). Read 2026-11.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Batch, BatchError, BatchState, Batches, ItemReply, Line, item_fault, undocumented};
use crate::adapter::{AdapterFault, error_body};
use crate::transport::{HeaderMap, HttpMethod, WireReply};

const MAX_ITEMS: usize = 100_000;
const MAX_BYTES: usize = 256 * 1024 * 1024;

#[derive(Serialize)]
struct NewBatch<'a> {
    requests: Vec<NewItem<'a>>,
}

#[derive(Serialize)]
struct NewItem<'a> {
    custom_id: &'a str,
    params: &'a RawValue,
}

#[derive(Deserialize)]
struct BatchObject {
    id: String,
    processing_status: String,
    #[serde(default)]
    request_counts: Counts,
    results_url: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Counts {
    processing: u64,
    succeeded: u64,
    errored: u64,
    canceled: u64,
    expired: u64,
}

#[derive(Deserialize)]
struct ResultLine<'a> {
    custom_id: String,
    #[serde(borrow)]
    result: ItemResult<'a>,
}

#[derive(Deserialize)]
struct ItemResult<'a> {
    r#type: String,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

pub(super) async fn submit(batches: &Batches, lines: &[Line]) -> Result<Batch, BatchError> {
    if lines.len() > MAX_ITEMS {
        return Err(BatchError::Items(format!("{} items, and a batch takes {MAX_ITEMS}", lines.len())));
    }
    let mut requests = Vec::with_capacity(lines.len());
    for line in lines {
        let params = serde_json::from_slice(&line.body).map_err(|error| BatchError::Items(error.to_string()))?;
        requests.push(NewItem { custom_id: &line.key, params });
    }
    let body = serde_json::to_vec(&NewBatch { requests }).map_err(|error| BatchError::Items(error.to_string()))?;
    if body.len() > MAX_BYTES {
        return Err(BatchError::Items(format!("{} bytes, and a batch takes {MAX_BYTES}", body.len())));
    }
    let request = batches.request(HttpMethod::Post, "/messages/batches", body.into())?;
    Ok(batches.exchange::<BatchObject>(request).await?.into())
}

pub(super) async fn status(batches: &Batches, id: &str) -> Result<Batch, BatchError> {
    let request = batches.request(HttpMethod::Get, &format!("/messages/batches/{id}"), Bytes::new())?;
    Ok(batches.exchange::<BatchObject>(request).await?.into())
}

pub(super) async fn cancel(batches: &Batches, id: &str) -> Result<Batch, BatchError> {
    let request = batches.request(HttpMethod::Post, &format!("/messages/batches/{id}/cancel"), Bytes::new())?;
    Ok(batches.exchange::<BatchObject>(request).await?.into())
}

/// Reads one line of the results.
pub(super) fn item(line: &[u8]) -> Result<ItemReply, BatchError> {
    let line: ResultLine<'_> =
        serde_json::from_slice(line).map_err(|error| undocumented("a line of the results", &error, 200))?;
    let reply = match (line.result.r#type.as_str(), line.result.message, line.result.error) {
        ("succeeded", Some(message), _) => Ok(whole(200, message)),
        // The item's error is a body as the Messages API gives it with an error status.
        ("errored", _, Some(error)) => Err(AdapterFault::Provider(Box::new(error_body::read(&whole(0, error))))),
        (kind, ..) => {
            let message = format!("the item was not answered: `{kind}`");
            Err(item_fault(Some(kind.to_owned()), message))
        }
    };
    Ok(ItemReply { key: line.custom_id, reply })
}

fn whole(status: i32, body: &RawValue) -> WireReply {
    WireReply {
        status,
        headers: HeaderMap::new(),
        body: Bytes::copy_from_slice(body.get().as_bytes()),
        stderr: Bytes::new(),
    }
}

impl From<BatchObject> for Batch {
    fn from(batch: BatchObject) -> Self {
        let counts = batch.request_counts;
        let state = match batch.processing_status.as_str() {
            "ended" => BatchState::Ended,
            "canceling" => BatchState::Cancelling,
            _ => BatchState::InProgress,
        };
        let failed = counts.errored + counts.canceled + counts.expired;
        // The URL leads to the provider itself; its path alone keeps the adapter's base URL, and so the key, in place.
        let path = format!("/messages/batches/{}/results", batch.id);
        Batch {
            state,
            succeeded: counts.succeeded,
            failed,
            pending: counts.processing,
            lines: counts.succeeded + failed,
            error: None,
            results: batch.results_url.map(|_| path).into_iter().collect(),
            id: batch.id,
        }
    }
}
