//! The file from which a run of many calls goes on after a crash: a line a finished item.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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
    InUse,
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
            Problem::InUse => write!(f, "another run writes to the journal {path}: stop it, or take a new file"),
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
            Ok(accepted) => (RawValue::from_string(Writer::write(&accepted.value)).ok(), None, &*accepted.account),
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
    /// Opens a journal, or begins one, and keeps other runs out of it. A last line that a crash cut off is dropped.
    pub(super) fn open<T: StructuredOutput>(path: PathBuf) -> Result<Self, JournalError> {
        match read::<T>(&path) {
            Ok((file, entries)) => Ok(Journal { path, entries, file: Mutex::new(file) }),
            Err(problem) => Err(JournalError { path, problem }),
        }
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
            return Some(Ok(Accepted::new(value, account)));
        }
        let ended = entry.failure.as_ref().filter(|_| !retry_failed)?;
        let failure = Failure::Earlier { kind: ended.kind.clone(), message: ended.message.clone() };
        Some(Err(CallError::new(failure, account)))
    }

    /// Writes an outcome down.
    pub(super) fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&mut file, entry)
            .map_err(|error| JournalError { path: self.path.clone(), problem: Problem::Io(error) })
    }
}

/// The file, ready for the next line, and the entries in it.
fn read<T: StructuredOutput>(path: &Path) -> Result<(File, HashMap<usize, Entry>), Problem> {
    let mut file = open_private(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let head = Head { schema: schema::fingerprint::<T>() };
    let mut entries = HashMap::new();
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let (lines, torn) = bytes.split_at(whole);
    let mut lines = lines.split_inclusive(|byte| *byte == b'\n').enumerate();
    match lines.next() {
        // A file that is no journal is left as it is.
        None if !serde_json::to_vec(&head).map_err(io::Error::from)?.starts_with(torn) => {
            return Err(Problem::Broken { line: 1 });
        }
        None => {}
        Some((_, line)) => {
            let stored: Head = serde_json::from_slice(line).map_err(|_| Problem::Broken { line: 1 })?;
            if stored.schema != head.schema {
                return Err(Problem::OtherSchema);
            }
        }
    }
    for (index, line) in lines {
        let entry: Entry = serde_json::from_slice(line).map_err(|_| Problem::Broken { line: index + 1 })?;
        entries.insert(entry.index, entry);
    }
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::End(0))?;
    if whole == 0 {
        write_line(&mut file, &head)?;
    }
    Ok((file, entries))
}

/// Adds a line, or nothing: by one write, so that a crash cuts at most the last one; what a full disk cut is taken back.
fn write_line(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    let end = file.stream_position()?;
    file.write_all(text.as_bytes()).inspect_err(|_| {
        // Where this fails too, the next run says which line is at fault.
        let _ = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
    })
}

/// Opens a file that is readable by this user alone and written by this run alone.
fn open_private(path: &Path) -> Result<File, Problem> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Problem::InUse),
        // A file system without locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Problem::Io(error)
    }
}
