//! Tool mode: the answer is handed in by the internal tool.

use geode::agent::{AgentEvent, Budget};
use geode::message::{Message, ToolChoice};
use geode::outcome::Outcome;
use geode::request::Mode;
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use serde_json::{Value, json};

use super::*;

const OUTPUT: &str = "__structured_output__";

fn answer() -> Value {
    json!({"refund": true, "reason": "in time"})
}

#[tokio::test]
async fn the_answer_is_the_arguments_of_the_internal_tool() {
    let mut handed_in = calls([(OUTPUT, answer())]);
    handed_in.tool_uses[0].input = "{ \"refund\" : true,\n \"reason\" : \"in time\" }".to_owned();
    let model = ScriptedAdapter::replies([calls([("search", json!({"text": "a"}))]), handed_in]);
    let mut session = agent(&model).0.mode(Mode::Tool).session();
    assert_eq!(session.run::<Verdict>("go").await.unwrap().value, verdict());
    for request in model.requests() {
        // The schema is the tool's, and goes nowhere else.
        assert_eq!(names(&request), ["search", "fails", OUTPUT]);
        assert_eq!(request.tool_choice, ToolChoice::Auto);
        let schema: Value = serde_json::from_str(request.tools[2].input_schema.get()).unwrap();
        assert_eq!(schema["required"], json!(["refund", "reason"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert!(request.output.is_none_or(|output| output.mode == Mode::Tool));
    }
    // The final message is the validated answer, compacted.
    assert_eq!(session.history().last(), Some(&Message::assistant(VERDICT)));
    assert_eq!(session.history().len(), 4);
}

#[tokio::test]
async fn an_invalid_answer_is_a_tool_error_with_every_violation() {
    let model = ScriptedAdapter::replies([
        calls([(OUTPUT, json!({"refund": "yes", "reason": "", "execute_refund": true}))]),
        calls([(OUTPUT, answer())]),
    ]);
    let (agent, events) = agent(&model);
    let mut session = agent.mode(Mode::Tool).session();
    session.run::<Verdict>("go").await.unwrap();
    let result = &results(&session.history()[2])[0];
    assert!(result.is_error);
    let error: Value = serde_json::from_str(text_of(result)).unwrap();
    let pointers: Vec<&str> =
        error["context"].as_array().unwrap().iter().map(|one| one["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers.len(), 3, "{error}");
    for pointer in ["/refund", "/reason", "/execute_refund"] {
        assert!(pointers.contains(&pointer), "{pointers:?} lacks {pointer}");
    }
    assert_eq!(events.count(|event| *event == AgentEvent::AnswerRejected { violations: 3 }), 1);
    // It is no reminder: those are for plain text.
    assert!(model.requests().iter().all(|request| reminders(request).is_empty()));
}

#[tokio::test]
async fn an_answer_beside_other_calls_is_rejected_and_the_others_run() {
    let model = ScriptedAdapter::replies([
        calls([(OUTPUT, answer()), ("search", json!({"text": "a"}))]),
        calls([(OUTPUT, answer()), (OUTPUT, answer())]),
        calls([(OUTPUT, answer())]),
    ]);
    let (agent, events) = agent(&model);
    let mut session = agent.mode(Mode::Tool).session();
    session.run::<Verdict>("go").await.unwrap();
    assert_eq!(events.count(|event| *event == AgentEvent::AnswerRejected { violations: 0 }), 2);
    let beside = results(&session.history()[2]);
    assert_eq!((beside[0].is_error, beside[1].is_error), (true, false));
    assert!(text_of(&beside[0]).contains("must be the only call"));
    assert_eq!(text_of(&beside[1]), r#""found a""#);
    assert!(results(&session.history()[4]).iter().all(|result| result.is_error));
}

#[tokio::test]
async fn plain_text_is_answered_by_two_reminders_that_leave_no_trace_and_then_the_run_fails() {
    let model = ScriptedAdapter::replies([text("It is due."), calls([("search", json!({"text": "a"}))]), text("Yes.")]);
    let (agent, events) = agent(&model);
    let mut session = agent.mode(Mode::Tool).session();
    let error = session.run::<Verdict>("go").await.unwrap_err();
    assert_eq!(error.outcome(), Some(Outcome::StructuredOutputFailed));
    // A turn with tools in between uses up no reminder.
    let reminded: Vec<usize> = model.requests().iter().map(|request| reminders(request).len()).collect();
    assert_eq!(reminded, [0, 1, 0, 1]);
    assert_eq!(events.count(|event| matches!(event, AgentEvent::Reminded { .. })), 2);
    let saved = serde_json::to_string(session.history()).unwrap();
    assert!(!saved.contains("reminder") && !saved.contains(OUTPUT), "{saved}");
    assert_eq!(session.history().len(), 3);
}

#[tokio::test]
async fn a_reminded_model_may_still_hand_in() {
    let model = ScriptedAdapter::replies([text("It is due."), text("Really."), calls([(OUTPUT, answer())])]);
    let answer = agent(&model).0.mode(Mode::Tool).run::<Verdict>("go").await.unwrap();
    assert_eq!(answer.value, verdict());
    let second = &model.requests()[1].messages;
    assert_eq!(second[1], Message::assistant("It is due."));
}

#[tokio::test]
async fn in_the_wrap_up_the_answer_is_all_that_can_be_called() {
    let budget = Budget::default().rounds(1);
    let model = ScriptedAdapter::replies([calls([(OUTPUT, answer())])]);
    agent(&model).0.mode(Mode::Tool).budget(budget).run::<Verdict>("go").await.unwrap();
    assert_eq!(model.requests()[0].tool_choice, ToolChoice::Named(OUTPUT.to_owned()));

    // Where no call can be forced, nothing else is on offer.
    let model = ScriptedAdapter::replies([calls([(OUTPUT, answer())])])
        .capabilities_with(|able| able.forced_tool_choice = false);
    agent(&model).0.mode(Mode::Tool).budget(budget).run::<Verdict>("go").await.unwrap();
    let request = &model.requests()[0];
    assert_eq!((names(request), &request.tool_choice), (vec![OUTPUT], &ToolChoice::Auto));
}

#[tokio::test]
async fn a_forked_run_answers_in_plain_text() {
    let model = ScriptedAdapter::new(|request| {
        Ok(if names(request).contains(&OUTPUT) { calls([(OUTPUT, answer())]) } else { text("The child's answer.") })
    });
    // Whether the parent owes a value of a type or one of the agent's own schema.
    let schema = json!({"type": "object", "properties": {"refund": {"type": "boolean"}, "reason": {"type": "string"}}});
    let mut session = agent(&model).0.mode(Mode::Tool).response_schema((&schema).try_into().unwrap()).session();
    session.run::<Verdict>("go").await.unwrap();
    let before = session.history().to_vec();
    let child = session.fork().run("Sum it up.").await.unwrap();
    assert_eq!(child.value, "The child's answer.");
    assert_eq!(session.history(), before);
    assert_eq!(session.run_value("And now?").await.unwrap().value, answer());
    let forked = &model.requests()[1];
    assert_eq!(names(forked), ["search", "fails"]);
    assert_eq!(forked.messages.len(), 3);
}

#[tokio::test]
async fn a_model_that_never_mends_its_answer_runs_out_of_rounds() {
    let model = ScriptedAdapter::replies([calls([(OUTPUT, json!({}))])]);
    let agent = agent(&model).0.mode(Mode::Tool).budget(Budget::default().rounds(4));
    assert!(agent.run::<Verdict>("go").await.unwrap_err().is_out_of_rounds());
    assert_eq!(model.requests().len(), 4);
}
