//! AWS's own Python library, botocore: it signs as we do, and reads the event streams that our tests compose as we do.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use geode::transport::{Frames, HeaderMap, WireStream};
use serde_json::{Value, json};

use crate::aws_messages::{CONTENT_TYPE, messages};
use crate::installed;

/// What `scripts/real/bedrock.py` answers: one line of JSON for each line of the input.
fn ask(python: &Path, command: &str, input: &[Value]) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/real/bedrock.py");
    let mut child = Command::new(python)
        .args([script.as_os_str(), command.as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let input: String = input.iter().map(|line| format!("{line}\n")).collect();
    child.stdin.take().expect("its input is piped").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the script failed");
    let lines = String::from_utf8(output.stdout).expect("it writes UTF-8");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test]
async fn botocore_reads_the_same_events() {
    let Some(python) = installed::python(&["botocore"]) else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire/fixtures/bedrock_converse");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the fixtures") {
        let file = file.expect("a file").path();
        if file.extension().is_none_or(|extension| extension != "events") {
            continue;
        }
        let bytes = messages(&std::fs::read_to_string(&file).expect("text")).concat();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let theirs = ask(&python, "events", &[hex.into()]);

        let mut headers = HeaderMap::new();
        headers.insert("content-type", CONTENT_TYPE.parse().expect("a header's value"));
        let body = Box::pin(futures_util::stream::iter([Ok(bytes.into())]));
        let mut frames = Frames::new(WireStream { status: 200, headers, body }, 1 << 20);
        let mut ours = Vec::new();
        while let Some(frame) = frames.next().await {
            let frame = frame.expect("it can be read");
            let mut data: Value = serde_json::from_str(&frame.data).expect("JSON");
            // Padding, which is no member of the service's model; and what botocore leaves out of an exception.
            data.as_object_mut().expect("an object").retain(|name, _| name != "p" && !name.starts_with("original"));
            ours.push(json!({"name": frame.name, "data": data}));
        }
        assert_eq!(ours, theirs, "{}", file.display());
        count += ours.len();
    }
    assert!(count > 40, "only {count} events");
    println!("{count} events were read by botocore");
}

#[cfg(feature = "bedrock-sigv4")]
#[test]
fn botocore_signs_the_same() {
    use std::time::{Duration, SystemTime};

    use geode::adapter::bedrock::{self, AwsKeys};
    use geode::adapter::{Adapter, HttpAdapter};
    use geode::transport::WireRequest;
    use secrecy::ExposeSecret;

    let Some(python) = installed::python(&["botocore"]) else { return };
    let keys = || AwsKeys::new("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
    let adapters: [HttpAdapter<bedrock::Converse>; 3] = [
        bedrock::converse_signed("eu-central-1", keys),
        bedrock::converse_signed("us-east-1", move || keys().session_token("FwoGZXIvYXdzEXAMPLE//token=="))
            .model("arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-5-5-v1:0"),
        bedrock::converse_signed("us-west-2", keys).base_url("http://127.0.0.1:8080/proxy").header("x-team", "a  b"),
    ];
    let (mut cases, mut ours) = (Vec::new(), Vec::new());
    for (adapter, seconds) in adapters.iter().flat_map(|adapter| [(adapter, 1_440_938_160), (adapter, 1_796_083_200)]) {
        for stream in [false, true] {
            let Ok(WireRequest::Http(http)) = adapter.encode(&crate::request(adapter, stream)) else {
                panic!("no HTTP")
            };
            let signer = http.signer.as_ref().expect("it is signed");
            let now = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            let signed = signer.sign(&http, now).expect("it can be signed");
            let signed: Value =
                signed.iter().map(|(name, value)| (name.to_string(), Value::from(value.expose_secret()))).collect();
            let headers: Value =
                http.headers.iter().map(|(name, value)| (name.to_string(), Value::from(&**value))).collect();
            let body = String::from_utf8(http.body.to_vec()).expect("JSON is UTF-8");
            let token = signed.get("x-amz-security-token").cloned();
            cases.push(json!({"url": http.url, "headers": headers, "body": body, "seconds": seconds, "token": token}));
            ours.push(signed);
        }
    }
    assert_eq!(ask(&python, "sign", &cases), ours);
    println!("{} signatures are botocore's", ours.len());
}
