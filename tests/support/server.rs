//! A server that answers from a script, records what it was asked, and controls each piece of a body.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use futures_util::StreamExt;

/// One answer of the script.
#[derive(Clone, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) pieces: Vec<Piece>,
}

/// One piece of a body.
#[derive(Clone)]
pub(crate) enum Piece {
    Bytes(Bytes),
    /// Says nothing more, and keeps the connection open.
    Hang,
    /// Breaks the connection.
    Break,
}

/// What the server was asked.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
    /// The other end of the connection.
    pub(crate) peer: SocketAddr,
}

/// Serves until it is dropped, and then fails the test if the script did not fit.
pub(crate) struct Server {
    pub(crate) url: String,
    shared: Arc<Shared>,
    serving: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    script: Mutex<VecDeque<Answer>>,
    asked: Mutex<Vec<Asked>>,
    unscripted: Mutex<usize>,
}

impl Answer {
    pub(crate) fn json(status: u16, body: impl Into<Bytes>) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Answer { status, headers, pieces: vec![Piece::Bytes(body.into())] }
    }

    pub(crate) fn events(pieces: impl IntoIterator<Item = Bytes>) -> Self {
        let headers = vec![("content-type".to_owned(), "text/event-stream; charset=utf-8".to_owned())];
        Answer { status: 200, headers, pieces: pieces.into_iter().map(Piece::Bytes).collect() }
    }
}

impl Server {
    pub(crate) async fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        let shared = Arc::new(Shared { script: Mutex::new(script.into_iter().collect()), ..Shared::default() });
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = axum::Router::new().fallback(answer).with_state(Arc::clone(&shared));
        let router = router.into_make_service_with_connect_info::<SocketAddr>();
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Server { url, shared, serving }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || !self.serving.is_finished(), "the server ended early");
        self.serving.abort();
        if !std::thread::panicking() {
            assert_eq!(*self.shared.unscripted.lock().unwrap(), 0, "the server was asked more often than scripted");
        }
    }
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let asked = Asked {
        path: head.uri.to_string(),
        headers: head.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
        peer,
    };
    shared.asked.lock().unwrap().push(asked);
    let Some(answer) = shared.script.lock().unwrap().pop_front() else {
        *shared.unscripted.lock().unwrap() += 1;
        return Response::builder().status(StatusCode::IM_A_TEAPOT).body(Body::empty()).unwrap();
    };
    let mut response = Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        response = response.header(name, value);
    }
    if let [Piece::Bytes(bytes)] = answer.pieces.as_slice() {
        return response.body(Body::from(bytes.clone())).unwrap();
    }
    let broken = answer.pieces.iter().any(|piece| matches!(piece, Piece::Break));
    let pieces = futures_util::stream::iter(answer.pieces).then(|piece| async move {
        match piece {
            Piece::Bytes(bytes) => {
                // Lets the connection write each piece by itself.
                tokio::task::yield_now().await;
                Ok(bytes)
            }
            Piece::Hang => std::future::pending::<Result<Bytes, std::io::Error>>().await,
            Piece::Break => Err(std::io::Error::other("broken on purpose")),
        }
    });
    let body = match broken {
        true => Body::from_stream(pieces),
        false => Body::from_stream(pieces.map(|piece| Ok::<_, Infallible>(piece.unwrap()))),
    };
    response.body(body).unwrap()
}
