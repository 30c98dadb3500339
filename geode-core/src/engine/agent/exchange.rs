//! One model call of a run: what is asked, and how the answer comes.

use std::time::Duration;

use super::choice::admit_own_tools;
use super::run::Run;
use super::stream::{AgentUpdate, Updates};
use super::{AgentFailure, Termination};
use crate::engine::{Arriving, AttemptTimer, Live, Retries, SchemaSource, completed, compose};
use crate::message::ToolChoice;
use crate::outcome::{Failure, IncompleteReason, Outcome};
use crate::reply::{Event, Reply};
use crate::request::{Mode, OUTPUT_TOOL, Request};
use crate::telemetry::{self, Signal};
use crate::tool::READ_RESULT;

impl Run<'_> {
    /// The next model call.
    pub(super) fn request(&self, closing: bool) -> Request {
        let able = self.agent.able();
        let mut request = Request {
            model: self.agent.model.clone(),
            system: self.agent.instruction.clone(),
            messages: self.history.iter().chain(&self.transient).cloned().collect(),
            max_output_tokens: self.agent.max_output_tokens,
            ..Request::default()
        };
        let offered = self.tools.specs.iter().filter(|spec| spec.name != READ_RESULT || self.store.is_used());
        request.tools.extend(offered.cloned());
        request.single_call = self.agent.single_call;
        if !closing && !request.tools.is_empty() {
            request.tool_choice = self.choice();
        }
        // A forced call is one of a tool that does something, not the one that hands in.
        let waits = request.tool_choice.is_forced() && self.mode() == Some(Mode::Tool);
        if let Some(asking) = &self.asking
            && (closing || !asking.at_the_end)
            && !waits
        {
            if asking.without_tools {
                request.tools.clear();
            }
            let form = &asking.form;
            compose(&mut request, &asking.resolved, able, form.name.clone(), form.description.clone());
        }
        if closing {
            if self.mode() != Some(Mode::Tool) {
                if !request.tools.is_empty() {
                    request.tool_choice = ToolChoice::None;
                }
            } else if able.forced_tool_choice {
                request.tool_choice = ToolChoice::Named(OUTPUT_TOOL.to_owned());
            } else {
                request.tools.retain(|spec| spec.name == OUTPUT_TOOL);
            }
        }
        admit_own_tools(&mut request);
        request
    }

    /// Makes the call, within what is left of the time. Where somebody watches, its answer comes in pieces.
    pub(super) async fn exchange(&mut self, request: &Request) -> Result<Reply, AgentFailure> {
        let (cancel, deadline) = (self.agent.cancel.clone(), self.deadline);
        let exchange = async {
            match self.updates.clone() {
                None => self.agent.line.exchange(request, &self.agent.retry, deadline, &mut self.account).await,
                Some(updates) => self.streamed(request, &updates).await,
            }
        };
        match cancel.run_until_cancelled(deadline.hold(exchange)).await {
            None => Err(AgentFailure::Terminated(Termination::UserCancelled)),
            Some(Err(_)) => Err(AgentFailure::Call(Failure::DeadlineExceeded)),
            Some(Ok(reply)) => reply.map_err(AgentFailure::Call),
        }
    }

    /// Makes the call as a stream, and makes it again while nothing of its answer was shown and the fault can pass.
    async fn streamed(&mut self, request: &Request, updates: &Updates) -> Result<Reply, Failure> {
        let (agent, deadline) = (self.agent, self.deadline);
        let adapter = agent.line.adapter.name();
        let mut retries = Retries::default();
        let mut delay = Duration::ZERO;
        loop {
            let mut timer = AttemptTimer::start(adapter, request, delay);
            let shown = match agent.line.open(request, deadline).await {
                Ok(live) => {
                    updates.begin(self.arriving());
                    show(live, request, updates).await
                }
                Err(failure) => Shown { reply: Reply::default(), broken: Some(failure), begun: false },
            };
            let Shown { mut reply, broken, begun } = shown;
            // What had come was paid for, whatever it is worth.
            timer.answered(&mut reply, &mut self.account);
            let (failure, passes) = match broken {
                Some(failure) => {
                    let passes = failure.is_transient();
                    (failure, passes)
                }
                None if begun || reply.finish.is_some() => {
                    let outcome = completed(&reply).err().map_or(Outcome::Accepted, |failure| failure.outcome());
                    timer.end(outcome, &mut self.account);
                    return Ok(reply);
                }
                None => (Failure::Incomplete { reason: IncompleteReason::StreamCut }, true),
            };
            timer.failed(&failure, &mut self.account);
            let Some(wait) = retries.next(&agent.retry, &failure, deadline).filter(|_| passes && !begun) else {
                return Err(failure);
            };
            telemetry::emit(Signal::Retry { adapter, reason: failure.outcome() });
            tokio::time::sleep(wait).await;
            delay = wait;
        }
    }

    /// What shows the final answer while it comes.
    fn arriving(&self) -> Option<Arriving> {
        let asking = self.asking.as_ref()?;
        let shape = match asking.form.schema {
            SchemaSource::Shape(shape) => Some(shape),
            SchemaSource::Raw(_) => None,
        };
        let most = self.agent.line.limits.max_bytes;
        Some(Arriving::new(shape, &asking.resolved.plan.lifts, asking.reading(), most))
    }
}

/// What came of a streamed answer.
struct Shown {
    /// The reply as far as it came. Without a finish it is cut.
    reply: Reply,
    /// What broke the exchange.
    broken: Option<Failure>,
    /// Whether anything was shown.
    begun: bool,
}

/// Shows an answer as it comes, a piece at a time: whoever reads slowly slows the provider down.
async fn show(mut live: Live, request: &Request, updates: &Updates) -> Shown {
    let asked = request.output.as_ref().map(|output| output.mode);
    let (mut answer_call, mut begun) = (None, false);
    loop {
        match live.next().await {
            Ok(Some(Event::Done(reply))) => return Shown { reply: *reply, broken: None, begun },
            Ok(None) => return Shown { reply: live.end(), broken: None, begun },
            Err(failure) => return Shown { reply: live.end(), broken: Some(failure), begun },
            Ok(Some(Event::Text(text))) => match asked {
                None | Some(Mode::Tool) => updates.send(AgentUpdate::Text(text)),
                Some(_) => updates.answer(AgentUpdate::Text(text)),
            },
            Ok(Some(Event::Refusal(text))) => updates.send(AgentUpdate::Refusal(text)),
            Ok(Some(Event::ToolInput { index, name, delta })) => {
                if asked == Some(Mode::Tool) && answer_call.is_none() && name.as_deref() == Some(OUTPUT_TOOL) {
                    answer_call = Some(index);
                }
                let update = AgentUpdate::ToolInput { index, name, delta };
                if answer_call == Some(index) { updates.answer(update) } else { updates.send(update) }
            }
        }
        begun = true;
        tokio::task::yield_now().await;
    }
}
