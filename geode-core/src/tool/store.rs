//! Results that are too long for the conversation: kept in private files, and read back in slices.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::{Content, DefinitionError, RawTool, ToolError};
use crate::message::Part;

/// Name of the internal tool that reads an offloaded result back. Offered only once there is one.
pub const READ_RESULT: &str = "__read_result__";

/// Characters of an offloaded result that stay in the conversation.
const PREVIEW: usize = 500;

/// Where results over the token guard go.
///
/// Each is one file (mode 0600) in a directory of this run (mode 0700). The files are removed with the run, unless a
/// directory was given to keep them in; then a later run reads them from there.
#[derive(Debug)]
pub struct ResultStore {
    guard: usize,
    place: Place,
    next: AtomicU32,
    used: AtomicBool,
}

#[derive(Debug)]
enum Place {
    /// Made when first needed, removed on drop.
    Temporary(Mutex<Option<TempDir>>),
    Kept(PathBuf),
}

/// What stays in the conversation of an offloaded result.
#[derive(Serialize)]
struct Summary<'a> {
    ref_id: &'a str,
    characters: usize,
    estimated_tokens: usize,
    preview: &'a str,
    hint: String,
}

/// One slice of an offloaded result.
#[derive(Serialize)]
struct Slice<'a> {
    ref_id: &'a str,
    offset: usize,
    characters: usize,
    text: &'a str,
    next_offset: Option<usize>,
}

impl Default for ResultStore {
    fn default() -> Self {
        ResultStore::temporary(ResultStore::DEFAULT_GUARD)
    }
}

impl ResultStore {
    /// Tokens that a result may have before it is offloaded, unless set otherwise.
    pub(crate) const DEFAULT_GUARD: usize = 8_000;

    /// Offloads results of more than `guard` tokens (an estimate) to a temporary directory.
    pub fn temporary(guard: usize) -> Self {
        ResultStore::at(guard, Place::Temporary(Mutex::new(None)))
    }

    /// Offloads results of more than `guard` tokens (an estimate) to `directory`, which is made if need be, and keeps
    /// them.
    ///
    /// # Errors
    ///
    /// Where the directory can't be made or read.
    pub fn kept_in(directory: impl Into<PathBuf>, guard: usize) -> io::Result<Self> {
        let directory = directory.into();
        private_directory(&directory)?;
        let held = fs::read_dir(&directory)?.count();
        let store = ResultStore::at(guard, Place::Kept(directory));
        store.next.store(u32::try_from(held).unwrap_or(u32::MAX), Ordering::Relaxed);
        store.used.store(held > 0, Ordering::Relaxed);
        Ok(store)
    }

    fn at(guard: usize, place: Place) -> Self {
        ResultStore { guard, place, next: AtomicU32::new(0), used: false.into() }
    }

    /// Whether the reading tool is to be offered: something was offloaded.
    pub(crate) fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// Offloads the text of a result that is over the guard. Images stay. The second value is the `ref_id` if so.
    pub(crate) fn guard(&self, content: Content) -> Result<(Content, Option<String>), ToolError> {
        let text: Vec<&str> = content.0.iter().filter_map(text_of).collect();
        if text.iter().map(|text| estimated_tokens(text)).sum::<usize>() <= self.guard {
            return Ok((content, None));
        }
        let text = text.join("\n");
        let ref_id = self.save(&text).map_err(|error| {
            ToolError::dependency(format_args!(
                "the result is too long for the conversation and can't be stored: {error}"
            ))
            .hint("Ask for less: a narrower query, or fewer items.")
        })?;
        let summary = Summary {
            ref_id: &ref_id,
            characters: text.chars().count(),
            estimated_tokens: estimated_tokens(&text),
            preview: text.get(..char_offset(&text, PREVIEW)).unwrap_or_default(),
            hint: format!(
                "The result was too long and is stored. Read slices of it by `{READ_RESULT}` with this ref_id."
            ),
        };
        let mut parts = Content::text(serde_json::to_string(&summary).map_err(ToolError::internal)?).0;
        parts.extend(content.0.into_iter().filter(|part| text_of(part).is_none()));
        Ok((Content(parts), Some(ref_id)))
    }

    /// A slice of an offloaded result, from a character on. At most what the guard lets through.
    pub(crate) fn read(&self, ref_id: &str, offset: usize, wanted: usize) -> Result<Content, ToolError> {
        let gone = || {
            ToolError::not_found(format_args!("there is no stored result `{ref_id}`"))
                .hint("Use a ref_id from an earlier result of this run, or call the tool again.")
        };
        // Ids that this store never gives out can't name a file.
        if !ref_id.strip_prefix("result-").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
            return Err(gone());
        }
        let path = self.directory().ok().flatten().ok_or_else(gone)?.join(ref_id);
        let text = fs::read_to_string(path).map_err(|_| gone())?;
        let characters = text.chars().count();
        let offset = offset.min(characters);
        let rest = text.get(char_offset(&text, offset)..).unwrap_or_default();
        let fits = longest_prefix(rest, self.guard, wanted);
        let next = offset + fits.chars().count();
        let slice = Slice { ref_id, offset, characters, text: fits, next_offset: (next < characters).then_some(next) };
        Ok(Content::text(serde_json::to_string(&slice).map_err(ToolError::internal)?))
    }

    fn save(&self, text: &str) -> io::Result<String> {
        let directory = match self.directory()? {
            Some(directory) => directory,
            None => return Err(io::Error::other("the run's directory is gone")),
        };
        loop {
            let ref_id = format!("result-{}", self.next.fetch_add(1, Ordering::Relaxed).saturating_add(1));
            match private_file(&directory.join(&ref_id)) {
                Ok(mut file) => {
                    file.write_all(text.as_bytes())?;
                    self.used.store(true, Ordering::Relaxed);
                    return Ok(ref_id);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn directory(&self) -> io::Result<Option<PathBuf>> {
        match &self.place {
            Place::Kept(directory) => Ok(Some(directory.clone())),
            Place::Temporary(slot) => {
                let Ok(mut slot) = slot.lock() else { return Ok(None) };
                if slot.is_none() {
                    let directory = tempfile::Builder::new().prefix("geode-results-").tempdir()?;
                    private_directory(directory.path())?;
                    *slot = Some(directory);
                }
                Ok(slot.as_ref().map(|directory| directory.path().to_owned()))
            }
        }
    }
}

fn text_of(part: &Part) -> Option<&str> {
    match part {
        Part::Text { text } => Some(text),
        Part::Image { .. } => None,
    }
}

/// A rough estimate that errs on the high side: four ASCII characters a token, any other character one.
pub(crate) fn estimated_tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().count() - ascii;
    ascii.div_ceil(4) + others
}

/// Byte offset of the character at `index`, or the text's end.
fn char_offset(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(offset, _)| offset)
}

/// The longest start of `text` of at most `characters` characters and `tokens` estimated tokens, never empty.
fn longest_prefix(text: &str, tokens: usize, characters: usize) -> &str {
    let mut quarters = 0;
    for (index, (offset, character)) in text.char_indices().enumerate() {
        quarters += if character.is_ascii() { 1 } else { 4 };
        if index > 0 && (index >= characters || quarters > tokens.saturating_mul(4)) {
            return text.get(..offset).unwrap_or_default();
        }
    }
    text
}

/// Makes a directory that only this user can enter.
fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        builder.mode(0o700);
        builder.create(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
    }
    #[cfg(not(unix))]
    builder.create(path)
}

/// Makes a new file that only this user can read.
fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// Arguments of the internal reading tool.
#[derive(Deserialize)]
struct Slicing {
    ref_id: String,
    offset: usize,
    characters: usize,
}

/// The internal tool that reads `store`.
pub(crate) fn reading_tool(store: Arc<ResultStore>) -> Result<RawTool, DefinitionError> {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "ref_id": {"type": "string", "description": "Id of the stored result."},
            "offset": {"type": "integer", "minimum": 0, "description": "First character wanted, counted from 0."},
            "characters": {"type": "integer", "minimum": 1, "description": "Most characters wanted."}
        },
        "required": ["ref_id", "offset", "characters"],
        "additionalProperties": false
    });
    RawTool::internal(READ_RESULT, "Reads a slice of a stored result.", schema, move |arguments, _| {
        let store = Arc::clone(&store);
        async move {
            let Slicing { ref_id, offset, characters } =
                serde_json::from_value(arguments).map_err(ToolError::validation)?;
            store.read(&ref_id, offset, characters)
        }
    })
}
