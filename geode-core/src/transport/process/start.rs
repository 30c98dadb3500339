//! Starting a program: its arguments checked, its files and its directory made, its process group set up.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use bytes::Bytes;
use secrecy::ExposeSecret;
use tempfile::{TempDir, TempPath};
use tokio::process::{Child, Command};

use super::super::{Argument, ProcessRequest, TransportError, TransportErrorKind};

/// Most bytes of one argument. Linux: `MAX_ARG_STRLEN`, 32 pages of 4 KiB, less the closing NUL. Windows: of the whole
/// command line. Others count only the sum, which the system itself reports.
pub(super) const MAX_ARGUMENT: usize = if cfg!(target_os = "linux") {
    128 * 1024 - 1
} else if cfg!(windows) {
    32_766
} else {
    1024 * 1024 - 1
};

/// A program that was started, with what has to go when it goes. Fields drop in order: first the process group.
pub(super) struct Started {
    pub(super) group: Group,
    pub(super) child: Child,
    _files: Vec<TempPath>,
    _directory: TempDir,
}

/// Starts the program. Files are written here and now: they are small, and a future dropped half-way leaves none behind.
pub(super) fn start(request: &ProcessRequest) -> Result<Started, TransportError> {
    let name = request.program.to_string_lossy();
    let files = request.files.iter().map(private_file).collect::<io::Result<Vec<_>>>().map_err(no_room)?;
    let directory = private_directory().map_err(no_room)?;

    let mut command = Command::new(program(&request.program).map_err(no_room)?);
    for (position, argument) in request.arguments.iter().enumerate() {
        let argument = render(argument, &files).ok_or_else(|| {
            unsupported(format!("argument {} of `{name}` names a file that there is none of", position + 1))
        })?;
        check(&argument, position, &name)?;
        command.arg(argument);
    }
    if !request.inherit_environment {
        command.env_clear();
    }
    command
        .envs(request.environment.iter().map(|(key, value)| (key, value.expose_secret())))
        .current_dir(directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);

    let child = command.spawn().map_err(|error| not_started(error, &name, request.install_hint))?;
    Ok(Started { group: Group::of(&child), child, _files: files, _directory: directory })
}

/// A relative path means one from where we are, not from where the program will be.
fn program(program: &OsStr) -> io::Result<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 { std::path::absolute(path) } else { Ok(path.to_owned()) }
}

fn render(argument: &Argument, files: &[TempPath]) -> Option<OsString> {
    match argument {
        Argument::Text(text) => Some(text.clone()),
        Argument::File { prefix, index } => {
            let mut text = OsString::from(prefix);
            text.push::<&Path>(files.get(*index)?);
            Some(text)
        }
    }
}

fn check(argument: &OsStr, position: usize, name: &str) -> Result<(), TransportError> {
    let position = position + 1;
    let bytes = argument.as_encoded_bytes();
    if bytes.contains(&0) {
        return Err(unsupported(format!(
            "argument {position} of `{name}` holds a NUL character, which no argument can"
        )));
    }
    if bytes.len() > MAX_ARGUMENT {
        return Err(unsupported(format!(
            "argument {position} of `{name}` has {} bytes and this system takes at most {MAX_ARGUMENT}: send a smaller \
             schema, or ask an adapter that speaks HTTP",
            bytes.len()
        )));
    }
    Ok(())
}

fn private_file(content: &Bytes) -> io::Result<TempPath> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(mode(0o600));
    let mut file = builder.suffix(".json").tempfile()?;
    file.write_all(content)?;
    Ok(file.into_temp_path())
}

fn private_directory() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(mode(0o700));
    builder.tempdir()
}

#[cfg(unix)]
fn mode(bits: u32) -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(bits)
}

fn no_room(error: io::Error) -> TransportError {
    TransportError {
        kind: TransportErrorKind::Unsupported,
        message: "the program's private files can't be made in the system's directory for temporary files".into(),
        source: Some(Box::new(error)),
    }
}

fn not_started(error: io::Error, name: &str, install_hint: &str) -> TransportError {
    let (kind, message) = match error.kind() {
        io::ErrorKind::NotFound => {
            (TransportErrorKind::ProgramMissing, format!("`{name}` was not found. {install_hint}"))
        }
        io::ErrorKind::ArgumentListTooLong => (
            TransportErrorKind::Unsupported,
            format!(
                "the arguments and the environment of `{name}` are together larger than this system takes: send a \
                 smaller schema, or ask an adapter that speaks HTTP"
            ),
        ),
        _ => (TransportErrorKind::ProgramMissing, format!("`{name}` can't be started: {error}")),
    };
    TransportError { kind, message, source: Some(Box::new(error)) }
}

fn unsupported(message: String) -> TransportError {
    TransportError::new(TransportErrorKind::Unsupported, message)
}

/// A process group. Dropping it kills what is left in it.
///
/// That is done after the program itself was reaped, too: what it left running must not outlive the exchange. Its number
/// is not given to another process while the group has a member, and numbers are handed out in turn, so that a number
/// just freed is not met again at once.
pub(super) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

impl Group {
    #[cfg(unix)]
    fn of(child: &Child) -> Self {
        Group { leader: child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw) }
    }

    #[cfg(not(unix))]
    fn of(_child: &Child) -> Self {
        Group {}
    }

    /// Kills every process of the group. None left is what we want.
    pub(super) fn kill(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
