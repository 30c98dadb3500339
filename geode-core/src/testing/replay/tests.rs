use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use secrecy::SecretString;

use super::cassette::RecordedReply;
use super::*;
use crate::transport::{Frames, HeaderMap, HttpMethod, HttpRequest};

/// Answers every request with a counted body, streamed ones in three pieces.
struct Counting(AtomicUsize);

impl Transport for Counting {
    fn send<'a>(&'a self, _: WireRequest, _: ExchangeLimits) -> Answer<'a, WireReply> {
        let n = self.0.fetch_add(1, Ordering::Relaxed);
        let body = format!(r#"{{"n":{n},"account":"acct-secret"}}"#).into();
        let mut headers = HeaderMap::new();
        headers.insert("content-type", "application/json".parse().unwrap());
        headers.insert("set-cookie", "c".parse().unwrap());
        Box::pin(async move { Ok(WireReply { status: 200, headers, body, stderr: Bytes::new() }) })
    }

    fn stream<'a>(&'a self, _: WireRequest, _: ExchangeLimits) -> Answer<'a, WireStream> {
        let pieces = ["data: caf\u{e9}".as_bytes().to_vec(), b" secret\n".to_vec(), b"\n".to_vec()];
        // Cut inside the two bytes of the é.
        let (first, second) = pieces[0].split_at(10);
        let chunks = [first.to_vec(), second.to_vec(), pieces[1].clone(), pieces[2].clone()];
        let body = futures_util::stream::iter(chunks.map(|chunk| Ok(Bytes::from(chunk))));
        Box::pin(async move { Ok(WireStream { status: 200, headers: HeaderMap::new(), body: Box::pin(body) }) })
    }
}

fn limits() -> ExchangeLimits {
    ExchangeLimits { timeout: Duration::from_secs(5), idle: Duration::from_secs(5), max_bytes: 1 << 20 }
}

fn request(model: &str) -> WireRequest {
    WireRequest::Http(HttpRequest {
        method: HttpMethod::Post,
        url: "http://127.0.0.1:1/v1/responses".to_owned(),
        headers: vec![("content-type".into(), "application/json".into())],
        secret_headers: vec![("authorization".into(), SecretString::from("Bearer sk-very-secret"))],
        signer: None,
        body: format!(r#"{{"model":"{model}","metadata":{{"user_id":"u-7"}},"input":"classify secret"}}"#).into(),
    })
}

fn redaction() -> Redaction {
    Redaction::default().pointer("/metadata/user_id").pointer("/account").text("secret")
}

#[tokio::test]
async fn what_was_recorded_is_replayed_and_holds_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette.json");
    let recorder = Recorder::new(Counting(AtomicUsize::new(0)), redaction());
    let first = recorder.send(request("m"), limits()).await.unwrap();
    let streamed: Vec<_> = recorder.stream(request("m"), limits()).await.unwrap().body.collect().await;
    recorder.save(&path).unwrap();

    let file = fs_text(&path);
    for secret in ["sk-very", "u-7", "acct", "set-cookie", "secret"] {
        assert!(!file.contains(secret), "{secret} was kept:\n{file}");
    }

    let replayer = Replayer::open(&path, redaction()).unwrap();
    let again = replayer.send(request("m"), limits()).await.unwrap();
    assert_eq!((again.status, first.status), (200, 200));
    assert!(again.body.starts_with(b"{\"account\":\"redacted\",\"n\":0"));
    let chunks: Vec<_> = replayer.stream(request("m"), limits()).await.unwrap().body.collect().await;
    let sizes = |chunks: &[Result<Bytes, TransportError>]| -> Vec<usize> {
        chunks.iter().map(|chunk| chunk.as_ref().unwrap().len()).collect()
    };
    assert_eq!(sizes(&chunks), sizes(&streamed), "chunks keep their cuts");
    assert_eq!(replayer.remaining(), 0);
}

/// AWS's event stream has checksums, which would not fit what is masked.
#[tokio::test]
async fn a_binary_stream_is_masked_and_can_still_be_read() {
    let payload = br#"{"delta":{"text":"a secret, twice: secret"}}"#;
    let headers = b"\x0d:message-type\x07\x00\x05event\x0b:event-type\x07\x00\x11contentBlockDelta";
    let mut message = [16 + headers.len() + payload.len(), headers.len()]
        .map(|length| u32::try_from(length).unwrap().to_be_bytes())
        .concat();
    message.extend(crc32fast::hash(&message).to_be_bytes());
    message.extend([&headers[..], payload].concat());
    message.extend(crc32fast::hash(&message).to_be_bytes());
    let chunks = message.repeat(2).chunks(50).map(Bytes::copy_from_slice).collect::<Vec<_>>();

    let mut head = HeaderMap::new();
    head.insert("content-type", "application/vnd.amazon.eventstream".parse().unwrap());
    let recorded = RecordedReply::head(200, &head).with_chunks(&chunks, &redaction());
    let kept = serde_json::to_string(&recorded).unwrap();
    let hex: String = b"secret".iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!kept.contains(&hex) && !kept.contains("secret"), "{kept}");

    let body = futures_util::stream::iter(recorded.chunks().into_iter().map(Ok));
    let frames = Frames::new(WireStream { status: 200, headers: head, body: Box::pin(body) }, 1_000);
    let data: Vec<String> = frames.map(|frame| frame.unwrap().data).collect().await;
    assert_eq!(data, [r#"{"delta":{"text":"a ******, twice: ******"}}"#; 2]);
}

/// Answers with one stream, cut as it is given.
struct Streaming(Vec<Vec<u8>>);

impl Transport for Streaming {
    fn send<'a>(&'a self, _: WireRequest, _: ExchangeLimits) -> Answer<'a, WireReply> {
        unreachable!("this streams")
    }

    fn stream<'a>(&'a self, _: WireRequest, _: ExchangeLimits) -> Answer<'a, WireStream> {
        let chunks: Vec<_> = self.0.iter().cloned().map(|chunk| Ok(Bytes::from(chunk))).collect();
        let body = Box::pin(futures_util::stream::iter(chunks));
        Box::pin(async move { Ok(WireStream { status: 200, headers: HeaderMap::new(), body }) })
    }
}

#[tokio::test]
async fn fields_are_removed_from_the_events_of_a_stream_and_from_urls() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette.json");
    let whole = b"event: a\ndata: {\"account\":\"acct-9\",\"n\":1}\n\ndata: {\"n\":2}\n\n{\"account\":\"acct-9\"}";
    let asked = || {
        let WireRequest::Http(mut http) = request("m") else { unreachable!("it speaks HTTP") };
        http.url += "?key=sk-in-url&alt=sse&X-Amz-Signature=abc";
        http.headers.push(("x-goog-api-key".into(), "sk-in-header".into()));
        WireRequest::Http(http)
    };
    // However it is cut.
    for size in 1..whole.len() {
        let chunks: Vec<Vec<u8>> = whole.chunks(size).map(<[u8]>::to_vec).collect();
        let recorder = Recorder::new(Streaming(chunks.clone()), redaction());
        let _: Vec<_> = recorder.stream(asked(), limits()).await.unwrap().body.collect().await;
        recorder.save(&path).unwrap();
        let file = fs_text(&path);
        for secret in ["acct-9", "sk-in-url", "sk-in-header", "abc"] {
            assert!(!file.contains(secret), "{secret} was kept:\n{file}");
        }
        assert!(file.contains("/v1/responses?key=redacted&alt=sse&X-Amz-Signature=redacted"), "{file}");
        let replayed = Replayer::open(&path, redaction()).unwrap().stream(asked(), limits()).await.unwrap();
        let replayed: Vec<Bytes> = replayed.body.map(|chunk| chunk.unwrap()).collect().await;
        assert_eq!(replayed.len(), chunks.len());
        let expected =
            b"event: a\ndata: {\"account\":\"redacted\",\"n\":1}\n\ndata: {\"n\":2}\n\n{\"account\":\"redacted\"}";
        assert_eq!(replayed.concat(), expected);
        // What was not changed is cut as it was.
        assert_eq!(replayed[0].len().min(9), chunks[0].len().min(9));
    }
}

#[tokio::test]
async fn a_changed_request_fails_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette.json");
    let recorder = Recorder::new(Counting(AtomicUsize::new(0)), redaction());
    recorder.send(request("old"), limits()).await.unwrap();
    recorder.save(&path).unwrap();

    let replayer = Replayer::open(&path, redaction()).unwrap();
    let error = replayer.send(request("new"), limits()).await.err().unwrap();
    assert!(error.message.contains(r#"/body/json/model: "old" became "new""#), "{error}");
    let error = replayer.send(request("old"), limits()).await.err().unwrap();
    assert!(error.message.contains("holds 1 exchanges"), "{error}");
}

#[test]
fn a_file_that_is_no_cassette_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.json");
    std::fs::write(&path, "[]").unwrap();
    let error = Replayer::open(&path, Redaction::default()).err().unwrap();
    assert!(error.to_string().contains("broken.json"), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}

fn fs_text(path: &std::path::Path) -> String {
    std::fs::read_to_string(path).unwrap()
}
