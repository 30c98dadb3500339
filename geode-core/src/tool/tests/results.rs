//! What comes back: images, and results that are too long for the conversation.

use super::*;

#[tokio::test]
async fn images_go_as_images() {
    let tool = RawTool::new("shot", "A screenshot.", json!({"type": "object"}), |_, _| async {
        Ok::<_, ToolError>(Image::from_base64("image/png", "iVBORw0KGgo="))
    });
    let tools = ToolSet::new().with_raw(tool.unwrap().tier(Tier::Safe)).plan(&PLAIN).unwrap();
    let done = Execution::new(&tools).run(&[call("a", "shot", "{}")]).await;
    assert!(matches!(&done[0].result.content[..], [Part::Image { media_type, .. }] if media_type == "image/png"));
}

fn long_text() -> String {
    (0..5_000).map(|n| format!("row {n} ä\n")).collect()
}

fn long(name: &str) -> RawTool {
    let tool = RawTool::new(name, "Much text.", json!({"type": "object"}), |_, _| async {
        Ok::<_, ToolError>(Content::text(long_text()))
    });
    tool.unwrap().tier(Tier::Safe)
}

#[tokio::test]
async fn a_long_result_is_offloaded_and_read_back_in_slices() {
    let store = Arc::new(ResultStore::temporary(300));
    assert!(!store.is_used());
    let reading = store::reading_tool(Arc::clone(&store)).unwrap();
    let tools = ToolSet::new().with_raw(long("rows")).with_raw(reading).plan(&PLAIN).unwrap();
    let execution = Execution::new(&tools).store(&store);
    let done = execution.run(&[call("a", "rows", "{}")]).await;
    let summary: Value = serde_json::from_str(text(&done[0])).unwrap();
    assert!(store.is_used());
    assert_eq!(done[0].offloaded.as_deref(), Some("result-1"));
    assert_eq!(summary["ref_id"], "result-1");
    assert_eq!(summary["characters"], long_text().chars().count());
    assert!(text(&done[0]).len() < 1_000);

    let (mut whole, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        let input = json!({"ref_id": "result-1", "offset": from, "characters": 100_000}).to_string();
        let slice = execution.run(&[call("b", READ_RESULT, &input)]).await;
        let slice: Value = serde_json::from_str(text(&slice[0])).unwrap();
        let part = slice["text"].as_str().unwrap();
        assert!(store::estimated_tokens(part) <= 300, "a slice is over the guard itself");
        whole.push_str(part);
        offset = slice["next_offset"].as_u64();
    }
    assert_eq!(whole, long_text());

    for ref_id in ["result-2", "../result-1", "result-", "/etc/passwd"] {
        let input = json!({"ref_id": ref_id, "offset": 0, "characters": 10}).to_string();
        let gone = execution.run(&[call("c", READ_RESULT, &input)]).await;
        assert_eq!(error(&gone[0])["error_type"], "not_found");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn stored_results_are_private_and_go_with_the_run_unless_kept() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let tools = ToolSet::new().with_raw(long("rows")).plan(&PLAIN).unwrap();

    let store = ResultStore::temporary(300);
    Execution::new(&tools).store(&store).run(&[call("a", "rows", "{}")]).await;
    let directory = store.directory().unwrap().unwrap();
    assert_eq!(mode(&directory), 0o700);
    assert_eq!(mode(&directory.join("result-1")), 0o600);
    drop(store);
    assert!(!directory.exists());

    let home = tempfile::tempdir().unwrap();
    let kept = home.path().join("results");
    let store = ResultStore::kept_in(&kept, 300).unwrap();
    Execution::new(&tools).store(&store).run(&[call("a", "rows", "{}")]).await;
    drop(store);
    assert_eq!(mode(&kept), 0o700);
    let later = ResultStore::kept_in(&kept, 300).unwrap();
    assert!(later.is_used());
    assert!(later.read("result-1", 0, 5).is_ok());
    let again = Execution::new(&tools).store(&later).run(&[call("a", "rows", "{}")]).await;
    assert_eq!(again[0].offloaded.as_deref(), Some("result-2"));
}

/// Only text is too long: an image beside it stays, and comes behind the summary.
#[tokio::test]
async fn images_beside_a_long_text_stay() {
    let tool = RawTool::new("shot", "A screenshot and its text.", json!({"type": "object"}), |_, _| async {
        let image = Part::Image { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() };
        Ok::<_, ToolError>(Content::parts([image, Part::Text { text: long_text() }]))
    });
    let tools = ToolSet::new().with_raw(tool.unwrap().tier(Tier::Safe)).plan(&PLAIN).unwrap();
    let store = ResultStore::temporary(300);
    let done = Execution::new(&tools).store(&store).run(&[call("a", "shot", "{}")]).await;
    let [Part::Text { text }, Part::Image { .. }] = &done[0].result.content[..] else { panic!("{:?}", done[0].result) };
    assert!(text.contains("result-1"));
}

/// Files that lie in the directory are nobody's to overwrite.
#[tokio::test]
async fn a_stored_result_never_replaces_another() {
    let home = tempfile::tempdir().unwrap();
    let tools = ToolSet::new().with_raw(long("rows")).plan(&PLAIN).unwrap();
    let (one, other) =
        (ResultStore::kept_in(home.path(), 300).unwrap(), ResultStore::kept_in(home.path(), 300).unwrap());
    for (store, expected) in [(&one, "result-1"), (&other, "result-2"), (&one, "result-3")] {
        let done = Execution::new(&tools).store(store).run(&[call("a", "rows", "{}")]).await;
        assert_eq!(done[0].offloaded.as_deref(), Some(expected));
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_result_that_cannot_be_stored_is_an_error_that_the_model_can_act_on() {
    let home = tempfile::tempdir().unwrap();
    let store = ResultStore::kept_in(home.path().join("results"), 300).unwrap();
    std::fs::remove_dir(home.path().join("results")).unwrap();
    let tools = ToolSet::new().with_raw(long("rows")).plan(&PLAIN).unwrap();
    let done = Execution::new(&tools).store(&store).run(&[call("a", "rows", "{}")]).await;
    assert_eq!(error(&done[0])["error_type"], "dependency");
    assert!(error(&done[0])["hint"].as_str().unwrap().contains("Ask for less"));
}
