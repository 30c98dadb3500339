//! A provider on this machine that answers every request with the same completion.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;

/// The whole answer, laid out as OpenAI's Chat Completions answers.
pub(crate) const COMPLETION: &str = concat!(
    r#"{"id":"chatcmpl-CkT0Yw3V9rZbQ1","object":"chat.completion","created":1796000000,"model":"gpt-4o-2024-08-06","#,
    r#""choices":[{"index":0,"message":{"role":"assistant","content":"#,
    r#""{\"ticket_id\":\"TCK-004217\",\"category\":\"billing\",\"confidence\":0.93,\"reason\":\"The customer was "#,
    r#"charged twice and cannot export data.\",\"citations\":[\"taken the subscription twice\",\"each export ends in "#,
    r#"a timeout\"],\"language\":\"en\",\"needs_human\":true,\"priority\":2}","#,
    r#""refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"#,
    r#""usage":{"prompt_tokens":231,"completion_tokens":79,"total_tokens":310,"#,
    r#""prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"#,
    r#""completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"#,
    r#""rejected_prediction_tokens":0}},"service_tier":"default","system_fingerprint":"fp_81c2a6e0d4"}"#,
);

/// Starts the server on a thread of its own. It ends with the program.
pub(crate) fn start() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a socket that doesn't block");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(serve(listener));
    });
    address
}

async fn serve(listener: TcpListener) {
    let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
    loop {
        let (socket, _) = listener.accept().await.expect("a connection");
        socket.set_nodelay(true).expect("a TCP socket");
        // A client that goes away is no fault of the server's.
        tokio::spawn(async move {
            http1::Builder::new().serve_connection(TokioIo::new(socket), service_fn(answer)).await.ok();
        });
    }
}

async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    request.into_body().collect().await.expect("a body");
    let response = Response::builder()
        .header("content-type", "application/json")
        .header("x-request-id", "req_5f1c9d")
        .header("x-ratelimit-remaining-requests", "9999")
        .header("openai-processing-ms", "12")
        .body(Full::new(Bytes::from_static(COMPLETION.as_bytes())))
        .expect("a response");
    Ok(response)
}
