#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use tempfile::TempDir;

use super::running::STDERR_TAIL;
use super::start::MAX_ARGUMENT;
use super::*;
use crate::transport::Argument;

/// A request that runs `script` by `/bin/sh`, `$1` and on being `arguments`.
fn sh(script: &str, arguments: &[&str]) -> ProcessRequest {
    let mut all: Vec<Argument> = vec!["-c".into(), script.into(), "sh".into()];
    all.extend(arguments.iter().map(Argument::from));
    ProcessRequest {
        program: "/bin/sh".into(),
        arguments: all,
        inherit_environment: true,
        environment: Vec::new(),
        stdin: Bytes::new(),
        files: Vec::new(),
        install_hint: "Install a shell.",
    }
}

fn limits() -> ExchangeLimits {
    ExchangeLimits { timeout: Duration::from_secs(20), idle: Duration::from_secs(20), max_bytes: 1 << 20 }
}

fn short() -> ExchangeLimits {
    ExchangeLimits { timeout: Duration::from_millis(300), ..limits() }
}

async fn send(request: ProcessRequest, limits: ExchangeLimits) -> Result<WireReply, TransportError> {
    ProcessTransport::new().send(WireRequest::Process(request), limits).await
}

async fn fault(request: ProcessRequest, limits: ExchangeLimits) -> TransportError {
    match send(request, limits).await {
        Ok(reply) => panic!("no fault, but exit code {}", reply.status),
        Err(error) => error,
    }
}

fn text(bytes: &Bytes) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Whether a process runs: one that ended and was not yet reaped does not.
fn runs(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
}

/// Waits until `ready`, and fails when that takes too long.
async fn until(what: &str, ready: impl Fn() -> bool) {
    for _ in 0..1_000 {
        if ready() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("never came true: {what}");
}

/// A directory in which a script leaves the numbers of its processes and the paths of its files.
struct Traces(TempDir);

impl Traces {
    fn new() -> Self {
        Traces(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap_or_default().trim().to_owned()
    }

    async fn all_gone(&self) {
        for name in ["child", "grandchild"] {
            let pid = self.read(name);
            assert!(!pid.is_empty(), "the script never started its {name}");
            until(&format!("{name} is gone"), || !runs(&pid)).await;
        }
        let file = self.read("file");
        assert!(!file.is_empty(), "the script saw no file");
        assert!(!Path::new(&file).exists(), "the schema file is still there");
    }
}

/// Notes its processes and its file in `$1`, then does `what`.
fn traced(traces: &Traces, what: &str) -> ProcessRequest {
    let script = format!(
        "trap '' TERM; sleep 60 & echo $! >$1/grandchild; echo $$ >$1/child; echo \"$2\" >$1/file; : >$1/ready; {what}"
    );
    let mut request = sh(&script, &[traces.path()]);
    request.arguments.push(Argument::File { prefix: "", index: 0 });
    request.files.push(Bytes::from_static(b"{}"));
    request
}

#[tokio::test]
async fn a_prompt_goes_in_and_an_answer_comes_out() {
    let mut request = sh("cat; printf ' and %s' \"$NAME\"; echo careful >&2; exit 3", &[]);
    request.stdin = "a prompt\0with a NUL".into();
    request.environment.push(("NAME".into(), "a value".into()));
    let reply = send(request, limits()).await.unwrap();
    assert_eq!(text(&reply.body), "a prompt\0with a NUL and a value");
    assert_eq!(text(&reply.stderr), "careful\n");
    assert_eq!(reply.status, 3);
}

#[tokio::test]
async fn arguments_reach_the_program_untouched() {
    let arguments =
        ["--help", "-", "", "a b", "'\"", "$(id) `id` ${HOME}", "line\nbreak", "; exit 9", "ü\u{1F600}", "{file:0}"];
    let reply = send(sh("printf '<%s>' \"$@\"", &arguments), limits()).await.unwrap();
    let expected: String = arguments.iter().map(|argument| format!("<{argument}>")).collect();
    assert_eq!(text(&reply.body), expected);
}

#[tokio::test]
async fn the_environment_is_inherited_only_on_request() {
    let mut request = sh("printf %s \"$HOME$ONLY\"", &[]);
    request.environment.push(("ONLY".into(), "this".into()));
    request.inherit_environment = false;
    assert_eq!(text(&send(request, limits()).await.unwrap().body), "this");
}

#[tokio::test]
async fn the_program_starts_in_an_empty_directory_that_goes_with_it() {
    let reply = send(sh("ls -A; pwd; echo left behind >file", &[]), limits()).await.unwrap();
    let directory = text(&reply.body).trim();
    assert!(directory.starts_with('/') && !directory.contains('\n'), "not empty: {directory}");
    assert!(!Path::new(directory).exists());
}

#[tokio::test]
async fn a_relative_program_is_looked_up_from_here() {
    let here = std::env::current_dir().unwrap();
    let up: String = here.components().skip(1).map(|_| "../").collect();
    let mut request = sh("echo found", &[]);
    request.program = format!("{up}bin/sh").into();
    assert_eq!(text(&send(request, limits()).await.unwrap().body), "found\n");
}

#[tokio::test]
async fn input_and_output_larger_than_a_pipe_do_not_block_each_other() {
    let mut request = sh("cat; cat >&2 </dev/null", &[]);
    request.stdin = vec![b'x'; 900_000].into();
    assert_eq!(send(request, limits()).await.unwrap().body.len(), 900_000);
}

#[tokio::test]
async fn a_program_need_not_read_its_input() {
    let mut request = sh("exec <&-; echo done", &[]);
    request.stdin = vec![b'x'; 900_000].into();
    assert_eq!(text(&send(request, limits()).await.unwrap().body), "done\n");
}

#[tokio::test]
async fn standard_error_keeps_its_end() {
    let reply = send(sh("yes | head -c 300000 >&2; printf 'the end' >&2", &[]), limits()).await.unwrap();
    assert_eq!(reply.stderr.len(), STDERR_TAIL);
    assert!(reply.stderr.ends_with(b"the end"));
}

#[tokio::test]
async fn a_signal_shows_as_128_and_its_number() {
    assert_eq!(send(sh("kill -9 $$", &[]), limits()).await.unwrap().status, 137);
}

#[tokio::test]
async fn endless_output_is_stopped_at_the_limit() {
    let traces = Traces::new();
    let error = fault(traced(&traces, "exec yes"), limits()).await;
    assert_eq!(error.kind, TransportErrorKind::TooLarge);
    traces.all_gone().await;
}

#[tokio::test]
async fn output_of_exactly_the_limit_is_taken() {
    let exact = ExchangeLimits { max_bytes: 100_000, ..limits() };
    assert_eq!(send(sh("yes | head -c 100000", &[]), exact).await.unwrap().body.len(), 100_000);
    assert_eq!(fault(sh("yes | head -c 100001", &[]), exact).await.kind, TransportErrorKind::TooLarge);
}

#[tokio::test]
async fn a_timeout_ends_the_program_and_its_children() {
    let traces = Traces::new();
    let error = fault(traced(&traces, "sleep 60"), short()).await;
    assert_eq!(error.kind, TransportErrorKind::Timeout);
    assert!(error.to_string().contains("300ms"), "{error}");
    traces.all_gone().await;
}

#[tokio::test]
async fn a_closed_output_does_not_hide_a_program_that_hangs() {
    let error = fault(sh("exec >&- 2>&-; sleep 60", &[]), short()).await;
    assert_eq!(error.kind, TransportErrorKind::Timeout);
}

#[tokio::test]
async fn a_dropped_exchange_ends_the_program_and_its_children() {
    let traces = Traces::new();
    let exchange = send(traced(&traces, "sleep 60"), limits());
    let ready = until("the script is ready", || traces.0.path().join("ready").exists());
    tokio::select! {
        _ = exchange => panic!("it hangs"),
        () = ready => {}
    }
    traces.all_gone().await;
}

#[tokio::test]
async fn a_dropped_stream_ends_the_program_and_its_children() {
    let traces = Traces::new();
    let request = WireRequest::Process(traced(&traces, "echo line; sleep 60"));
    let mut stream = ProcessTransport::new().stream(request, limits()).await.unwrap();
    assert_eq!(text(&stream.body.next().await.unwrap().unwrap()), "line\n");
    drop(stream);
    traces.all_gone().await;
}

#[tokio::test]
async fn what_a_program_leaves_running_does_not_outlive_it() {
    let traces = Traces::new();
    let reply = send(traced(&traces, "echo answer"), limits()).await.unwrap();
    assert_eq!((text(&reply.body), reply.status), ("answer\n", 0));
    traces.all_gone().await;
}

#[tokio::test]
async fn a_failed_program_leaves_no_file() {
    let traces = Traces::new();
    assert_eq!(send(traced(&traces, "exit 1"), limits()).await.unwrap().status, 1);
    traces.all_gone().await;
}

#[tokio::test]
async fn files_are_private_and_hold_what_was_asked() {
    let mut request = sh("ls -l \"${1#--schema=}\" | cut -c1-10; cat \"${1#--schema=}\"", &[]);
    request.arguments.push(Argument::File { prefix: "--schema=", index: 0 });
    request.files.push(Bytes::from_static(b"{\"--type\": \"$(id)\"}"));
    let reply = send(request, limits()).await.unwrap();
    assert_eq!(text(&reply.body), "-rw-------\n{\"--type\": \"$(id)\"}");
}

#[tokio::test]
async fn a_missing_program_says_how_to_install_it() {
    for program in ["geode-no-such-program", "/nowhere/claude"] {
        let mut request = sh("", &[]);
        request.program = program.into();
        request.install_hint = "Install it with `npm`.";
        let error = fault(request, limits()).await;
        assert_eq!(error.kind, TransportErrorKind::ProgramMissing);
        assert_eq!(error.to_string(), format!("`{program}` was not found. Install it with `npm`."));
        assert!(!error.kind.is_retryable());
    }
}

#[tokio::test]
async fn an_argument_is_measured_before_the_start() {
    let longest = "x".repeat(MAX_ARGUMENT);
    assert_eq!(send(sh("printf %s \"${#1}\"", &[&longest]), limits()).await.unwrap().status, 0);

    let traces = Traces::new();
    let error = fault(sh(": >$1/ready", &[traces.path(), &format!("{longest}x")]), limits()).await;
    assert_eq!(error.kind, TransportErrorKind::Unsupported);
    assert!(error.to_string().starts_with("argument 5 of `/bin/sh` has 131072 bytes"), "{error}");
    assert!(!traces.0.path().join("ready").exists());
}

#[tokio::test]
async fn arguments_too_large_together_say_so() {
    let many = vec!["x".repeat(100_000); 100];
    let error = fault(sh("", &many.iter().map(String::as_str).collect::<Vec<_>>()), limits()).await;
    assert_eq!(error.kind, TransportErrorKind::Unsupported);
    assert!(error.to_string().contains("smaller schema"), "{error}");
}

#[tokio::test]
async fn an_argument_with_a_nul_is_refused() {
    let error = fault(sh("", &["a\0b"]), limits()).await;
    assert_eq!(error.kind, TransportErrorKind::Unsupported);
    assert!(error.to_string().contains("NUL"), "{error}");
}

#[tokio::test]
async fn a_stream_gives_lines_as_they_come_and_tells_a_failure_at_its_end() {
    let run = async |script: &str| {
        let stream = ProcessTransport::new().stream(WireRequest::Process(sh(script, &[])), limits()).await.unwrap();
        let mut seen = String::new();
        let end = stream.body.try_for_each(|piece| {
            seen.push_str(text(&piece));
            std::future::ready(Ok(()))
        });
        (end.await.map_err(|error| (error.kind, error.message)), seen)
    };
    assert_eq!(run("echo one; echo two").await, (Ok(()), "one\ntwo\n".into()));
    let failed = (TransportErrorKind::ProgramFailed, "`/bin/sh` ended with 4: why".into());
    assert_eq!(run("echo one; echo why >&2; exit 4").await, (Err(failed), "one\n".into()));
    let failed = (TransportErrorKind::ProgramFailed, "`/bin/sh` ended with 4".into());
    assert_eq!(run("exit 4").await, (Err(failed), String::new()));
}

#[tokio::test]
async fn a_silent_stream_is_stopped() {
    let limits = ExchangeLimits { idle: Duration::from_millis(200), ..limits() };
    let request = WireRequest::Process(sh("echo one; sleep 60", &[]));
    let stream = ProcessTransport::new().stream(request, limits).await.unwrap();
    let end = stream.body.try_collect::<Vec<_>>().await.unwrap_err();
    assert_eq!(end.kind, TransportErrorKind::Idle);
}

#[tokio::test]
async fn a_whole_answer_may_be_silent_for_longer() {
    let limits = ExchangeLimits { idle: Duration::from_millis(50), ..limits() };
    assert_eq!(text(&send(sh("sleep 0.2; echo late", &[]), limits).await.unwrap().body), "late\n");
}

#[tokio::test]
async fn other_requests_are_refused() {
    let result = ProcessTransport::new().send(WireRequest::Loopback(Bytes::new()), limits()).await;
    assert!(matches!(result, Err(error) if error.kind == TransportErrorKind::Unsupported));
}
