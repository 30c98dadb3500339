//! The file from which a run of many calls goes on after a crash: a line a finished item.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::{fmt, fs};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::json::{ReadOptions, Reader, Writer};
use crate::outcome::{Accepted, Account, CallError, Failure};
use crate::output::StructuredOutput;
use crate::reply::Usage;
use crate::schema;

/// A journal that can't be used.
#[derive(Debug)]
pub struct JournalError {
    path: PathBuf,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    Io(io::Error),
    Broken { line: usize },
    OtherSchema,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.problem {
            Problem::Io(error) => write!(f, "the journal {path} can't be read or written: {error}"),
            Problem::Broken { line } => write!(f, "line {line} of the journal {path} is no journal entry"),
            Problem::OtherSchema => {
                write!(f, "the journal {path} was written for another schema: take a new file for this run")
            }
        }
    }
}

impl std::error::Error for JournalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// First line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    /// Fingerprint of the schema that the values have.
    schema: String,
}

/// A finished item.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    index: usize,
    /// Fingerprint of the item's prompt: an input that changed since is called again.
    prompt: u64,
    /// The value in wire form, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    /// How the call ended, where it gave no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<Ended>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    usage: Usage,
}

/// How a call without a value ended.
#[derive(Serialize, Deserialize)]
struct Ended {
    kind: String,
    message: String,
}

impl Entry {
    pub(super) fn of<T: StructuredOutput>(index: usize, prompt: u64, result: &Result<Accepted<T>, CallError>) -> Self {
        let (value, failure, account) = match result {
            Ok(accepted) => (RawValue::from_string(Writer::write(&accepted.value)).ok(), None, &accepted.account),
            Err(error) => {
                let ended = Ended { kind: error.failure.kind().to_owned(), message: error.to_string() };
                (None, Some(ended), &*error.account)
            }
        };
        Entry {
            index,
            prompt,
            value,
            failure,
            model: account.model.clone(),
            request_id: account.request_id.clone(),
            usage: account.usage,
        }
    }
}

pub(super) struct Journal {
    path: PathBuf,
    entries: HashMap<usize, Entry>,
    file: Mutex<File>,
}

impl Journal {
    /// Opens a journal, or begins one. A last line that a crash cut off is dropped.
    pub(super) fn open<T: StructuredOutput>(path: PathBuf) -> Result<Self, JournalError> {
        let fail = |problem| JournalError { path: path.clone(), problem };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(fail(Problem::Io(error))),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text.get(..whole).unwrap_or_default().lines();
        let fingerprint = schema::fingerprint::<T>();
        let mut entries = HashMap::new();
        match lines.next() {
            None => {}
            Some(head) => {
                let head: Head = serde_json::from_str(head).map_err(|_| fail(Problem::Broken { line: 1 }))?;
                if head.schema != fingerprint {
                    return Err(fail(Problem::OtherSchema));
                }
                for (number, line) in lines.enumerate() {
                    let entry: Entry =
                        serde_json::from_str(line).map_err(|_| fail(Problem::Broken { line: number + 2 }))?;
                    entries.insert(entry.index, entry);
                }
            }
        }
        let file = open_private(&path, whole as u64).map_err(|error| fail(Problem::Io(error)))?;
        let journal = Journal { path: path.clone(), entries, file: Mutex::new(file) };
        if whole == 0 {
            journal.write_line(&Head { schema: fingerprint })?;
        }
        Ok(journal)
    }

    /// The outcome of an item of an earlier run, if it had this prompt.
    pub(super) fn find<T: StructuredOutput>(
        &self,
        index: usize,
        prompt: u64,
        retry_failed: bool,
    ) -> Option<Result<Accepted<T>, CallError>> {
        let entry = self.entries.get(&index).filter(|entry| entry.prompt == prompt)?;
        let mut account = Account {
            model: entry.model.clone(),
            request_id: entry.request_id.clone(),
            usage: entry.usage,
            ..Account::default()
        };
        account.note("read from the journal of an earlier run");
        if let Some(value) = &entry.value {
            // A value that no longer reads is one of a file that was edited: the item is called again.
            let value = Reader::read::<T>(value.get(), &ReadOptions::default()).ok()?;
            return Some(Ok(Accepted { value, account }));
        }
        let ended = entry.failure.as_ref().filter(|_| !retry_failed)?;
        let failure = Failure::Earlier { kind: ended.kind.clone(), message: ended.message.clone() };
        Some(Err(CallError::new(failure, account)))
    }

    /// Writes an outcome down.
    pub(super) fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        self.write_line(entry)
    }

    fn write_line(&self, line: &impl Serialize) -> Result<(), JournalError> {
        let fail = |error| JournalError { path: self.path.clone(), problem: Problem::Io(error) };
        let mut text = serde_json::to_string(line).map_err(|error| fail(error.into()))?;
        text.push('\n');
        // One write a line, so that a crash cuts at most the last one.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(text.as_bytes()).map_err(fail)
    }
}

/// Opens a file for appending behind its first `length` bytes, readable by this user alone.
fn open_private(path: &PathBuf, length: u64) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}
