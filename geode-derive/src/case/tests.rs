//! The rules held against serde's own.

use super::Case;

macro_rules! against_serde {
    ($($rule:literal)*) => {
        $({
            #[derive(serde::Serialize, Default)]
            #[serde(rename_all = $rule)]
            #[allow(non_snake_case)]
            struct Fields {
                plain: u8,
                two_words: u8,
                _leading: u8,
                trailing_: u8,
                double__score: u8,
                with_2_digits: u8,
                http2: u8,
                user_ID: u8,
                Capital: u8,
                r#type: u8,
                größe_übrig: u8,
            }
            #[derive(serde::Serialize)]
            #[serde(rename_all = $rule)]
            #[allow(non_camel_case_types)]
            enum Variants {
                Plain,
                TwoWords,
                HTTPServer,
                Http2Server,
                Under_Score,
                lower,
                r#match,
                A,
                GrößeÜbrig,
            }
            use Variants::*;
            let case = Case::named($rule).unwrap();
            let value = serde_json::to_value(Fields::default()).unwrap();
            let mut theirs: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
            let ours = [
                "plain", "two_words", "_leading", "trailing_", "double__score", "with_2_digits", "http2", "user_ID",
                "Capital", "type", "größe_übrig",
            ];
            let mut ours: Vec<String> = ours.iter().map(|name| case.field(name)).collect();
            theirs.sort();
            ours.sort();
            assert_eq!(ours, theirs, "fields, {}", $rule);
            let theirs = [Plain, TwoWords, HTTPServer, Http2Server, Under_Score, lower, r#match, A, GrößeÜbrig];
            let theirs = theirs.map(|variant| serde_json::to_value(variant).unwrap().as_str().unwrap().to_owned());
            let ours = [
                "Plain", "TwoWords", "HTTPServer", "Http2Server", "Under_Score", "lower", "match", "A", "GrößeÜbrig",
            ];
            assert_eq!(ours.map(|name| case.variant(name)), theirs, "variants, {}", $rule);
        })*
    };
}

#[test]
fn every_rule_names_as_serde_does() {
    against_serde!(
        "lowercase" "UPPERCASE" "PascalCase" "camelCase" "snake_case" "SCREAMING_SNAKE_CASE" "kebab-case"
        "SCREAMING-KEBAB-CASE"
    );
}
