//! AWS's binary event stream, written: by the specification, and without the crate that reads it.

/// The content type of such a stream.
pub(crate) const CONTENT_TYPE: &str = "application/vnd.amazon.eventstream";

/// A message for each line of a fixture, `NAME JSON`. A name that begins with `exception:` or `error:` is that kind.
pub(crate) fn messages(fixture: &str) -> Vec<Vec<u8>> {
    fixture
        .lines()
        .map(|line| {
            let (name, payload) = line.split_once(' ').unwrap();
            let content = (":content-type", "application/json");
            match name.split_once(':') {
                None => message(&[(":event-type", name), content, (":message-type", "event")], payload),
                Some(("exception", name)) => {
                    message(&[(":exception-type", name), content, (":message-type", "exception")], payload)
                }
                Some((_, code)) => {
                    let said: serde_json::Value = serde_json::from_str(payload).unwrap();
                    let said = said["message"].as_str().unwrap();
                    message(&[(":error-code", code), (":error-message", said), (":message-type", "error")], "")
                }
            }
        })
        .collect()
}

/// A message whose headers are all text.
fn message(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, value) in headers {
        bytes.push(u8::try_from(name.len()).unwrap());
        bytes.extend(name.as_bytes());
        bytes.push(7);
        bytes.extend(u16::try_from(value.len()).unwrap().to_be_bytes());
        bytes.extend(value.as_bytes());
    }
    framed(&bytes, payload.as_bytes())
}

/// A message of these headers and this payload, with its lengths and checksums.
pub(crate) fn framed(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let length = |bytes: usize| u32::try_from(bytes).unwrap().to_be_bytes();
    let mut message = [length(16 + headers.len() + payload.len()), length(headers.len())].concat();
    message.extend(checksum(&message));
    message.extend(headers);
    message.extend(payload);
    message.extend(checksum(&message));
    message
}

/// CRC-32 bit by bit, as its definition has it.
pub(crate) fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    (!crc).to_be_bytes()
}
