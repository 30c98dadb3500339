//! Programs of providers that flood, hang, or print what is no text.

use std::time::{Duration, Instant};

use geode::adapter::CliAdapter;
use geode::client::{Client, RetryPolicy};

use crate::{FAST, Order};

/// What the program does, as a shell sees it.
const SAYS: &[(&str, &str)] = &[
    ("nothing", ":"),
    ("a NUL", r#"printf '{"type":"result\000"}\n'"#),
    ("NULs without end", "cat /dev/zero"),
    ("lines without end", "yes"),
    ("a line without end", r#"printf '{"type":"'; yes | tr -d '\n'"#),
    ("JSON lines without end", r#"yes '{"type":"system"}'"#),
    ("no UTF-8", r#"printf '{"type":"result","result":"\377\376"}\n'"#),
    (
        "no UTF-8 in an answer",
        r#"printf '{"type":"item.completed","item":{"type":"agent_message","text":"\300\200"}}\n'"#,
    ),
    ("100,000 levels", "yes [ | head -n 100000 | tr -d '\\n'; echo"),
    ("objects, 100,000 deep", r#"yes '{"type":' | head -n 100000 | tr -d '\n'; echo"#),
    ("a byte order mark alone", r"printf '\357\273\277\n'"),
    ("a complaint without end, and no answer", "yes complaint | head -c 50000000 >&2; exit 1"),
    ("an answer and a failure", r#"printf '{"type":"result","subtype":"success","result":"{}"}\n'; exit 3"#),
    ("silence", "sleep 60"),
    ("a drip", "while :; do printf .; sleep 0.02; done"),
    ("a drip of lines", "while :; do echo '{}'; sleep 0.02; done"),
    ("an end by a signal", "kill -9 $$"),
];

#[tokio::test]
async fn nothing_that_a_program_prints_is_more_than_a_failure() {
    for (what, says) in SAYS {
        for adapter in [CliAdapter::claude(), CliAdapter::codex()] {
            let adapter = adapter
                .program(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/program.sh"))
                .environment("SAYS", *says);
            // What hangs is given up soon; what floods is stopped by its size long before that.
            let hangs = what.contains("silence") || what.contains("drip");
            let timeout = if hangs { Duration::from_millis(300) } else { FAST };
            let client = Client::builder(adapter)
                .retry(RetryPolicy::none())
                .timeout(timeout)
                .max_answer_bytes(2_000_000)
                .build();
            let start = Instant::now();
            let whole = client.call::<Order>("?").await.expect_err(what);
            let streamed = client.stream::<Order>("?").finish().await.expect_err(what);
            assert!(start.elapsed() < FAST, "{what} took {:?}", start.elapsed());
            for error in [whole, streamed] {
                let mut said = error.to_string();
                let mut cause = std::error::Error::source(&error);
                while let Some(error) = cause {
                    said += &error.to_string();
                    cause = error.source();
                }
                assert!(!said.is_empty() && said.len() < 5_000, "{what}: {} bytes of complaint", said.len());
            }
        }
    }
}
