//! A call whose exchange is made elsewhere: by a batch engine.

use bytes::Bytes;

use crate::adapter::AdapterFault;
use crate::engine::Deadline;
use crate::outcome::{Accepted, CallError, Failure, Redacted};
use crate::transport::{WireReply, WireRequest};

use super::run::{Prepared, raw_text};
use super::{Call, Parts};

impl<T, Cx: 'static> Call<T, Cx> {
    /// The body of the request that the call would send.
    ///
    /// # Errors
    ///
    /// Where the call can't be made: the dialect doesn't take the schema, a setting is missing.
    pub(crate) fn detached_body(&self) -> Result<Bytes, CallError> {
        let Parts { request, terms, .. } = &*self.parts;
        let (mut request, mut account) = (request.clone(), terms.account());
        let encoded = terms
            .prepare(&terms.client, &mut request, &mut account)
            .and_then(|_| terms.client.line().adapter.encode(&request).map_err(Failure::Adapter));
        match encoded {
            Ok(WireRequest::Http(request)) => Ok(request.body),
            Ok(_) => {
                let reason = "only an adapter over HTTP can be asked in batches".to_owned();
                Err(CallError::new(Failure::Unsupported { reason }, account))
            }
            Err(failure) => Err(CallError::new(failure, account)),
        }
    }

    /// Judges a reply to [`detached_body`](Self::detached_body) as an attempt's would be.
    pub(crate) async fn accept_detached(
        &self,
        reply: Result<WireReply, AdapterFault>,
    ) -> Result<Accepted<T>, CallError> {
        let Parts { request, terms, .. } = &*self.parts;
        let (mut request, mut account) = (request.clone(), terms.account());
        let Prepared { resolved, reading } = match terms.prepare(&terms.client, &mut request, &mut account) {
            Ok(prepared) => prepared,
            Err(failure) => return Err(CallError::new(failure, account)),
        };
        let mut reply = match reply.and_then(|reply| terms.client.line().adapter.decode(&request, &reply)) {
            Ok(reply) => reply,
            Err(fault) => return Err(CallError::new(Failure::Adapter(fault), account)),
        };
        account.answered(&mut reply);
        let deadline = Deadline::after(terms.deadline);
        let outcome = terms.judge(&reply, &resolved, reading, 0, deadline, &mut account).await;
        account.raw_text = Redacted(raw_text(&mut reply, &outcome));
        match outcome {
            Ok(value) => Ok(Accepted::new(value, account)),
            Err(failure) => Err(CallError::new(failure, account)),
        }
    }
}
