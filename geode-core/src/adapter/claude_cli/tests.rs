use crate::adapter::cli::tests::{arguments, ask, ended, process, typed};
use crate::adapter::{Adapter, AdapterFault, CliAdapter, ProviderErrorKind, StreamEvent};
use crate::reply::{Event, FinishReason, Reply};
use crate::request::{Mode, Request};

const SCHEMA: &str = r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#;

/// A result object of the program: the members that every one has, and `members`.
fn result(members: &str) -> String {
    format!(
        r#"{{"duration_ms":5,"session_id":"s-1","usage":{{"input_tokens":0,"output_tokens":0}},"permission_denials":[],{members},"type":"result","uuid":"u-1","unheard_of":{{}}}}"#
    )
}

fn decode(status: i32, stdout: &str, stderr: &str) -> Result<Reply, AdapterFault> {
    CliAdapter::claude().decode(&typed(SCHEMA, Mode::Native), &ended(status, stdout, stderr))
}

fn provider(fault: AdapterFault) -> (ProviderErrorKind, Option<u16>, String) {
    match fault {
        AdapterFault::Provider(error) => (error.kind, error.status, error.message),
        other => panic!("not the provider's: {other}"),
    }
}

const SUCCESS: &str = r#""subtype":"success","is_error":false,"stop_reason":"tool_use","terminal_reason":"completed""#;

#[test]
fn the_answer_is_the_structured_output_as_it_came() {
    let output = r#"{"a":1.0,"big":123456789012345678901234567890,"a":2}"#;
    let model = r#""modelUsage":{"m-small":{"inputTokens":3,"outputTokens":1},"m-1":{"inputTokens":10,"outputTokens":20,"cacheReadInputTokens":4,"cacheCreationInputTokens":2,"thinkingTokens":5}}"#;
    let stdout = result(&format!(r#"{SUCCESS},"result":"prose","structured_output":{output},{model}"#));
    let reply = decode(0, &stdout, "strict mode: unknown format").unwrap();
    assert_eq!(reply.text, output);
    assert_eq!(reply.finish, Some(FinishReason::Stop));
    assert_eq!((reply.id.as_deref(), reply.model.as_deref(), reply.request_id), (Some("s-1"), Some("m-1"), None));
    assert_eq!((reply.usage.input_tokens, reply.usage.cached_input_tokens), (19, 4));
    assert_eq!((reply.usage.output_tokens, reply.usage.reasoning_tokens), (21, 5));
    assert!(reply.notes.is_empty(), "{:?}", reply.notes);
}

#[test]
fn usage_stands_in_where_no_model_is_listed() {
    let usage = r#""modelUsage":{},"usage":{"input_tokens":1,"cache_read_input_tokens":2,"cache_creation_input_tokens":4,"output_tokens":8,"output_tokens_details":{"thinking_tokens":3}}"#;
    let stdout = result(&format!(r#"{SUCCESS},"structured_output":{{}},{usage}"#));
    let usage =
        decode(0, &stdout.replacen(r#""usage":{"input_tokens":0,"output_tokens":0},"#, "", 1), "").unwrap().usage;
    assert_eq!((usage.input_tokens, usage.cached_input_tokens), (7, 2));
    assert_eq!((usage.output_tokens, usage.reasoning_tokens), (8, 3));
}

#[test]
fn the_result_is_found_in_every_form_that_versions_print() {
    let object = result(&format!(r#"{SUCCESS},"structured_output":[1]"#));
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&object).unwrap()).unwrap();
    for stdout in [
        object.clone(),
        format!("a notice\n{{\"type\":\"system\"}}\n{object}\n\n"),
        format!("[{{\"type\":\"system\"}},{object}]"),
        pretty,
    ] {
        let text: String = decode(0, &stdout, "").unwrap().text.split_whitespace().collect();
        assert_eq!(text, "[1]");
    }
}

#[test]
fn text_in_place_of_structured_output_is_handed_on_with_a_note() {
    for text in [r#"{\"a\":1}"#, "I'd rather talk."] {
        for stop in ["end_turn", "tool_use"] {
            let members = format!(r#""subtype":"success","is_error":false,"stop_reason":"{stop}","result":"{text}""#);
            let reply = decode(0, &result(&members), "").unwrap();
            assert_eq!(reply.text, text.replace("\\\"", "\""));
            assert_eq!((reply.finish, reply.notes.len()), (Some(FinishReason::Stop), 1));
        }
    }
    let reply = decode(0, r#"{"type":"result","subtype":"success","is_error":false,"result":"","session_id":"s"}"#, "");
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish, reply.notes.len()), ("", Some(FinishReason::Stop), 0));
}

#[test]
fn a_structured_output_that_is_no_container_does_not_count() {
    for output in ["null", "\"{}\"", "7"] {
        let reply = decode(0, &result(&format!(r#"{SUCCESS},"structured_output":{output},"result":"x""#)), "").unwrap();
        assert_eq!((reply.text.as_str(), reply.notes.len()), ("x", 1));
    }
}

#[test]
fn without_a_schema_the_text_is_the_answer() {
    let claude = CliAdapter::claude();
    for (stop, finish) in [
        ("end_turn", FinishReason::Stop),
        ("max_tokens", FinishReason::TokenLimit),
        ("pause_turn", FinishReason::Other("pause_turn".into())),
    ] {
        let members = format!(r#""subtype":"success","is_error":false,"stop_reason":"{stop}","result":"hello""#);
        let reply = claude.decode(&ask("x"), &ended(0, &result(&members), "")).unwrap();
        assert_eq!((reply.text.as_str(), reply.finish, reply.notes.len()), ("hello", Some(finish), 0));
    }
}

#[test]
fn a_refusal_is_one_though_the_subtype_says_success() {
    let members = r#""subtype":"success","is_error":true,"stop_reason":"refusal","terminal_reason":"api_error","api_error_status":null,"result":"API Error: I can't help with that.""#;
    let reply = decode(1, &result(members), "").unwrap();
    assert_eq!(reply.finish, Some(FinishReason::Refusal));
    assert_eq!((reply.refusal.as_deref(), reply.text.as_str()), (Some("I can't help with that."), ""));
}

#[test]
fn cut_and_exhausted_answers_are_incomplete() {
    let limit = r#""subtype":"success","is_error":true,"stop_reason":"stop_sequence","api_error":"max_output_tokens","result":"API Error: exceeded""#;
    let in_call = r#""subtype":"error_max_structured_output_retries","is_error":true,"stop_reason":"max_tokens","errors":["Failed"]"#;
    for members in [limit, in_call] {
        assert_eq!(decode(1, &result(members), "").unwrap().finish, Some(FinishReason::TokenLimit));
    }
    let lost = r#""subtype":"success","is_error":true,"stop_reason":"stop_sequence","api_error":"connection_failed","result":"API Error: Connection lost mid-response.""#;
    assert_eq!(decode(1, &result(lost), "").unwrap().finish, None);
    let exhausted = r#""subtype":"error_max_structured_output_retries","is_error":true,"stop_reason":"tool_use","errors":["Failed after 5 attempts: /a: must be integer"]"#;
    let reply = decode(1, &result(exhausted), "").unwrap();
    assert_eq!(reply.finish, Some(FinishReason::Other("error_max_structured_output_retries".into())));
    assert!(reply.notes[0].contains("/a: must be integer"));
}

#[test]
fn api_errors_keep_their_status_and_kind() {
    use ProviderErrorKind as Kind;
    for (status, api_type, kind, retryable) in [
        ("400", "invalid_request_error", Kind::InvalidRequest, false),
        ("401", "authentication_error", Kind::Authentication, false),
        ("403", "permission_error", Kind::Permission, false),
        ("404", "not_found_error", Kind::NotFound, false),
        ("413", "request_too_large", Kind::PromptTooLong, false),
        ("429", "rate_limit_error", Kind::RateLimited, true),
        ("500", "api_error", Kind::Server, true),
        ("504", "timeout_error", Kind::Timeout, true),
        ("529", "overloaded_error", Kind::Overloaded, true),
        ("null", "overloaded_error", Kind::Overloaded, true),
        ("null", "", Kind::Server, true),
    ] {
        let members = format!(
            r#""subtype":"success","is_error":true,"stop_reason":"stop_sequence","api_error_status":{status},"api_error_type":"{api_type}","result":"API Error: {status} why""#
        );
        let fault = decode(1, &result(&members), "").unwrap_err();
        let AdapterFault::Provider(error) = &fault else { panic!("{fault}") };
        assert_eq!(error.is_retryable(), retryable, "{status}");
        assert_eq!(provider(fault.clone()), (kind, status.parse().ok(), format!("API Error: {status} why")));
    }
}

#[test]
fn what_a_400_is_about_shows_in_its_text() {
    for (text, kind) in [
        ("API Error: 400 prompt is too long: 9 tokens", ProviderErrorKind::PromptTooLong),
        ("API Error: 400 tools.0.input_schema: invalid", ProviderErrorKind::SchemaRejected),
    ] {
        let members = format!(r#""subtype":"success","is_error":true,"api_error_status":400,"result":"{text}""#);
        assert_eq!(provider(decode(1, &result(&members), "").unwrap_err()).0, kind);
    }
}

#[test]
fn the_programs_own_limits_are_named() {
    for (subtype, kind) in [
        ("error_max_turns", ProviderErrorKind::Other),
        ("error_during_execution", ProviderErrorKind::Other),
        ("error_max_budget_usd", ProviderErrorKind::QuotaExceeded),
        ("error_of_tomorrow", ProviderErrorKind::Other),
    ] {
        let bare = format!(r#"{{"type":"result","subtype":"{subtype}","is_error":true,"session_id":"s"}}"#);
        let told = format!(r#"{{"type":"result","subtype":"{subtype}","errors":["one","two"]}}"#);
        for (stdout, message) in [(bare, subtype.to_owned()), (told, format!("{subtype}: one; two"))] {
            assert_eq!(provider(decode(1, &stdout, "").unwrap_err()), (kind, None, message));
        }
    }
}

#[test]
fn a_missing_login_is_an_authentication_error() {
    let said = r#""subtype":"success","is_error":true,"result":"Not logged in · Please run /login""#;
    assert_eq!(provider(decode(1, &result(said), "").unwrap_err()).0, ProviderErrorKind::Authentication);
    let (kind, _, message) = provider(decode(1, "Invalid API key\n", "boom").unwrap_err());
    assert_eq!(kind, ProviderErrorKind::Authentication);
    assert!(message.contains("Invalid API key") && message.contains("boom"), "{message}");
}

#[test]
fn a_schema_that_the_program_refuses_is_rejected() {
    for stderr in
        ["Error: --json-schema is not valid JSON: why", "Error: --json-schema is not a valid JSON Schema: why"]
    {
        let (kind, _, message) = provider(decode(1, "", stderr).unwrap_err());
        assert_eq!(kind, ProviderErrorKind::SchemaRejected);
        assert!(message.contains("why"));
    }
}

#[test]
fn an_old_version_is_told_to_be_updated() {
    let fault = decode(1, "", "error: unknown option '--json-schema={}'").unwrap_err();
    assert!(matches!(&fault, AdapterFault::Configuration { .. }) && fault.to_string().contains("update it"), "{fault}");
}

#[test]
fn output_without_a_result_is_malformed() {
    let whole = result(&format!(r#"{SUCCESS},"structured_output":{{}}"#));
    for (status, stdout, stderr) in [
        (0, "", ""),
        (0, "my whole secret answer", ""),
        (0, &whole[..whole.len() - 1], ""),
        (0, r#"{"type":"assistant"}"#, ""),
        (1, "", "Segmentation fault"),
        (137, "", ""),
    ] {
        let fault = decode(status, stdout, stderr).unwrap_err();
        assert!(matches!(fault, AdapterFault::Malformed { status: Some(found), .. } if found == status), "{fault}");
        assert!(fault.to_string().contains(stderr) && !fault.to_string().contains("secret answer"), "{fault}");
    }
}

#[test]
fn a_success_that_exits_with_a_failure_is_none() {
    let stdout = result(&format!(r#"{SUCCESS},"structured_output":{{"a":1}}"#));
    assert!(matches!(decode(1, &stdout, ""), Err(AdapterFault::Malformed { status: Some(1), .. })));
}

#[test]
fn no_cut_output_is_an_answer() {
    let stdout = result(&format!(r#"{SUCCESS},"structured_output":{{"a":1}},"result":"{{}}""#));
    for end in 0..stdout.len() {
        assert!(decode(0, &stdout[..end], "").is_err(), "accepted {} bytes", end);
    }
}

#[test]
fn values_cannot_pass_for_flags_and_long_texts_go_in_files() {
    let request = Request {
        system: Some("--dangerously-skip-permissions $(id)\0".into()),
        model: Some("--model".into()),
        max_output_tokens: Some(99),
        ..typed(SCHEMA, Mode::Native)
    };
    let process = process(&CliAdapter::claude().model("never"), &request);
    assert_eq!(
        arguments(&process),
        [
            "-p",
            "--no-session-persistence",
            "--strict-mcp-config",
            "--tools",
            "",
            "--output-format=json",
            "--model=--model",
            &format!("--json-schema={SCHEMA}"),
            "--system-prompt-file=<0>",
        ]
    );
    assert_eq!(process.files, ["--dangerously-skip-permissions $(id)\0"]);
    assert_eq!(process.stdin, "Ada is 36.");
    let names: Vec<_> = process.environment.iter().map(|(name, _)| name.to_str().unwrap()).collect();
    assert!(names.contains(&"CLAUDE_CODE_DISABLE_ATTACHMENTS") && names.contains(&"CLAUDE_CODE_MAX_OUTPUT_TOKENS"));
}

#[test]
fn nothing_asked_for_is_nothing_sent() {
    for request in [ask("x"), typed(SCHEMA, Mode::Prompted)] {
        let process = process(&CliAdapter::claude(), &request);
        let arguments = arguments(&process);
        let absent = ["--json-schema", "--model", "--system-prompt-file"];
        assert!(!arguments.iter().any(|argument| absent.iter().any(|flag| argument.starts_with(flag))));
        assert!(process.files.is_empty());
    }
}

/// Feeds lines to a decoder. Events as text, `Done` as `done`.
fn stream(request: &Request, lines: &[String]) -> Result<(Vec<String>, Reply), AdapterFault> {
    let mut decoder = CliAdapter::claude().decoder(request);
    let mut events = Vec::new();
    for line in lines {
        decoder.event(&StreamEvent { name: None, data: line }, &mut events)?;
    }
    let shown = events.iter().map(|event| if matches!(event, Event::Done(_)) { "done" } else { "?" }.to_owned());
    Ok((shown.collect(), decoder.finish()))
}

#[test]
fn a_stream_ends_in_its_result_line() {
    let last = result(&format!(r#"{SUCCESS},"structured_output":{{"a":2}}"#));
    let mut lines =
        ["a notice", r#"{"type":"system","subtype":"init"}"#, r#"{"type":"assistant"}"#, &last].map(str::to_owned);
    let request = typed(SCHEMA, Mode::Native);
    let (events, reply) = stream(&request, &lines).unwrap();
    assert!(events.is_empty());
    assert_eq!((reply.text.as_str(), reply.finish), (r#"{"a":2}"#, Some(FinishReason::Stop)));

    lines[3].truncate(last.len() - 1);
    assert_eq!(stream(&request, &lines).unwrap().1.finish, None, "without its result a stream is cut");
}

#[test]
fn a_stream_tells_refusals_and_errors_at_once() {
    let request = typed(SCHEMA, Mode::Native);
    let refused = result(r#""subtype":"success","is_error":true,"stop_reason":"refusal","result":"no""#);
    let (events, reply) = stream(&request, &[refused]).unwrap();
    assert_eq!((events, reply.finish), (vec!["done".to_owned()], Some(FinishReason::Refusal)));
    let failed = result(r#""subtype":"success","is_error":true,"api_error_status":429,"result":"slow down""#);
    let fault = stream(&request, &[failed]).err().unwrap();
    assert_eq!(provider(fault), (ProviderErrorKind::RateLimited, Some(429), "slow down".into()));
}

#[test]
fn a_streamed_request_asks_for_lines() {
    let request = Request { stream: true, ..ask("x") };
    let arguments = arguments(&process(&CliAdapter::claude(), &request));
    for flag in ["--output-format=stream-json", "--verbose"] {
        assert!(arguments.iter().any(|argument| argument == flag), "{flag}");
    }
}

#[test]
fn a_setting_without_a_flag_is_noted() {
    let request = Request { temperature: Some(0.0), ..typed(SCHEMA, Mode::Native) };
    let stdout = result(&format!(r#"{SUCCESS},"structured_output":{{}}"#));
    let reply = CliAdapter::claude().decode(&request, &ended(0, &stdout, "")).unwrap();
    assert!(reply.notes[0].contains("temperature"), "{:?}", reply.notes);
}
