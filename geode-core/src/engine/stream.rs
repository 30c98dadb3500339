//! A streamed exchange: from a request to the events of its answer, pulled one at a time.
//!
//! Nothing is read ahead: whoever reads slowly slows the socket down. A broken exchange is never taken up again where
//! it broke.

use std::collections::VecDeque;

use super::line::{fault, timeout};
use super::{Deadline, Line};
use crate::adapter::{self, Decoder, StreamEvent};
use crate::outcome::{Failure, IncompleteReason};
use crate::reply::{Event, Reply};
use crate::request::Request;
use crate::telemetry::{self, Signal};
use crate::transport::{BodyKind, Frames, Lines, TransportErrorKind, WireRequest};

/// A streamed exchange in progress. Dropping it ends the exchange.
pub(crate) struct Live {
    /// `None` once the answer has ended.
    source: Option<Source>,
    decoder: Option<Box<dyn Decoder>>,
    events: VecDeque<Event>,
    request_id: Option<String>,
    deadline: Deadline,
}

/// What brings the frames.
enum Source {
    Frames(Frames),
    Lines(Lines),
}

impl Line {
    /// Begins a streamed exchange. An adapter that can't stream answers in one piece.
    pub(crate) async fn open(&self, request: &Request, deadline: Deadline) -> Result<Live, Failure> {
        if !self.adapter.capabilities_for(request.model.as_deref()).streaming {
            return Ok(Live::whole(self.once(request, deadline).await?, deadline));
        }
        let request = Request { stream: true, ..request.clone() };
        let wire = self.adapter.encode(&request).map_err(Failure::Adapter)?;
        let lines = !matches!(wire, WireRequest::Http(_));
        let limits = self.limits_by(deadline);
        let deadline = deadline.within(limits.timeout);
        telemetry::emit(Signal::Request { adapter: self.adapter.name() });
        let stream = match deadline.hold(self.transport.stream(wire, limits)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return Err(fault(error, deadline)),
            Err(_) => return Err(fault(timeout(), deadline)),
        };
        let request_id = adapter::request_id(&stream.headers);
        let source = match stream.kind() {
            _ if lines => Source::Lines(Lines::new(stream, limits.max_bytes)),
            BodyKind::Events => Source::Frames(Frames::new(stream, limits.max_bytes)),
            BodyKind::Whole => {
                let collected = deadline.hold(stream.collect(limits.max_bytes)).await;
                let collected = collected.map_err(|_| fault(timeout(), deadline))?;
                let reply = collected.map_err(|error| fault(error, deadline))?;
                let reply = self.adapter.decode(&request, &reply).map_err(Failure::Adapter)?;
                return Ok(Live::whole(reply, deadline));
            }
        };
        let decoder = Some(self.adapter.decoder(&request));
        Ok(Live { source: Some(source), decoder, events: VecDeque::new(), request_id, deadline })
    }
}

impl Live {
    /// An answer that came in one piece.
    fn whole(reply: Reply, deadline: Deadline) -> Self {
        let events = VecDeque::from([Event::Done(Box::new(reply))]);
        Live { source: None, decoder: None, events, request_id: None, deadline }
    }

    /// The next event. The last one is always [`Event::Done`]; where the stream was cut, its reply has no finish.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, Failure> {
        loop {
            if let Some(event) = self.events.pop_front() {
                if let Event::Done(_) = event {
                    // nothing behind it needs reading, and some servers keep the connection open
                    self.source = None;
                }
                return Ok(Some(self.with_request_id(event)));
            }
            let Some(source) = &mut self.source else { return Ok(None) };
            let frame = self.deadline.hold(source.next()).await.map_err(|_| fault(timeout(), self.deadline))?;
            match frame {
                Some(Ok((name, data))) => {
                    let Some(decoder) = &mut self.decoder else { return Ok(None) };
                    let mut events = Vec::new();
                    let event = StreamEvent { name: name.as_deref(), data: &data };
                    decoder.event(&event, &mut events).map_err(Failure::Adapter)?;
                    self.events.extend(events);
                }
                Some(Err(error)) if error.kind == TransportErrorKind::Interrupted => {
                    let mut reply = self.end();
                    reply.finish = None;
                    self.events.push_back(Event::Done(Box::new(reply)));
                }
                Some(Err(error)) => return Err(fault(error, self.deadline)),
                None => {
                    let reply = self.end();
                    self.events.push_back(Event::Done(Box::new(reply)));
                }
            }
        }
    }

    /// Ends the exchange, and gives the reply as far as it came.
    pub(crate) fn end(&mut self) -> Reply {
        self.source = None;
        let mut reply = self.decoder.take().map(Decoder::finish).unwrap_or_default();
        if reply.request_id.is_none() {
            reply.request_id.clone_from(&self.request_id);
        }
        reply
    }

    fn with_request_id(&self, event: Event) -> Event {
        match event {
            Event::Done(mut reply) => {
                if reply.request_id.is_none() {
                    reply.request_id.clone_from(&self.request_id);
                }
                Event::Done(reply)
            }
            event => event,
        }
    }
}

impl Source {
    /// The next frame: its type, and its data.
    async fn next(&mut self) -> Option<Result<(Option<String>, String), crate::transport::TransportError>> {
        Some(match self {
            Source::Frames(frames) => frames.next().await?.map(|frame| (frame.name, frame.data)),
            Source::Lines(lines) => lines.next().await?.map(|line| (None, line)),
        })
    }
}

/// The state of an answer that can't be completed any more because it grew too large.
pub(crate) fn too_large() -> Failure {
    Failure::Incomplete { reason: IncompleteReason::TooLarge }
}
