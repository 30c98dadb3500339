//! The run of a call: attempts until one is accepted, the policy gives up, or the deadline passes.

use std::time::Duration;

use crate::adapter::Enforcement;
use crate::engine::{
    AttemptTimer, Deadline, Reading, Resolved, Retries, Wanted, answer_text, ask_again, compose, json_in, read_in,
    resolve,
};
use crate::json::Ruled;
use crate::outcome::{Accepted, Account, CallError, Failure, FallbackKind, IncompleteReason, Outcome, Redacted};
use crate::reply::Reply;
use crate::request::{Mode, Request};
use crate::telemetry::{self, Signal};

use super::super::fallback::Step;
use super::super::{Client, Fallback};
use super::{Call, Check, as_any};

/// A call as one adapter will be asked.
pub(crate) struct Prepared {
    pub(crate) request: Box<Request>,
    pub(crate) resolved: Resolved,
    pub(crate) reading: Reading,
}

impl<T, Cx: 'static> Call<T, Cx> {
    /// Makes the call.
    ///
    /// Dropping the future stops everything that the call does.
    ///
    /// # Errors
    ///
    /// A typed account of what went wrong: see [`CallError`].
    pub async fn send(mut self) -> Result<Accepted<T>, CallError> {
        let deadline = Deadline::after(self.deadline);
        let fallbacks = std::mem::take(&mut self.fallbacks);
        // only another client asks the same again
        let request = match fallbacks.iter().any(|fallback| matches!(fallback.step, Step::Client(_))) {
            true => self.request.clone(),
            false => std::mem::take(&mut self.request),
        };
        let mut account = Box::new(self.client.account());
        account.prompt_release = self.prompt_release;
        match self.run(&self.client, request, deadline, &mut account).await {
            Ok(value) => Ok(Accepted::new(value, account)),
            // boxed, since it is seldom gone, and would make the future of each call twice as large
            Err(failure) => Box::pin(self.step_in(fallbacks, CallError::new(failure, account), deadline)).await,
        }
    }

    /// Goes through what steps in behind a failed call.
    pub(super) async fn step_in(
        &self,
        fallbacks: Vec<Fallback<T>>,
        mut error: CallError,
        deadline: Deadline,
    ) -> Result<Accepted<T>, CallError> {
        for fallback in fallbacks {
            let kind = fallback.kind();
            match fallback.step {
                Step::Value(value) => {
                    let value = value(&error);
                    return Ok(Accepted::new(value, stepped_in(error.account, kind)));
                }
                Step::Review(tell) => {
                    error.account = stepped_in(error.account, kind);
                    tell(&error);
                }
                Step::Client(_) if error.is_refusal() || error.is_invalid_business() => {}
                Step::Client(client) => {
                    let mut account = stepped_in(error.account, kind);
                    account.adapter = client.adapter_name();
                    match self.run(&client, self.request.clone(), deadline, &mut account).await {
                        Ok(value) => return Ok(Accepted::new(value, account)),
                        Err(failure) => error = CallError::new(failure, account),
                    }
                }
            }
        }
        Err(error)
    }

    /// Runs the attempts through one client.
    async fn run(
        &self,
        client: &Client,
        request: Box<Request>,
        deadline: Deadline,
        account: &mut Account,
    ) -> Result<T, Failure> {
        let Prepared { mut request, resolved, reading } = self.prepare(client, request, account)?;
        let mut original = None;
        let line = client.line();
        let mut retries = Retries::default();
        let mut delay = Duration::ZERO;
        let mut reminders = 0;
        loop {
            let mut timer = AttemptTimer::start(line.adapter.name(), &request, delay);
            let (failure, reply) = match line.once(&request, deadline).await {
                Ok(mut reply) => {
                    timer.answered(&mut reply, account);
                    let outcome = self.judge(&reply, &resolved, reading, reminders, deadline, account).await;
                    account.raw_text = Redacted(raw_text(&mut reply, &outcome));
                    match outcome {
                        Ok(value) => {
                            timer.end(Outcome::Accepted, account);
                            return Ok(value);
                        }
                        Err(failure) => (failure, Some(reply)),
                    }
                }
                Err(failure) => (failure, None),
            };
            timer.failed(&failure, account);
            let Some(wait) = retries.next(&self.retry, &failure, deadline) else { return Err(failure) };
            telemetry::emit(Signal::Retry { adapter: line.adapter.name(), reason: failure.outcome() });
            reminders += u32::from(matches!(failure, Failure::StructuredOutputFailed { .. }));
            if let Some(messages) = ask_again(
                original.get_or_insert_with(|| request.messages.clone()),
                self.retry.reduce(),
                retries.made(),
                &failure,
                reply.as_ref().filter(|_| resolved.mode == Mode::Tool),
            ) {
                request.messages = messages;
            }
            give_room(&mut request, &failure, account);
            tokio::time::sleep(wait).await;
            delay = wait;
        }
    }

    /// Decides how the client's adapter is asked, and completes the request.
    pub(crate) fn prepare(
        &self,
        client: &Client,
        mut request: Box<Request>,
        account: &mut Account,
    ) -> Result<Prepared, Failure> {
        let model = request.model.as_deref();
        let wanted = Wanted { mode: self.mode, guarantee: self.guarantee, model, tools: !request.tools.is_empty() };
        let adapter = &*client.line().adapter;
        let resolved = resolve(adapter, &self.contract.schema, &wanted)?;
        let able = adapter.capabilities_for(model);
        compose(&mut request, &resolved, able, self.contract.name(), self.contract.description.clone());
        account.mode = resolved.mode;
        account.schema_version = self.contract.schema.version();
        account.guarantee = Some(resolved.guarantee);
        account.weakenings.clone_from(&resolved.plan.weakenings);
        let reading = self.reading.unwrap_or(match resolved.guarantee {
            Enforcement::Enforced => Reading::Strict,
            _ => Reading::Fenced,
        });
        Ok(Prepared { request, resolved, reading })
    }

    /// From a reply to a value: the provider's state, then the schema, then the business rules.
    pub(crate) async fn judge(
        &self,
        reply: &Reply,
        resolved: &Resolved,
        reading: Reading,
        reminders: u32,
        deadline: Deadline,
        account: &mut Account,
    ) -> Result<T, Failure> {
        let text = answer_text(reply, resolved.mode, reminders)?;
        let json = json_in(text, reading, &mut account.notes).map_err(Failure::InvalidSchema)?;
        let read = |json: &str| self.contract.read(json, &resolved.plan, as_any(&self.context));
        let Ruled { value, mut issues, notes, missing_context } =
            read_in(json, reading, &mut account.notes, read).map_err(Failure::InvalidSchema)?;
        account.notes.extend(notes);
        if let Some(context) = missing_context {
            return Err(Failure::Unsupported {
                reason: format!(
                    "the answer's type has rules on a context of type `{context}`: give it by `.context(…)`"
                ),
            });
        }
        for check in &self.checks {
            match check {
                Check::Sync(check) => check(&value, &self.context, &mut issues),
                Check::Async(check) => {
                    let found = deadline.hold(check(&value, &self.context)).await;
                    issues.extend(found.map_err(|_| Failure::DeadlineExceeded)?);
                }
            }
        }
        if issues.is_empty() { Ok(value) } else { Err(Failure::InvalidBusiness(issues.into_vec())) }
    }
}

/// Says in the account that something stepped in.
fn stepped_in(mut account: Box<Account>, kind: FallbackKind) -> Box<Account> {
    telemetry::emit(Signal::Fallback { kind: kind.name() });
    account.fallback = Some(kind);
    account
}

/// An answer that its own limit cut gets twice the room.
fn give_room(request: &mut Request, failure: &Failure, account: &mut Account) {
    if let Failure::Incomplete { reason: IncompleteReason::TokenLimit } = failure
        && let Some(tokens) = &mut request.max_output_tokens
    {
        *tokens = tokens.saturating_mul(2);
        account.note(format!("the limit of output tokens was raised to {tokens}, since the answer was cut by it"));
    }
}

/// The text to keep in the account. Moved out of the reply, but for one that the next attempt quotes.
pub(super) fn raw_text<T>(reply: &mut Reply, outcome: &Result<T, Failure>) -> String {
    match reply.tool_uses.first_mut() {
        Some(call) if outcome.is_ok() => std::mem::take(&mut call.input),
        Some(call) => call.input.clone(),
        None => std::mem::take(&mut reply.text),
    }
}
