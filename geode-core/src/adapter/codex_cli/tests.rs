use crate::adapter::cli::tests::{arguments, ask, ended, process, typed};
use crate::adapter::{Adapter, AdapterFault, CliAdapter, ProviderErrorKind, StreamEvent};
use crate::reply::{Event, FinishReason, Reply};
use crate::request::{Mode, Request};

const SCHEMA: &str = r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#;
const STARTED: &str = "{\"type\":\"thread.started\",\"thread_id\":\"t-1\"}\n{\"type\":\"turn.started\"}\n";
const COMPLETED: &str = r#"{"type":"turn.completed","usage":{"input_tokens":11,"cached_input_tokens":3,"output_tokens":7,"reasoning_output_tokens":2}}"#;

fn message(text: &str) -> String {
    format!("{{\"type\":\"item.completed\",\"item\":{{\"id\":\"i\",\"type\":\"agent_message\",\"text\":{text:?}}}}}\n")
}

fn failed(text: &str) -> String {
    format!(
        "{{\"type\":\"error\",\"message\":{text:?}}}\n{{\"type\":\"turn.failed\",\"error\":{{\"message\":{text:?}}}}}\n"
    )
}

fn decode(status: i32, lines: &str) -> Result<Reply, AdapterFault> {
    CliAdapter::codex().decode(&typed(SCHEMA, Mode::Native), &ended(status, &format!("{STARTED}{lines}"), ""))
}

fn provider(fault: AdapterFault) -> (ProviderErrorKind, Option<u16>, String) {
    match fault {
        AdapterFault::Provider(error) => (error.kind, error.status, error.message),
        other => panic!("not the provider's: {other}"),
    }
}

#[test]
fn the_last_message_of_a_completed_turn_is_the_answer() {
    let warning = "{\"type\":\"item.completed\",\"item\":{\"type\":\"error\",\"message\":\"unknown model\"}}\n";
    let reconnect = "{\"type\":\"error\",\"message\":\"Reconnecting... 1/1 (why)\"}\n";
    let noise = "not json\n{\"type\":\"item.updated\"}\n{\"type\":\"of.tomorrow\"}\n";
    let lines = [warning, &message("first"), reconnect, noise, &message("{\"a\":1}"), COMPLETED].concat();
    let reply = decode(0, &lines).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("{\"a\":1}", Some(FinishReason::Stop)));
    assert_eq!(reply.id.as_deref(), Some("t-1"));
    assert_eq!(reply.notes, ["codex: unknown model", "codex: Reconnecting... 1/1 (why)"]);
    assert_eq!((reply.usage.input_tokens, reply.usage.cached_input_tokens), (11, 3));
    assert_eq!((reply.usage.output_tokens, reply.usage.reasoning_tokens), (7, 2));
}

#[test]
fn text_that_is_no_json_is_handed_on_for_the_parser_to_judge() {
    assert_eq!(decode(0, &[&message("not json"), COMPLETED].concat()).unwrap().text, "not json");
}

#[test]
fn a_turn_without_a_message_is_empty_and_says_why_that_may_be() {
    for (completed, why) in [(COMPLETED, "declined"), (r#"{"type":"turn.completed"}"#, "said nothing")] {
        let reply = decode(0, completed).unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), ("", Some(FinishReason::Stop)));
        assert!(reply.notes[0].contains(why), "{:?}", reply.notes);
    }
}

#[test]
fn a_message_before_a_failure_is_no_answer() {
    for (text, finish) in [
        ("Incomplete response returned, reason: max_output_tokens", Some(FinishReason::TokenLimit)),
        (
            "stream disconnected before completion: Incomplete response returned, reason: content_filter",
            Some(FinishReason::ContentFilter),
        ),
        ("Incomplete response returned, reason: new", Some(FinishReason::Other("new".into()))),
        ("stream disconnected before completion: stream closed before response.completed", None),
    ] {
        let reply = decode(1, &[message("{\"a\":1}"), failed(text)].concat()).unwrap();
        assert_eq!(reply.finish, finish, "{text}");
    }
}

#[test]
fn sentences_of_the_program_become_kinds() {
    use ProviderErrorKind as Kind;
    for (text, kind, status) in [
        ("unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1/v1", Kind::Authentication, Some(401)),
        ("unexpected status 404 Not Found: no model", Kind::NotFound, Some(404)),
        ("exceeded retry limit, last status: 429 Too Many Requests", Kind::RateLimited, Some(429)),
        ("rate limit exceeded: try again in 1s", Kind::RateLimited, None),
        ("Quota exceeded. Check your plan", Kind::QuotaExceeded, None),
        ("Codex ran out of room in the model's context window. Start anew", Kind::PromptTooLong, None),
        ("We're currently experiencing high demand, which may cause temporary errors.", Kind::Server, None),
        ("Selected model is at capacity. Try another", Kind::Overloaded, None),
        ("stream disconnected before completion: boom", Kind::Server, None),
        ("something new", Kind::Other, None),
    ] {
        assert_eq!(provider(decode(1, &failed(text)).unwrap_err()), (kind, status, text.to_owned()));
    }
}

#[test]
fn an_api_error_body_is_read_where_it_is_told() {
    let body = r#"{"error":{"message":"Invalid schema: 'additionalProperties' is required","type":"invalid_request_error","param":"text.format.schema","code":"invalid_json_schema"}}"#;
    let (kind, _, message) = provider(decode(1, &failed(body)).unwrap_err());
    assert_eq!(
        (kind, message.as_str()),
        (ProviderErrorKind::SchemaRejected, "Invalid schema: 'additionalProperties' is required")
    );

    let before = format!("{{\"type\":\"error\",\"message\":{body:?}}}\n");
    let pointing = r#"{"type":"turn.failed","error":{"message":"see above"}}"#;
    let fault = decode(1, &[&before, pointing].concat()).unwrap_err();
    assert!(matches!(&fault, AdapterFault::Provider(error) if !error.is_retryable()));
    assert_eq!(provider(fault).0, ProviderErrorKind::SchemaRejected);

    for (body, kind) in [
        (r#"{"error":{"message":"m","code":"context_length_exceeded"}}"#, ProviderErrorKind::PromptTooLong),
        (r#"{"error":{"message":"m","code":"insufficient_quota"},"status":429}"#, ProviderErrorKind::QuotaExceeded),
        (r#"{"error":{"message":"m","type":"invalid_request_error"}}"#, ProviderErrorKind::InvalidRequest),
        (r#"{"error":{"message":"m"},"status":500}"#, ProviderErrorKind::Server),
    ] {
        assert_eq!(provider(decode(1, &failed(body)).unwrap_err()).0, kind, "{body}");
    }
}

#[test]
fn a_failure_without_a_word_has_one_of_ours() {
    let (kind, _, message) = provider(decode(1, r#"{"type":"turn.failed"}"#).unwrap_err());
    assert_eq!((kind, message.as_str()), (ProviderErrorKind::Other, "the turn failed and codex gave no reason"));
}

#[test]
fn a_run_that_never_began_tells_what_stands_in_the_way() {
    let run = |status, stderr| CliAdapter::codex().decode(&ask("x"), &ended(status, "", stderr)).unwrap_err();
    assert_eq!(provider(run(1, "Output schema file f is not valid JSON: why")).0, ProviderErrorKind::SchemaRejected);
    let fault = run(2, "error: unexpected argument '--ephemeral' found");
    assert!(
        matches!(&fault, AdapterFault::Configuration { .. }) && fault.to_string().contains("--ephemeral"),
        "{fault}"
    );
    let fault = run(1, "no home directory");
    assert!(matches!(fault, AdapterFault::Malformed { status: Some(1), .. }), "{fault}");
    assert!(fault.to_string().contains("no home directory"), "{fault}");
}

#[test]
fn a_completed_turn_that_exits_with_a_failure_is_none() {
    let fault = decode(1, &[&message("{}"), COMPLETED].concat()).unwrap_err();
    assert!(matches!(fault, AdapterFault::Malformed { status: Some(1), .. }), "{fault}");
}

#[test]
fn no_cut_output_is_an_answer() {
    let whole = [STARTED, &message("{\"a\":1}"), COMPLETED].concat();
    for end in 0..whole.len() {
        let reply = CliAdapter::codex().decode(&ask("x"), &ended(0, &whole[..end], "")).unwrap();
        assert_eq!(reply.finish, None, "accepted {end} bytes");
    }
}

#[test]
fn the_schema_goes_in_a_file_and_nothing_is_left_to_chance() {
    let request =
        Request { system: Some("Be terse.".into()), model: Some("--full-auto".into()), ..typed(SCHEMA, Mode::Native) };
    let process = process(&CliAdapter::codex().argument("-c").argument("model_provider=mock"), &request);
    let arguments = arguments(&process);
    assert_eq!(
        arguments[..6],
        ["exec", "--json", "--ephemeral", "--ignore-user-config", "--skip-git-repo-check", "--sandbox=read-only"]
    );
    assert!(arguments.contains(&"--config=features.shell_tool=false".to_owned()));
    assert_eq!(
        arguments[arguments.len() - 5..],
        [
            "--model=--full-auto",
            "--config=model_instructions_file=<0>",
            "--output-schema=<1>",
            "-c",
            "model_provider=mock"
        ]
    );
    assert_eq!(process.files, ["Be terse.", SCHEMA]);
    assert_eq!(process.stdin, "Ada is 36.");
}

#[test]
fn nothing_asked_for_is_nothing_sent() {
    for request in [ask("x"), typed(SCHEMA, Mode::Prompted)] {
        let process = process(&CliAdapter::codex(), &request);
        assert!(process.files.is_empty());
        assert!(
            !arguments(&process).iter().any(|argument| argument.starts_with("--model") || argument.contains("schema"))
        );
    }
}

#[test]
fn lines_decode_one_by_one() {
    let run = |lines: &str| {
        let mut decoder = CliAdapter::codex().decoder(&ask("x"));
        let mut events = Vec::new();
        for line in lines.lines() {
            decoder.event(&StreamEvent { name: None, data: line }, &mut events)?;
        }
        let done = events.iter().filter(|event| matches!(event, Event::Done(_))).count();
        Ok::<_, AdapterFault>((done, decoder.finish()))
    };
    let (done, reply) = run(&[STARTED, &message("hi"), COMPLETED].concat()).unwrap();
    assert_eq!((done, reply.text.as_str(), reply.finish), (0, "hi", Some(FinishReason::Stop)));
    let (done, reply) = run(&[STARTED, &message("hi")].concat()).unwrap();
    assert_eq!((done, reply.finish), (0, None));
    let (done, reply) = run(&failed("Incomplete response returned, reason: max_output_tokens")).unwrap();
    assert_eq!((done, reply.finish), (1, Some(FinishReason::TokenLimit)));
    assert!(run(&failed("Quota exceeded.")).is_err());
}

#[test]
fn settings_without_a_flag_are_noted() {
    let request = Request { temperature: Some(0.0), max_output_tokens: Some(5), ..ask("x") };
    let reply = CliAdapter::codex().decode(&request, &ended(0, &[&message("hi"), COMPLETED].concat(), "")).unwrap();
    assert_eq!(reply.notes.len(), 2);
}
