//! String formats, checked as JSON Schema's format vocabulary describes them.
//!
//! Every format agrees with the `jsonschema` crate but for one thing: an international host name label (`xn--…`) is
//! taken by its characters, its Punycode is not decoded.

use crate::shape::{Format, TextFormat};
use std::net::{Ipv4Addr, Ipv6Addr};

#[cfg(test)]
mod tests;

impl Format {
    /// Whether `text` has this format.
    pub fn accepts(self, text: &str) -> bool {
        (self.checked().accepts)(text)
    }

    /// The format with what checks it.
    pub const fn checked(self) -> TextFormat {
        let accepts: fn(&str) -> bool = match self {
            Format::DateTime => is_date_time,
            Format::Date => |text| is_date(text.as_bytes()),
            Format::Time => |text| is_time(text.as_bytes()),
            Format::Duration => is_duration,
            Format::Email => is_email,
            Format::Hostname => is_hostname,
            Format::Ipv4 => |text| text.parse::<Ipv4Addr>().is_ok(),
            Format::Ipv6 => |text| text.parse::<Ipv6Addr>().is_ok(),
            Format::Uri => is_uri,
            Format::Uuid => |text| is_uuid(text.as_bytes()),
        };
        TextFormat { format: self, accepts }
    }

    /// What the format asks for, a phrase.
    pub(crate) const fn phrase(self) -> &'static str {
        match self {
            Format::DateTime => "a date and time with an offset, as in RFC 3339",
            Format::Date => "a date as YYYY-MM-DD",
            Format::Time => "a time with an offset, as in RFC 3339",
            Format::Duration => "an ISO 8601 duration",
            Format::Email => "an e-mail address",
            Format::Hostname => "a host name",
            Format::Ipv4 => "an IPv4 address",
            Format::Ipv6 => "an IPv6 address",
            Format::Uri => "an absolute URI",
            Format::Uuid => "a UUID with hyphens",
        }
    }
}

/// The value of exactly these digits.
fn digits(bytes: &[u8]) -> Option<u32> {
    bytes.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0')))
}

fn is_date(text: &[u8]) -> bool {
    let &[y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = text else { return false };
    let (Some(year), Some(month), Some(day)) = (digits(&[y0, y1, y2, y3]), digits(&[m0, m1]), digits(&[d0, d1])) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn is_time(text: &[u8]) -> bool {
    let Some((&[h0, h1, b':', m0, m1, b':', s0, s1], mut rest)) = text.split_first_chunk() else { return false };
    let (Some(hour), Some(minute), Some(second)) = (digits(&[h0, h1]), digits(&[m0, m1]), digits(&[s0, s1])) else {
        return false;
    };
    if hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let end = fraction.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(fraction.len());
        if end == 0 {
            return false;
        }
        rest = fraction.get(end..).unwrap_or_default();
    }
    // minutes that the local time is ahead of UTC
    let ahead = match rest {
        b"Z" | b"z" => 0,
        &[sign @ (b'+' | b'-'), h0, h1, b':', m0, m1] => match (digits(&[h0, h1]), digits(&[m0, m1])) {
            (Some(hours @ 0..=23), Some(minutes @ 0..=59)) => {
                let offset = (hours * 60 + minutes) as i32;
                if sign == b'+' { offset } else { -offset }
            }
            _ => return false,
        },
        _ => return false,
    };
    // a leap second is the last of a day in UTC
    second < 60 || ((hour * 60 + minute) as i32 - ahead).rem_euclid(24 * 60) == 24 * 60 - 1
}

fn is_date_time(text: &str) -> bool {
    match text.split_once(['T', 't']) {
        Some((date, time)) => is_date(date.as_bytes()) && is_time(time.as_bytes()),
        None => false,
    }
}

/// `P3Y6M4DT12H30M5S`, `P2W`: each unit once, in order, none left out between two.
fn is_duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else { return false };
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let weeks =
        date.strip_suffix('W').is_some_and(|count| !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()));
    match time {
        None => weeks || are_amounts(date, b"YMD"),
        Some(time) => (date.is_empty() || are_amounts(date, b"YMD")) && are_amounts(time, b"HMS"),
    }
}

/// One or more amounts, each of digits and a unit; the units stand next to each other in `units`.
fn are_amounts(mut text: &str, units: &[u8]) -> bool {
    let mut last: Option<usize> = None;
    while !text.is_empty() {
        let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
        let unit = text.as_bytes().get(end).and_then(|unit| units.iter().position(|known| known == unit));
        let Some(unit) = unit.filter(|_| end > 0) else { return false };
        if last.is_some_and(|last| unit != last + 1) {
            return false;
        }
        last = Some(unit);
        text = text.get(end + 1..).unwrap_or_default();
    }
    last.is_some()
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    is_local_part(local) && is_mail_domain(domain)
}

/// RFC 5321's dot-string or quoted string, at most 64 bytes.
fn is_local_part(local: &str) -> bool {
    if !local.is_ascii() || local.len() > 64 {
        return false;
    }
    if let Some(quoted) = local.strip_prefix('"').and_then(|local| local.strip_suffix('"')) {
        let mut bytes = quoted.bytes();
        while let Some(byte) = bytes.next() {
            let fits = match byte {
                b'\\' => bytes.next().is_some_and(|byte| byte.is_ascii_graphic()),
                b'"' => false,
                _ => byte == b' ' || byte == b'\t' || byte.is_ascii_graphic(),
            };
            if !fits {
                return false;
            }
        }
        return true;
    }
    let is_atom_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
    local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom_byte))
}

/// A host name, or an address in brackets.
fn is_mail_domain(domain: &str) -> bool {
    let Some(literal) = domain.strip_prefix('[').and_then(|domain| domain.strip_suffix(']')) else {
        return is_hostname(domain);
    };
    match literal.split_at_checked(5) {
        Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => address.parse::<Ipv6Addr>().is_ok(),
        _ => literal.parse::<Ipv4Addr>().is_ok(),
    }
}

fn is_hostname(text: &str) -> bool {
    let is_label = |label: &str| {
        let edges = !label.starts_with('-') && !label.ends_with('-');
        // hyphens in the third and fourth place are kept for internationalised names
        let reserved = label.as_bytes().get(2..4) == Some(b"--") && !label.starts_with("xn--");
        let fits = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        (1..=63).contains(&label.len()) && edges && !reserved && fits
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// RFC 3986's URI: with a scheme.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_fits = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = rest.split_once('?').unwrap_or((rest, ""));
    let path = match hierarchy.strip_prefix("//") {
        None => hierarchy,
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !is_authority(authority) {
                return false;
            }
            path
        }
    };
    scheme_fits && are_uri_bytes(path, b":@/") && are_uri_bytes(query, b":@/?") && are_uri_bytes(fragment, b":@/?")
}

/// `[userinfo@]host[:port]`
fn is_authority(authority: &str) -> bool {
    let (user, host) = authority.split_once('@').unwrap_or(("", authority));
    let (host, port) = match host.strip_prefix('[') {
        Some(literal) => {
            let Some((address, port)) = literal.split_once(']') else { return false };
            if !is_ip_literal(address) || !(port.is_empty() || port.starts_with(':')) {
                return false;
            }
            ("", port.strip_prefix(':').unwrap_or(""))
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    are_uri_bytes(user, b":") && are_uri_bytes(host, b"") && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// An IPv6 address, or an address of a future version (`v1.x`).
fn is_ip_literal(address: &str) -> bool {
    match address.strip_prefix(['v', 'V']) {
        Some(future) => future.split_once('.').is_some_and(|(version, address)| {
            let version_fits = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
            version_fits && !address.is_empty() && !address.contains('%') && are_uri_bytes(address, b":")
        }),
        None => address.parse::<Ipv6Addr>().is_ok(),
    }
}

/// Unreserved characters, sub-delimiters, percent-encodings, and what else is given.
fn are_uri_bytes(text: &str, more: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'%' => (0..2).all(|_| bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit())),
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || more.contains(&byte),
        };
        if !fits {
            return false;
        }
    }
    true
}
