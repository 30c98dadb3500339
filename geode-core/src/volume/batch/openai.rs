//! The OpenAI Batch API.
//!
//! Facts: developers.openai.com, "Batch API" guide and API reference, and the types of openai-python 3.57
//! (`types/batch.py`, `types/file_object.py`). Read 2026-11.

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Batch, BatchError, BatchState, Batches, ItemReply, Line, item_fault, undocumented};
use crate::transport::{HeaderMap, HttpMethod, WireReply};

/// Endpoint that the items are for.
const ENDPOINT: &str = "/v1/responses";
const MAX_ITEMS: usize = 50_000;
const MAX_BYTES: usize = 200 * 1024 * 1024;

#[derive(Serialize)]
struct BatchLine<'a> {
    custom_id: &'a str,
    method: &'static str,
    url: &'static str,
    body: &'a RawValue,
}

#[derive(Deserialize)]
struct FileObject {
    id: String,
}

#[derive(Serialize)]
struct NewBatch<'a> {
    input_file_id: &'a str,
    endpoint: &'static str,
    completion_window: &'static str,
}

#[derive(Deserialize)]
struct BatchObject {
    id: String,
    status: String,
    output_file_id: Option<String>,
    error_file_id: Option<String>,
    request_counts: Option<Counts>,
    errors: Option<Errors>,
}

#[derive(Deserialize, Default)]
struct Counts {
    total: u64,
    completed: u64,
    failed: u64,
}

#[derive(Deserialize)]
struct Errors {
    data: Option<Vec<ItemError>>,
}

#[derive(Deserialize)]
struct ItemError {
    code: Option<String>,
    message: Option<String>,
}

#[derive(Deserialize)]
struct ResultLine<'a> {
    custom_id: String,
    #[serde(borrow)]
    response: Option<ItemResponse<'a>>,
    error: Option<ItemError>,
}

#[derive(Deserialize)]
struct ItemResponse<'a> {
    status_code: i32,
    request_id: Option<String>,
    #[serde(borrow)]
    body: &'a RawValue,
}

pub(super) async fn submit(batches: &Batches, lines: &[Line]) -> Result<Batch, BatchError> {
    if lines.len() > MAX_ITEMS {
        return Err(BatchError::Items(format!("{} items, and a batch takes {MAX_ITEMS}", lines.len())));
    }
    let mut file = Vec::new();
    for line in lines {
        let body = serde_json::from_slice(&line.body).map_err(|error| BatchError::Items(error.to_string()))?;
        let line = BatchLine { custom_id: &line.key, method: "POST", url: ENDPOINT, body };
        serde_json::to_writer(&mut file, &line).map_err(|error| BatchError::Items(error.to_string()))?;
        file.push(b'\n');
    }
    if file.len() > MAX_BYTES {
        return Err(BatchError::Items(format!("{} bytes, and a batch takes {MAX_BYTES}", file.len())));
    }
    let (content_type, body) = form(&file);
    let mut upload = batches.request(HttpMethod::Post, "/files", body)?;
    upload.headers.retain(|(name, _)| name != "content-type");
    upload.headers.push(("content-type".into(), content_type.into()));
    let file: FileObject = batches.exchange(upload).await?;
    let new = NewBatch { input_file_id: &file.id, endpoint: ENDPOINT, completion_window: "24h" };
    let body = serde_json::to_vec(&new).map_err(|error| BatchError::Items(error.to_string()))?;
    let created: BatchObject = batches.exchange(batches.request(HttpMethod::Post, "/batches", body.into())?).await?;
    Ok(created.into())
}

pub(super) async fn status(batches: &Batches, id: &str) -> Result<Batch, BatchError> {
    let request = batches.request(HttpMethod::Get, &format!("/batches/{id}"), Bytes::new())?;
    Ok(batches.exchange::<BatchObject>(request).await?.into())
}

pub(super) async fn cancel(batches: &Batches, id: &str) -> Result<Batch, BatchError> {
    let request = batches.request(HttpMethod::Post, &format!("/batches/{id}/cancel"), Bytes::new())?;
    Ok(batches.exchange::<BatchObject>(request).await?.into())
}

/// The headers of an item's answer: the id of its request, where it is one that a header can hold.
fn headers_of(request_id: Option<String>) -> HeaderMap {
    let value = request_id.and_then(|id| HeaderValue::try_from(id).ok());
    value.map(|id| (HeaderName::from_static("x-request-id"), id)).into_iter().collect()
}

/// Reads one line of the output file, or of the error file.
pub(super) fn item(line: &[u8]) -> Result<ItemReply, BatchError> {
    let line: ResultLine<'_> =
        serde_json::from_slice(line).map_err(|error| undocumented("a line of the results", &error, 200))?;
    let reply = match (line.response, line.error) {
        (Some(response), _) => Ok(WireReply {
            status: response.status_code,
            headers: headers_of(response.request_id),
            body: Bytes::copy_from_slice(response.body.get().as_bytes()),
            stderr: Bytes::new(),
        }),
        (None, error) => {
            let (code, message) = error.map_or((None, None), |error| (error.code, error.message));
            let message = message.unwrap_or_else(|| "the item has no response".to_owned());
            Err(item_fault(code, message))
        }
    };
    Ok(ItemReply { key: line.custom_id, reply })
}

impl From<BatchObject> for Batch {
    fn from(batch: BatchObject) -> Self {
        let counts = batch.request_counts.unwrap_or_default();
        let state = match batch.status.as_str() {
            "cancelling" => BatchState::Cancelling,
            "completed" | "expired" | "cancelled" => BatchState::Ended,
            "failed" => BatchState::Failed,
            _ => BatchState::InProgress,
        };
        let errors = batch.errors.and_then(|errors| errors.data).unwrap_or_default();
        let messages: Vec<String> = errors.into_iter().filter_map(|error| error.message).collect();
        let files = [batch.output_file_id, batch.error_file_id].into_iter().flatten();
        Batch {
            id: batch.id,
            state,
            succeeded: counts.completed,
            failed: counts.failed,
            pending: counts.total.saturating_sub(counts.completed + counts.failed),
            error: (!messages.is_empty()).then(|| messages.join("; ")),
            results: files.map(|file| format!("/files/{file}/content")).collect(),
            lines: counts.completed + counts.failed,
        }
    }
}

/// A `multipart/form-data` body with the purpose and the file, and its content type.
fn form(file: &[u8]) -> (String, Bytes) {
    // The file is JSON lines, in which a line can't begin with two hyphens: no boundary can stand in it.
    const BOUNDARY: &str = "geode-batch-upload";
    let mut body = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n\
         --{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"batch.jsonl\"\r\n\
         content-type: application/jsonl\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(file);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={BOUNDARY}"), body.into())
}
