//! One exchange, and a line that says what came of it.

use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use bytes::Bytes;
use futures_util::stream;
use geode::adapter::{Adapter, AdapterFault, ProviderError, StreamEvent, request_id};
use geode::reply::{Event, FinishReason, Reply};
use geode::request::Request;
use geode::transport::{
    BodyKind, ExchangeLimits, Frames, HeaderMap, HttpTransport, Transport, TransportError, TransportErrorKind,
    WireStream,
};

pub(crate) const LIMITS: ExchangeLimits =
    ExchangeLimits { timeout: Duration::from_secs(20), idle: Duration::from_secs(10), max_bytes: 1 << 20 };

/// What an exchange failed with.
#[derive(Debug)]
pub(crate) enum Fault {
    Adapter(AdapterFault),
    Transport(TransportError),
}

impl From<AdapterFault> for Fault {
    fn from(fault: AdapterFault) -> Self {
        Fault::Adapter(fault)
    }
}

impl From<TransportError> for Fault {
    fn from(error: TransportError) -> Self {
        Fault::Transport(error)
    }
}

/// Carries a request over HTTP; streamed where it asks for a stream.
pub(crate) async fn exchange(adapter: &dyn Adapter, request: &Request, limits: ExchangeLimits) -> Result<Reply, Fault> {
    exchange_by(&HttpTransport::new()?, adapter, request, limits).await
}

/// The same by a transport with settings of its own.
pub(crate) async fn exchange_by(
    transport: &HttpTransport,
    adapter: &dyn Adapter,
    request: &Request,
    limits: ExchangeLimits,
) -> Result<Reply, Fault> {
    let wire = adapter.encode(request)?;
    if !request.stream {
        let reply = transport.send(wire, limits).await?;
        return Ok(adapter.decode(request, &reply)?);
    }
    let stream = transport.stream(wire, limits).await?;
    if stream.kind() == BodyKind::Whole {
        return Ok(adapter.decode(request, &stream.collect(limits.max_bytes).await?)?);
    }
    let id = request_id(&stream.headers);
    let mut reply = read(adapter, request, stream).await?.0;
    reply.request_id = reply.request_id.or(id);
    Ok(reply)
}

/// Reads a stream whose bytes come in these pieces. Also gives the text that the preview saw.
pub(crate) async fn read_pieces(
    adapter: &dyn Adapter,
    request: &Request,
    content_type: &str,
    pieces: Vec<Bytes>,
) -> Result<(Reply, String), Fault> {
    let body = Box::pin(stream::iter(pieces.into_iter().map(Ok)));
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, content_type.parse().unwrap())]);
    read(adapter, request, WireStream { status: 200, headers, body }).await
}

async fn read(adapter: &dyn Adapter, request: &Request, stream: WireStream) -> Result<(Reply, String), Fault> {
    let mut frames = Frames::new(stream, 1 << 20);
    let mut decoder = adapter.decoder(request);
    let mut events = Vec::new();
    let mut preview = String::new();
    while let Some(frame) = frames.next().await {
        let frame = frame?;
        decoder.event(&StreamEvent { name: frame.name.as_deref(), data: &frame.data }, &mut events)?;
        for event in events.drain(..) {
            match event {
                Event::Text(text) => preview.push_str(&text),
                Event::Done(reply) => {
                    let finished = decoder.finish();
                    assert_eq!(reply.notes, finished.notes, "the decoder's two replies differ");
                    assert_eq!(line(&Ok(*reply)), line(&Ok(finished.clone())), "the decoder's two replies differ");
                    return Ok((finished, preview));
                }
                _ => {}
            }
        }
    }
    Ok((decoder.finish(), preview))
}

/// What came of an exchange, on one line.
pub(crate) fn line(outcome: &Result<Reply, Fault>) -> String {
    match outcome {
        Ok(reply) => reply_line(reply),
        Err(Fault::Adapter(AdapterFault::Provider(error))) => error_line(error),
        Err(Fault::Adapter(AdapterFault::Malformed { status, .. })) => format!("malformed {status:?}"),
        Err(Fault::Adapter(AdapterFault::Unsupported { .. })) => "unsupported".to_owned(),
        Err(Fault::Adapter(AdapterFault::Configuration { .. })) => "configuration".to_owned(),
        Err(Fault::Adapter(other)) => format!("{other:?}"),
        Err(Fault::Transport(error)) => format!("transport {:?}", error.kind),
    }
}

fn reply_line(reply: &Reply) -> String {
    let finish = match &reply.finish {
        None => "cut".to_owned(),
        Some(FinishReason::Other(reason)) => format!("other({reason})"),
        Some(finish) => format!("{finish:?}").to_lowercase(),
    };
    let mut line = format!("{finish} {}", reply.text);
    if let Some(refusal) = &reply.refusal {
        line += &format!(" refused[{refusal}]");
    }
    for call in &reply.tool_uses {
        line += &format!(" {}={}({})", call.id, call.name, call.input);
    }
    let usage = reply.usage;
    line += &format!(" {}/{}", usage.input_tokens, usage.output_tokens);
    if usage.reasoning_tokens > 0 {
        line += &format!("+{}", usage.reasoning_tokens);
    }
    if usage.cached_input_tokens > 0 {
        line += &format!(" cached:{}", usage.cached_input_tokens);
    }
    if !reply.opaque.is_empty() {
        line += &format!(" opaque:{}", reply.opaque.len());
    }
    line
}

fn error_line(error: &ProviderError) -> String {
    let mut line = format!("error {:?}", error.kind);
    if let Some(status) = error.status {
        line += &format!(" {status}");
    }
    if let Some(code) = &error.code {
        line += &format!(" {code}");
    }
    if let Some(id) = &error.request_id {
        line += &format!(" id={id}");
    }
    if let Some(wait) = error.retry_after {
        line += &format!(" wait={}ms", wait.as_millis());
    }
    line + if error.is_retryable() { " retryable" } else { "" }
}

/// Whether a stream's outcome was taken for a finished answer.
pub(crate) fn is_accepted(outcome: &Result<(Reply, String), Fault>) -> bool {
    matches!(outcome, Ok((reply, _)) if matches!(reply.finish, Some(FinishReason::Stop | FinishReason::ToolUse | FinishReason::Refusal)))
}

/// Whether it is a transport's fault of this kind.
pub(crate) fn is_transport(outcome: &Result<Reply, Fault>, kind: TransportErrorKind) -> bool {
    matches!(outcome, Err(Fault::Transport(error)) if error.kind == kind)
}
