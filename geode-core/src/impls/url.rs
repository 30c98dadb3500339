//! URLs, as text. What the `url` crate refuses, such as `http://`, is a violation though it be a URI.

use super::text::{as_text, narrowed, read_parsed, rule};
use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;

use crate::shape::{Format, Rules, Shape};
use url::Url;

as_text! {
    Url: format Uri, "an absolute URL", |text| text.parse().ok(), Url::to_string;
}
