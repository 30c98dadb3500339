//! TLS: a server whose certificate an authority of the test's own signed, trusted and not.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use geode::adapter::{Adapter, openai_chat};
use geode::message::ToolChoice;
use geode::request::Request;
use geode::transport::{HttpTransport, TransportErrorKind};
use rcgen::{BasicConstraints, CertificateParams, DistinguishedName, IsCa, Issuer, KeyPair};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use crate::exchange::{Fault, LIMITS, exchange, exchange_by, is_transport, line};
use crate::proxy::exchange_under;
use crate::requests::with_tool;
use crate::support::server::Server;

const COMPLETION: &str = r#"{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}"#;
const KEY: &str = "hush-hush";

/// An authority: its certificate, and what it signs with.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name = DistinguishedName::new();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = parameters.self_signed(&key).unwrap().pem();
        Authority { pem, issuer: Issuer::new(parameters, key) }
    }

    fn transport(&self) -> HttpTransport {
        HttpTransport::with_root_certificates(self.pem.as_bytes()).unwrap()
    }
}

/// What a server shows.
struct Shown {
    host: &'static str,
    /// Year in which the certificate ends.
    until: i32,
}

const GOOD: Shown = Shown { host: "localhost", until: 2050 };

/// A server that shows a certificate. Where it is asked for a way to another host, it opens what goes through.
struct TlsServer {
    port: u16,
    /// What each connection said once it was encrypted; `None` where the handshake failed.
    seen: Arc<Mutex<Vec<Option<String>>>>,
    serving: tokio::task::JoinHandle<()>,
}

impl TlsServer {
    async fn start(authority: &Authority, shown: Shown) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new([shown.host.to_owned()]).unwrap();
        parameters.not_after = rcgen::date_time_ymd(shown.until, 1, 1);
        let certificate = parameters.signed_by(&key, &authority.issuer).unwrap();
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], PrivatePkcs8KeyDer::from(key.serialize_der()).into())
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&seen);
        let serving = tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let said = converse(socket, &acceptor).await;
                record.lock().unwrap().push(said);
            }
        });
        TlsServer { port, seen, serving }
    }

    fn url(&self) -> String {
        format!("https://localhost:{}/v1", self.port)
    }

    /// What that many connections said.
    async fn seen(&self, connections: usize) -> Vec<Option<String>> {
        let seen = async {
            loop {
                let seen = self.seen.lock().unwrap().clone();
                if seen.len() >= connections {
                    return seen;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(LIMITS.timeout, seen).await.unwrap()
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn converse(mut socket: TcpStream, acceptor: &TlsAcceptor) -> Option<String> {
    let mut begin = [0; 7];
    socket.peek(&mut begin).await.ok()?;
    if begin == *b"CONNECT" {
        let asked = request(&mut socket).await;
        assert!(!asked.contains(KEY), "the way to the host is asked for without the key");
        socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.ok()?;
    }
    let mut encrypted = acceptor.accept(socket).await.ok()?;
    let asked = request(&mut encrypted).await;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
    let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{COMPLETION}", COMPLETION.len());
    encrypted.write_all(answer.as_bytes()).await.ok()?;
    encrypted.shutdown().await.ok()?;
    Some(asked)
}

/// One request, head and body.
async fn request(socket: &mut (impl AsyncRead + Unpin)) -> String {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let read = socket.read(&mut piece).await.unwrap();
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            body.len() >= length.unwrap_or(0)
        });
        if whole || read == 0 {
            return text;
        }
    }
}

fn adapter(url: String) -> impl Adapter {
    openai_chat::openai(KEY).base_url(url)
}

fn asks(stream: bool) -> Request {
    Request { stream, ..with_tool(ToolChoice::Auto) }
}

#[tokio::test]
async fn an_authority_that_the_caller_names_is_trusted() {
    let authority = Authority::new();
    let server = TlsServer::start(&authority, GOOD).await;
    let transport = authority.transport();
    for stream in [false, true] {
        let outcome = exchange_by(&transport, &adapter(server.url()), &asks(stream), LIMITS).await;
        assert_eq!(line(&outcome), "stop hello 0/0");
    }
    for asked in server.seen(2).await {
        assert!(asked.unwrap().contains("authorization: Bearer hush-hush"));
    }
}

/// Nothing of the request goes to a server that nobody trusts, and the error says what to do.
#[tokio::test]
async fn a_certificate_that_cannot_be_trusted_ends_the_exchange_before_it_begins() {
    let (authority, another) = (Authority::new(), Authority::new());
    for (what, transport, shown) in [
        ("an unknown authority", HttpTransport::new().unwrap(), GOOD),
        ("another authority", another.transport(), GOOD),
        ("another host", authority.transport(), Shown { host: "model.invalid", ..GOOD }),
        ("an old certificate", authority.transport(), Shown { until: 2020, ..GOOD }),
    ] {
        let server = TlsServer::start(&authority, shown).await;
        for stream in [false, true] {
            let outcome = exchange_by(&transport, &adapter(server.url()), &asks(stream), LIMITS).await;
            assert!(is_transport(&outcome, TransportErrorKind::Untrusted), "{what}: {outcome:?}");
            let Err(Fault::Transport(error)) = outcome else { unreachable!() };
            assert!(!error.kind.is_retryable(), "{what}");
            assert!(error.to_string().contains("SSL_CERT_FILE"), "{error}");
            let told = format!("{error:?}");
            assert!(!told.contains(KEY) && !told.contains(&server.port.to_string()), "{what}: {told}");
        }
        assert_eq!(server.seen(2).await, [None, None], "{what}");
    }
}

#[tokio::test]
async fn a_server_without_tls_is_no_connection() {
    let server = Server::start([]).await;
    let url = server.url.replace("http://", "https://");
    let outcome = exchange(&adapter(url), &asks(false), LIMITS).await;
    assert!(is_transport(&outcome, TransportErrorKind::Connect), "{outcome:?}");
    // A handshake is no HTTP: the server answers it by itself, and nobody is asked.
    assert!(server.asked().is_empty());
}

/// A company's proxy that opens what goes through it, and whose authority the environment names.
#[tokio::test]
async fn a_proxy_that_opens_the_exchange_is_trusted_by_the_environment() {
    let authority = Authority::new();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &authority.pem).unwrap();
    let proxy = TlsServer::start(&authority, Shown { host: "model.invalid", ..GOOD }).await;
    let through = vec![("HTTPS_PROXY", format!("http://127.0.0.1:{}", proxy.port))];
    let url = "https://model.invalid/v1".to_owned();
    exchange_under(url.clone(), "transport Untrusted", through.clone()).await;
    let trusted = [through, vec![("SSL_CERT_FILE", file.path().to_str().unwrap().to_owned())]].concat();
    exchange_under(url, "stop hello 0/0", trusted).await;
    let seen = proxy.seen(2).await;
    assert_eq!(seen.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_text_without_a_certificate_is_an_error() {
    for pem in ["", "no certificate", "-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n"] {
        let error = HttpTransport::with_root_certificates(pem.as_bytes()).unwrap_err();
        assert_eq!(error.kind, TransportErrorKind::Unsupported, "{pem}: {error}");
    }
}

#[tokio::test]
async fn a_client_of_the_callers_own_is_used_as_it_is() {
    let authority = Authority::new();
    let server = TlsServer::start(&authority, GOOD).await;
    let certificate = reqwest::Certificate::from_pem(authority.pem.as_bytes()).unwrap();
    let client = reqwest::Client::builder().tls_certs_only([certificate]).build().unwrap();
    let transport = HttpTransport::with_client(client);
    let outcome = exchange_by(&transport, &adapter(server.url()), &asks(false), LIMITS).await;
    assert_eq!(line(&outcome), "stop hello 0/0");
}
