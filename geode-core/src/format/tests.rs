use crate::shape::Format;
use proptest::prelude::*;

const ALL: [Format; 10] = [
    Format::DateTime,
    Format::Date,
    Format::Time,
    Format::Duration,
    Format::Email,
    Format::Hostname,
    Format::Ipv4,
    Format::Ipv6,
    Format::Uri,
    Format::Uuid,
];

fn validator(format: Format) -> jsonschema::Validator {
    let schema = serde_json::json!({ "format": format.name() });
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

/// What is documented to differ: display names in front of an address, and Punycode.
fn differs(text: &str) -> bool {
    text.contains(" <") || text.to_ascii_lowercase().contains("xn--")
}

#[test]
fn agrees_with_jsonschema_on_samples() {
    let samples = [
        "2024-02-29",
        "2023-02-29",
        "1900-02-29",
        "2000-02-29",
        "2024-13-01",
        "2024-00-10",
        "2024-1-1",
        "2024-06-31",
        "20240601",
        "2024-06-01x",
        "12:00:00Z",
        "12:00:00",
        "24:00:00Z",
        "23:59:60Z",
        "22:59:60Z",
        "00:59:60+01:00",
        "18:59:60-05:00",
        "12:00:00.5+01:00",
        "12:00:00.+01:00",
        "12:00:00+24:00",
        "12:00:00z",
        "12:00:00+0100",
        "2024-02-29T12:00:00Z",
        "2024-02-29t12:00:00z",
        "2024-02-29 12:00:00Z",
        "2024-02-29T12:00:00",
        "P1D",
        "P1Y2M3D",
        "PT1H2M3S",
        "P1Y2D",
        "PT1H3S",
        "P2W",
        "P2W1D",
        "P",
        "PT",
        "P1",
        "1D",
        "P1DT",
        "P1S",
        "PT1D",
        "PT0.5S",
        "P1M",
        "PT1M",
        "P1YT1H",
        "a@b.c",
        "a@b",
        "a.b@c.d",
        ".a@b.c",
        "a..b@c.d",
        "a@",
        "@b",
        "a b@c.d",
        "\"a b\"@c.d",
        "\"\"@c.d",
        "a@[1.2.3.4]",
        "a@[IPv6:::1]",
        "a@[x]",
        "ä@b.c",
        "a@ä.c",
        "a@-b.c",
        "a",
        "example.com",
        "a-b.c",
        "-a.b",
        "a-.b",
        "a..b",
        ".a",
        "a.",
        "",
        "a_b",
        "ab--cd",
        "1.2.3.4",
        "1.2.3",
        "1.2.3.256",
        "01.2.3.4",
        "::1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "::ffff:1.2.3.4",
        ":::",
        "fe80::1%eth0",
        "http://a.b/c?d#e",
        "http://a.b:80/",
        "http://[::1]:80/x",
        "http://[::1",
        "http://a b",
        "mailto:a@b",
        "urn:x:y",
        "//a",
        "a",
        "http:",
        "1a:b",
        "http://a/%zz",
        "http://a/%20",
        "http://u:p@h",
        "http://a:b",
        "http://a@b@c",
        "x:/a#b#c",
        "x:?[]",
        "123e4567-e89b-12d3-a456-426614174000",
        "123E4567-E89B-12D3-A456-426614174000",
        "123e4567e89b12d3a456426614174000",
        "{123e4567-e89b-12d3-a456-426614174000}",
        "http://[v1.x]/",
    ];
    for format in ALL {
        let validator = validator(format);
        for text in samples {
            assert_eq!(format.accepts(text), validator.is_valid(&text.into()), "{}: {text:?}", format.name());
        }
    }
}

/// Texts that have a format, or nearly have one.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{4}-[01][0-9]-[0-3][0-9]",
        "[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\\.[0-9]{0,3})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])?",
        "[0-2][0-9]:[0-5][0-9]:(60|[0-5][0-9])(\\.[0-9]{0,3})?([Zz]|[+-][0-2][0-9]:[0-5][0-9])",
        "P([0-9]{0,2}[YMWD]){0,3}(T([0-9]{0,2}[HMS]){0,3})?",
        "[a-z.\"\\\\@ +!-]{0,8}@[a-z0-9.\\[\\]:-]{0,10}",
        "[a-zA-Z0-9-]{0,4}(\\.[a-zA-Z0-9_-]{0,4}){0,3}",
        "[0-9]{1,3}(\\.[0-9]{1,3}){2,4}",
        "[0-9a-f:.]{0,20}",
        "[a-z0-9+.]{0,4}:(//)?[a-z0-9:@\\[\\]%/?#. -]{0,16}",
        "[0-9a-fA-F]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-fg]{12}",
        "\\PC{0,12}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_jsonschema(text in texts()) {
        prop_assume!(!differs(&text));
        thread_local! {
            static VALIDATORS: Vec<(Format, jsonschema::Validator)> = ALL.map(|format| (format, validator(format))).into();
        }
        VALIDATORS.with(|validators| {
            for (format, validator) in validators {
                prop_assert_eq!(format.accepts(&text), validator.is_valid(&text.clone().into()), "{}: {:?}", format.name(), text);
            }
            Ok(())
        })?;
    }
}
