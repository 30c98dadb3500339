use std::time::{Duration, SystemTime};

use bytes::Bytes;
use secrecy::ExposeSecret;

use super::*;

/// The keys, the region, the service and the time of the test suite that AWS publishes for Signature Version 4.
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

fn signer() -> Signer {
    Signer::new("us-east-1", "service", || AwsKeys::new("AKIDEXAMPLE", SECRET))
}

/// 2015-08-30, 12:36:00.
fn then() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_440_938_160)
}

fn request(
    method: HttpMethod,
    path: &str,
    headers: &[(&'static str, &'static str)],
    body: &'static str,
) -> HttpRequest {
    HttpRequest {
        method,
        url: format!("https://example.amazonaws.com{path}"),
        headers: headers.iter().map(|(name, value)| (Cow::Borrowed(*name), Cow::Borrowed(*value))).collect(),
        secret_headers: Vec::new(),
        signer: None,
        body: Bytes::from_static(body.as_bytes()),
    }
}

fn header(headers: &[(Cow<'static, str>, SecretString)], name: &str) -> Option<String> {
    let found = headers.iter().find(|(present, _)| present == name);
    found.map(|(_, value)| value.expose_secret().to_owned())
}

/// Cases of the suite, by their names.
#[test]
fn signatures_are_those_that_aws_publishes() {
    let form = [("content-type", "application/x-www-form-urlencoded")];
    for (case, request, signed, signature) in [
        (
            "get-vanilla",
            request(HttpMethod::Get, "/", &[], ""),
            "host;x-amz-date",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
        ),
        (
            "post-vanilla",
            request(HttpMethod::Post, "/", &[], ""),
            "host;x-amz-date",
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
        ),
        (
            "post-x-www-form-urlencoded",
            request(HttpMethod::Post, "/", &form, "Param1=value1"),
            "content-type;host;x-amz-date",
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
        ),
    ] {
        let headers = signer().sign(&request, then()).unwrap();
        assert_eq!(header(&headers, "x-amz-date").as_deref(), Some("20150830T123600Z"), "{case}");
        let scope = "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request";
        let wanted = format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders={signed}, Signature={signature}");
        assert_eq!(header(&headers, "authorization"), Some(wanted), "{case}");
    }
}

#[test]
fn a_session_token_goes_along_and_is_signed() {
    let signer = Signer::new("us-east-1", "service", || AwsKeys::new("AKIDEXAMPLE", SECRET).session_token("tok"));
    let headers = signer.sign(&request(HttpMethod::Get, "/", &[], ""), then()).unwrap();
    assert_eq!(header(&headers, "x-amz-security-token").as_deref(), Some("tok"));
    assert!(header(&headers, "authorization").unwrap().contains("SignedHeaders=host;x-amz-date;x-amz-security-token,"));
}

/// A colon of a model's name is encoded once in the path, and twice where the path is signed.
#[test]
fn body_path_and_time_change_the_signature() {
    let sign = |path: &str, body, after| {
        let request = request(HttpMethod::Post, path, &[], body);
        header(&signer().sign(&request, then() + Duration::from_secs(after)).unwrap(), "authorization").unwrap()
    };
    let one = sign("/model/m%3A0/converse", "{}", 0);
    assert_eq!(one, sign("/model/m%3A0/converse", "{}", 0));
    for other in [
        sign("/model/m:0/converse", "{}", 0),
        sign("/model/m%3A0/converse", "{ }", 0),
        sign("/model/m%3A0/converse", "{}", 1),
    ] {
        assert_ne!(one, other);
    }
}

#[test]
fn keys_are_asked_for_each_request_and_an_empty_one_is_an_error() {
    let signer = Signer::new("us-east-1", "service", || AwsKeys::new("AKIDEXAMPLE", " "));
    let error = signer.sign(&request(HttpMethod::Get, "/", &[], ""), then()).unwrap_err();
    assert_eq!(error.kind, TransportErrorKind::Unsupported);
    assert!(error.to_string().contains("empty"), "{error}");

    let count = std::sync::atomic::AtomicUsize::new(0);
    let signer = Signer::new("us-east-1", "service", move || {
        AwsKeys::new(format!("KEY{}", count.fetch_add(1, std::sync::atomic::Ordering::Relaxed)), SECRET)
    });
    for n in 0..2 {
        let headers = signer.sign(&request(HttpMethod::Get, "/", &[], ""), then()).unwrap();
        assert!(header(&headers, "authorization").unwrap().contains(&format!("Credential=KEY{n}/")));
    }
}

#[test]
fn keys_stay_out_of_debug() {
    let shown = format!("{:?}", AwsKeys::new("AKIDEXAMPLE", SECRET).session_token("tok"));
    for secret in ["AKIDEXAMPLE", SECRET, "tok\""] {
        assert!(!shown.contains(secret), "{shown}");
    }
}
