//! A stored result: the value, and what one must know to read it years later.

use std::fmt;
use std::marker::PhantomData;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;

use crate::json::{ReadOptions, Reader, Writer};
use crate::outcome::Accepted;
use crate::output::StructuredOutput;
use crate::report::Report;
use crate::request::Mode;
use crate::schema;
use crate::shape::Shape;
use crate::telemetry::{self, Signal};

/// A value with its provenance. Serialises to one JSON object whose `value` has the wire form of `T`.
///
/// Reading checks the fingerprint: a record of another schema is refused with both fingerprints named. Old records are
/// read by [`RecordOf::open`], which tells the version first.
///
/// A value of a `#[geode(versions)]` enum is stored as one of the version that it has, with that version's name and
/// fingerprint: whoever knows this version alone reads it, and a version added to the enum changes no stored record.
///
/// ```
/// use geode_core::record::Record;
///
/// let record = Record::new(true, "triage-7");
/// let line = serde_json::to_string(&record)?;
/// let back: Record<bool> = serde_json::from_str(&line)?;
/// assert_eq!((back.value, back.prompt_release.as_deref()), (true, Some("triage-7")));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Record<T> {
    /// Release of the prompt that asked for the value.
    pub prompt_release: Option<String>,
    /// The model snapshot that gave it, as the provider names it.
    pub model: Option<String>,
    /// Adapter that was asked.
    pub adapter: Option<String>,
    /// How structured output was asked for.
    pub mode: Mode,
    /// The provider's id of the request.
    pub request_id: Option<String>,
    /// When the record was made, in milliseconds since 1970 (UTC).
    pub unix_ms: u64,
    /// The value.
    pub value: T,
}

impl<T> Record<T> {
    /// A record of a value that no call gave: one that a person entered, say.
    pub fn new(value: T, prompt_release: impl Into<String>) -> Self {
        Record {
            prompt_release: Some(prompt_release.into()),
            model: None,
            adapter: None,
            mode: Mode::Auto,
            request_id: None,
            unix_ms: now(),
            value,
        }
    }
}

/// Counts that a person corrected an accepted value (`llm_corrections_total`, feature `metrics`).
///
/// Structural failures, business failures and corrections are counted apart: few of the first prove nothing about the
/// others. `prompt_release` is a literal of yours, so that no text from outside becomes a label.
pub fn count_correction(prompt_release: &'static str) {
    telemetry::emit(Signal::Correction { prompt_release });
}

impl<T> From<Accepted<T>> for Record<T> {
    /// A record of what a call gave, made now.
    fn from(accepted: Accepted<T>) -> Self {
        let (value, account) = accepted.into_parts();
        Record {
            prompt_release: account.prompt_release.map(str::to_owned),
            model: account.model,
            adapter: Some(account.adapter.to_owned()),
            mode: account.mode,
            request_id: account.request_id,
            unix_ms: now(),
            value,
        }
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// A record of whatever schema, as it is stored: for a reader that knows several.
#[derive(Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordOf {
    /// Name of the schema.
    pub schema: String,
    /// The schema's own version, where its type has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// [`schema::fingerprint`] of the type.
    pub fingerprint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prompt_release: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    adapter: Option<String>,
    mode: Mode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    unix_ms: u64,
    value: Box<RawValue>,
}

/// Why a stored record is not the value of a type.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordError {
    /// It was written for another schema.
    OtherSchema {
        /// Name and fingerprint of the schema it was written for.
        stored: (String, String),
        /// Name and fingerprint of the schema it was to be read as.
        wanted: (String, String),
    },
    /// Its value violates the schema.
    Invalid(Report),
}

impl RecordOf {
    /// The record as one of `T`, or, where `T` is a `#[geode(versions)]` enum, of a version that it knows.
    ///
    /// # Errors
    ///
    /// Where it was written for another schema, or its value violates this one.
    pub fn open<T: StructuredOutput>(self) -> Result<Record<T>, RecordError> {
        let wanted = (schema::name_of(T::SHAPE).into_owned(), schema::fingerprint::<T>());
        let own = schema::fingerprint_of(shape_of(T::SHAPE, self.value.get()));
        if ![&wanted.1, &own].contains(&&self.fingerprint) {
            return Err(RecordError::OtherSchema { stored: (self.schema, self.fingerprint), wanted });
        }
        self.read(&ReadOptions::default())
    }

    /// The record as one of `T`, whatever schema it was written for: aliases count, defaulted properties may be
    /// absent, unknown enum values narrow to the fallback variant.
    ///
    /// # Errors
    ///
    /// Where its value can't be read that way.
    pub fn open_stored<T: StructuredOutput>(self) -> Result<Record<T>, RecordError> {
        self.read(&ReadOptions { stored: true, ..ReadOptions::default() })
    }

    fn read<T: StructuredOutput>(self, options: &ReadOptions) -> Result<Record<T>, RecordError> {
        let value = Reader::read::<T>(self.value.get(), options).map_err(RecordError::Invalid)?;
        Ok(Record {
            prompt_release: self.prompt_release,
            model: self.model,
            adapter: self.adapter,
            mode: self.mode,
            request_id: self.request_id,
            unix_ms: self.unix_ms,
            value,
        })
    }
}

impl<T: StructuredOutput> Serialize for Record<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = Writer::write(&self.value);
        let shape = shape_of(T::SHAPE, &value);
        RecordOf {
            schema: schema::name_of(shape).into_owned(),
            version: shape.version().map(str::to_owned),
            fingerprint: schema::fingerprint_of(shape),
            prompt_release: self.prompt_release.clone(),
            model: self.model.clone(),
            adapter: self.adapter.clone(),
            mode: self.mode,
            request_id: self.request_id.clone(),
            unix_ms: self.unix_ms,
            value: RawValue::from_string(value).map_err(ser::Error::custom)?,
        }
        .serialize(serializer)
    }
}

/// The shape that a written value has: of a union of versions, the value's own version.
fn shape_of(shape: &'static Shape, text: &str) -> &'static Shape {
    #[derive(Deserialize)]
    struct Versioned {
        #[serde(rename = "schemaVersion")]
        version: String,
    }
    let mut versions = shape.versions().peekable();
    if versions.peek().is_none() {
        return shape;
    }
    let found = serde_json::from_str::<Versioned>(text).ok();
    versions.find(|of| of.version() == found.as_ref().map(|found| found.version.as_str())).unwrap_or(shape)
}

impl<'de, T: StructuredOutput> Deserialize<'de> for Record<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        RecordOf::deserialize(deserializer)?.open().map_err(de::Error::custom)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::OtherSchema { stored, wanted } => write!(
                f,
                "the record was written for the schema `{}` ({}), and `{}` ({}) was asked for: read it as the type of its \
                 version, or by `open_stored`",
                stored.0, stored.1, wanted.0, wanted.1
            ),
            RecordError::Invalid(report) => report.fmt(f),
        }
    }
}

impl std::error::Error for RecordError {}

impl<T> fmt::Debug for Record<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("prompt_release", &self.prompt_release)
            .field("model", &self.model)
            .field("adapter", &self.adapter)
            .field("mode", &self.mode)
            .field("request_id", &self.request_id)
            .field("unix_ms", &self.unix_ms)
            .field("type", &PhantomData::<T>)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for RecordOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordOf")
            .field("schema", &self.schema)
            .field("version", &self.version)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}
