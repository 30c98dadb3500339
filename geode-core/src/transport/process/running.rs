//! A program at work: input fed, output read, limits kept, all at once and without a task of its own.

use std::process::ExitStatus;
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{Instant, sleep_until};

use super::super::{ExchangeLimits, ProcessRequest, TransportError, TransportErrorKind};
use super::start::{Started, start};

/// Most bytes of standard error that are kept, from its end.
pub(super) const STDERR_TAIL: usize = 64 * 1024;

/// Most bytes of standard error that an error message shows.
const STDERR_SHOWN: usize = 2_000;

/// How long a program's own children may hold its pipes open after it has ended.
const GRACE: Duration = Duration::from_millis(500);

const PIECE: usize = 16 * 1024;

/// A program at work. Dropping it ends the program and all that it started.
pub(super) struct Running {
    program: String,
    stdin: Option<ChildStdin>,
    input: Bytes,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    stderr_tail: BytesMut,
    status: Option<ExitStatus>,
    started: Started,
    limits: ExchangeLimits,
    left: usize,
    deadline: Instant,
    /// When silence is too long; `None` where the answer is wanted whole.
    idle: Option<Instant>,
    /// When what still holds the pipes is killed; `None` while the program runs.
    grace: Option<Instant>,
}

impl Running {
    pub(super) fn start(
        request: ProcessRequest,
        limits: ExchangeLimits,
        streamed: bool,
    ) -> Result<Self, TransportError> {
        let mut started = start(&request)?;
        let now = Instant::now();
        Ok(Running {
            program: request.program.to_string_lossy().into_owned(),
            stdin: started.child.stdin.take(),
            input: request.stdin,
            stdout: started.child.stdout.take(),
            stderr: started.child.stderr.take(),
            stderr_tail: BytesMut::new(),
            status: None,
            started,
            limits,
            left: limits.max_bytes,
            deadline: now + limits.timeout,
            idle: streamed.then(|| now + limits.idle),
            grace: None,
        })
    }

    /// More of standard output; `None` when the program has ended and all of it was read. Nothing is lost if the future
    /// is dropped and asked for again.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, TransportError> {
        let mut piece = BytesMut::with_capacity(PIECE);
        let mut complaint = BytesMut::with_capacity(PIECE);
        while self.stdout.is_some() || self.stderr.is_some() || self.status.is_none() {
            tokio::select! {
                written = feed(&mut self.stdin, &self.input) => self.fed(written),
                read = read(&mut self.stdout, &mut piece) => match read {
                    0 => self.stdout = None,
                    length => return self.take(length, piece).map(Some),
                },
                read = read(&mut self.stderr, &mut complaint) => match read {
                    0 => self.stderr = None,
                    _ => self.keep(&mut complaint),
                },
                status = self.started.child.wait(), if self.status.is_none() => {
                    self.status = Some(status.map_err(|error| lost(&self.program, error))?);
                    self.grace = Some(Instant::now() + GRACE);
                }
                () = at(self.grace) => {
                    self.started.group.kill();
                    self.grace = None;
                }
                () = sleep_until(self.deadline) => return Err(self.timed_out()),
                () = at(self.idle) => return Err(self.silent()),
            }
        }
        Ok(None)
    }

    /// The exit code and the end of standard error, once [`next`](Self::next) has returned `None`.
    pub(super) fn end(self) -> (i32, Bytes) {
        (self.status.map_or(-1, code), self.stderr_tail.freeze())
    }

    /// Whether the program ended with 0.
    pub(super) fn succeeded(self) -> Result<(), TransportError> {
        let program = self.program.clone();
        let (status, stderr) = self.end();
        if status == 0 {
            return Ok(());
        }
        let shown = stderr.get(stderr.len().saturating_sub(STDERR_SHOWN)..).unwrap_or_default();
        let stderr = String::from_utf8_lossy(shown).trim().to_owned();
        let message = if stderr.is_empty() {
            format!("`{program}` ended with {status}")
        } else {
            format!("`{program}` ended with {status}: {stderr}")
        };
        Err(TransportError::new(TransportErrorKind::ProgramFailed, message))
    }

    /// A program may close its input unread: what it then says decides.
    fn fed(&mut self, written: std::io::Result<usize>) {
        match written {
            Ok(length) if length > 0 => self.input.advance(length),
            _ => self.stdin = None,
        }
    }

    fn take(&mut self, length: usize, piece: BytesMut) -> Result<Bytes, TransportError> {
        self.left = self.left.checked_sub(length).ok_or_else(|| {
            TransportError::new(
                TransportErrorKind::TooLarge,
                format!("`{}` printed more than {} bytes", self.program, self.limits.max_bytes),
            )
        })?;
        if self.idle.is_some() {
            self.idle = Some(Instant::now() + self.limits.idle);
        }
        Ok(piece.freeze())
    }

    fn keep(&mut self, complaint: &mut BytesMut) {
        self.stderr_tail.extend_from_slice(complaint);
        complaint.clear();
        let over = self.stderr_tail.len().saturating_sub(STDERR_TAIL);
        self.stderr_tail.advance(over);
    }

    fn timed_out(&self) -> TransportError {
        TransportError::new(
            TransportErrorKind::Timeout,
            format!("`{}` did not end within {:?} and was stopped", self.program, self.limits.timeout),
        )
    }

    fn silent(&self) -> TransportError {
        TransportError::new(
            TransportErrorKind::Idle,
            format!("`{}` printed nothing for {:?} and was stopped", self.program, self.limits.idle),
        )
    }
}

/// Writes some of `input`; 0 when there is no more to write.
async fn feed(stdin: &mut Option<ChildStdin>, input: &Bytes) -> std::io::Result<usize> {
    match stdin {
        Some(_) if input.is_empty() => Ok(0),
        Some(stdin) => stdin.write(input).await,
        None => std::future::pending().await,
    }
}

/// Reads some; 0 at the end. A pipe that can't be read is at its end.
async fn read(pipe: &mut Option<impl AsyncRead + Unpin>, into: &mut BytesMut) -> usize {
    match pipe {
        Some(pipe) => pipe.read_buf(into).await.unwrap_or(0),
        None => std::future::pending().await,
    }
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

fn lost(program: &str, error: std::io::Error) -> TransportError {
    TransportError {
        kind: TransportErrorKind::Interrupted,
        message: format!("how `{program}` ended can't be told"),
        source: Some(Box::new(error)),
    }
}

fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(-1)
}
