//! One rate limit for all calls that share a transport.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::{Instant, sleep_until};

use crate::adapter::error_body;
use crate::transport::{
    ExchangeLimits, HeaderMap, Transport, TransportError, WireReply, WireRequest, WireStream, header,
};

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, TransportError>> + Send + 'a>>;

/// Longest time that one answer holds requests back.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Holds back requests so that no more than so many start in a time, and none while the server asks for a pause.
///
/// A pause is `Retry-After` (or `retry-after-ms`) of a 429, 503 or 529, or a limit of requests or tokens that the server
/// says is used up: `x-ratelimit-remaining-requests: 0` with `x-ratelimit-reset-requests` (OpenAI), or
/// `anthropic-ratelimit-requests-remaining: 0` with `anthropic-ratelimit-requests-reset`. A pause is a minute at most:
/// the server then says again what it wants. Clones share the limit.
///
/// ```
/// use std::time::Duration;
/// use geode_core::transport::StandardTransport;
/// use geode_core::volume::RateLimit;
///
/// // 600 requests a minute, spread evenly.
/// let transport = RateLimit::new(StandardTransport::new(), 600, Duration::from_secs(60));
/// # let _ = transport;
/// ```
#[derive(Clone)]
pub struct RateLimit {
    inner: Arc<dyn Transport>,
    interval: Duration,
    next: Arc<Mutex<Option<Instant>>>,
}

impl fmt::Debug for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimit").field("interval", &self.interval).finish_non_exhaustive()
    }
}

impl RateLimit {
    /// At most `requests` a `period`, spread evenly.
    pub fn new(transport: impl Transport + 'static, requests: u32, period: Duration) -> Self {
        RateLimit { inner: Arc::new(transport), interval: period / requests.max(1), next: Arc::new(Mutex::new(None)) }
    }

    /// Waits for this request's turn.
    async fn turn(&self) {
        loop {
            let now = Instant::now();
            let at = {
                let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
                match *next {
                    Some(at) if at > now => at,
                    _ => {
                        *next = Some(now + self.interval);
                        return;
                    }
                }
            };
            sleep_until(at).await;
        }
    }

    /// Puts off the next turn where the server asks for it.
    fn heed(&self, status: i32, headers: &HeaderMap) {
        if let Some(pause) = pause(status, headers) {
            let until = Instant::now() + pause.min(LONGEST_PAUSE);
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            *next = (*next).max(Some(until));
        }
    }
}

impl Transport for RateLimit {
    fn send<'a>(&'a self, request: WireRequest, limits: ExchangeLimits) -> Answer<'a, WireReply> {
        Box::pin(async move {
            self.turn().await;
            let reply = self.inner.send(request, limits).await?;
            self.heed(reply.status, &reply.headers);
            Ok(reply)
        })
    }

    fn stream<'a>(&'a self, request: WireRequest, limits: ExchangeLimits) -> Answer<'a, WireStream> {
        Box::pin(async move {
            self.turn().await;
            let stream = self.inner.stream(request, limits).await?;
            self.heed(stream.status, &stream.headers);
            Ok(stream)
        })
    }
}

/// How long a header says that it takes until more is allowed.
type Spelling = fn(&str) -> Option<Duration>;

/// Headers that say how much is left, those that say when there is more, and how these are spelled.
const LIMITS: &[(&str, &str, Spelling)] = &[
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", spelled_duration),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", spelled_duration),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset", until_timestamp),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset", until_timestamp),
    ("anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset", until_timestamp),
    ("anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset", until_timestamp),
];

/// How long the server wants no further request.
fn pause(status: i32, headers: &HeaderMap) -> Option<Duration> {
    if matches!(status, 429 | 503 | 529)
        && let Some(delay) = error_body::retry_after(headers)
    {
        return Some(delay);
    }
    let used_up = LIMITS.iter().filter(|(remaining, ..)| header(headers, *remaining) == Some("0"));
    used_up.filter_map(|(_, reset, read)| read(header(headers, *reset)?)).max()
}

/// OpenAI's spelling of a duration: `6m0s`, `1s`, `120ms`.
fn spelled_duration(text: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, behind) = rest.split_at(digits);
        let unit_end = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, tail) = behind.split_at(unit_end);
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        total += Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()?;
        rest = tail;
    }
    Some(total)
}

/// Time from now until an RFC 3339 timestamp in UTC: `2026-11-30T12:00:05Z`.
fn until_timestamp(text: &str) -> Option<Duration> {
    let numbers: Vec<u64> =
        text.strip_suffix('Z')?.split(['-', 'T', ':', '.']).map_while(|part| part.parse().ok()).collect();
    let [year, month, day, hour, minute, second] = *numbers.get(..6)? else { return None };
    // Days of the civil calendar, counted from March so that a leap day ends its year.
    let (year, month) = if month < 3 { (year.checked_sub(1)?, month + 9) } else { (year, month - 3) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day;
    let seconds = days.checked_sub(DAYS_BEFORE_1970)? * 86_400 + hour * 3_600 + minute * 60 + second;
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    Some(at.duration_since(SystemTime::now()).unwrap_or_default())
}

/// Days from the calendar's zero (1 March of the year 0, day 0) to 1 January 1970.
const DAYS_BEFORE_1970: u64 = 719_469;
