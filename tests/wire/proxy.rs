//! Proxies of the environment. Its variables are the whole process's, so each exchange is made in a process of its own.

use std::process::Command;

use geode::adapter::openai_chat;
use geode::message::ToolChoice;

use crate::exchange::{LIMITS, exchange, line};
use crate::requests::with_tool;
use crate::support::server::{Answer, Server};

const COMPLETION: &str = r#"{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}"#;
const URL: &str = "GEODE_TEST_URL";
const EXPECTED: &str = "GEODE_TEST_EXPECTED";

/// One exchange, for the tests below; does nothing by itself.
#[tokio::test]
async fn one_exchange() {
    let (Ok(url), Ok(expected)) = (std::env::var(URL), std::env::var(EXPECTED)) else { return };
    let adapter = openai_chat::openai("hush-hush").base_url(url);
    let outcome = exchange(&adapter, &with_tool(ToolChoice::Auto), LIMITS).await;
    assert_eq!(line(&outcome), expected);
    assert!(!format!("{outcome:?}").contains("proxy-password"));
}

/// Makes the exchange under these variables, and no other proxy settings.
pub(crate) async fn exchange_under(url: String, expected: &'static str, variables: Vec<(&'static str, String)>) {
    let run = move || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "request_method", "ssl_cert_file"] {
            command.env_remove(name).env_remove(name.to_uppercase());
        }
        command.args(["--exact", "proxy::one_exchange"]).env(URL, url).env(EXPECTED, expected);
        command.envs(variables).output().unwrap()
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[tokio::test]
async fn a_proxy_of_the_environment_carries_the_request() {
    let proxy = Server::start([Answer::json(200, COMPLETION)]).await;
    let address = proxy.url.replace("http://", "http://user:proxy-password@");
    exchange_under("http://model.invalid/v1".to_owned(), "stop hello 0/0", vec![("HTTP_PROXY", address)]).await;
    let asked = proxy.asked().remove(0);
    assert_eq!(asked.path, "http://model.invalid/v1/chat/completions");
    assert_eq!(asked.headers["proxy-authorization"], "Basic dXNlcjpwcm94eS1wYXNzd29yZA==");
}

#[tokio::test]
async fn a_host_that_needs_none_is_asked_directly() {
    let server = Server::start([Answer::json(200, COMPLETION)]).await;
    let nobody = "http://127.0.0.1:1".to_owned();
    let variables = vec![("HTTP_PROXY", nobody), ("NO_PROXY", "127.0.0.1".to_owned())];
    exchange_under(server.url.clone(), "stop hello 0/0", variables).await;
    assert_eq!(server.asked()[0].path, "/chat/completions");
}

/// The proxy opens a way and learns the host's name, but neither key nor prompt.
#[tokio::test]
async fn a_proxy_sees_nothing_of_an_encrypted_exchange() {
    let proxy = Server::start([Answer::json(403, "")]).await;
    let variables = vec![("HTTPS_PROXY", proxy.url.clone())];
    exchange_under("https://model.invalid/v1".to_owned(), "transport Connect", variables).await;
    let asked = proxy.asked().remove(0);
    assert_eq!(asked.path, "model.invalid:443");
    assert!(!asked.headers.contains_key("authorization"), "{:?}", asked.headers);
    assert_eq!(asked.body, "");
}
