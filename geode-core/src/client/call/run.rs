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
use super::{Call, Check, Parts, Terms, as_any};

/// How one adapter will be asked, and its answer read.
pub(crate) struct Prepared {
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
        let Parts { request, terms, fallbacks } = &mut *self.parts;
        let deadline = Deadline::after(terms.deadline);
        // another client is asked the same, so that it has to stay as it is
        let again = fallbacks.iter().any(|fallback| matches!(fallback.step, Step::Client(_)));
        let mut copy = again.then(|| Box::new(request.clone()));
        let mut account = Box::new(terms.account());
        match terms.run(&terms.client, copy.as_deref_mut().unwrap_or(request), deadline, &mut account).await {
            Ok(value) => Ok(Accepted::new(value, account)),
            Err(failure) => {
                let fallbacks = std::mem::take(fallbacks);
                let error = CallError::new(failure, account);
                // boxed: few calls go there, and the future of every one would be twice as large
                Box::pin(terms.step_in(fallbacks, request, error, deadline)).await
            }
        }
    }
}

impl<T, Cx: 'static> Terms<T, Cx> {
    /// An account with nothing in it but who is asked what.
    pub(super) fn account(&self) -> Account {
        Account { prompt_release: self.prompt_release, ..self.client.account() }
    }

    /// Goes through what steps in behind a failed call.
    pub(super) async fn step_in(
        &self,
        fallbacks: Vec<Fallback<T>>,
        request: &Request,
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
                    match self.run(&client, &mut request.clone(), deadline, &mut account).await {
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
        request: &mut Request,
        deadline: Deadline,
        account: &mut Account,
    ) -> Result<T, Failure> {
        let Prepared { resolved, reading } = self.prepare(client, request, account)?;
        let mut original = None;
        let line = client.line();
        let mut retries = Retries::default();
        let mut delay = Duration::ZERO;
        let mut reminders = 0;
        loop {
            let mut timer = AttemptTimer::start(line.adapter.name(), request, delay);
            let (failure, reply) = match line.once(request, deadline).await {
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
            give_room(request, &failure, account);
            tokio::time::sleep(wait).await;
            delay = wait;
        }
    }

    /// Decides how the client's adapter is asked, and completes the request by it.
    pub(crate) fn prepare(
        &self,
        client: &Client,
        request: &mut Request,
        account: &mut Account,
    ) -> Result<Prepared, Failure> {
        let model = request.model.as_deref();
        let wanted = Wanted { mode: self.mode, guarantee: self.guarantee, model, tools: !request.tools.is_empty() };
        let adapter = &*client.line().adapter;
        let resolved = resolve(adapter, &self.contract.schema, &wanted)?;
        let able = adapter.capabilities_for(model);
        compose(request, &resolved, able, self.contract.name(), self.contract.description.clone());
        account.mode = resolved.mode;
        account.schema_version = self.contract.schema.version();
        account.guarantee = Some(resolved.guarantee);
        account.weakenings.clone_from(&resolved.plan.weakenings);
        let reading = self.reading.unwrap_or(match resolved.guarantee {
            Enforcement::Enforced => Reading::Strict,
            _ => Reading::Fenced,
        });
        Ok(Prepared { resolved, reading })
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
