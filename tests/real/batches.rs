//! The loopback batch engines that `tests/volume` asks, asked by the official SDKs: what they say is what the SDKs know.

#[allow(dead_code, reason = "faults are for the tests of our own client")]
#[path = "../volume/engine/mod.rs"]
mod engine;

use engine::{Engine, Wire};

use crate::installed;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sdks_take_a_batch_through_our_engines() {
    let Some(python) = installed::python(&["openai", "anthropic"]) else { return };
    for (wire, name) in [(Wire::OpenAi, "openai"), (Wire::Anthropic, "anthropic")] {
        let engine = Engine::start(wire, 4).await;
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/real/batches.py");
        let mut command = std::process::Command::new(&python);
        command.args([script, name, &engine.url]);
        let output =
            tokio::task::spawn_blocking(move || command.output()).await.expect("it runs").expect("Python starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {said}{}", String::from_utf8_lossy(&output.stderr));
        println!("{name}: {}", said.trim());
    }
}
