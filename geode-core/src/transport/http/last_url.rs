//! The URL that was asked last.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use reqwest::Url;

use crate::transport::{TransportError, TransportErrorKind};

/// The URL that was asked last, as text and parsed. Most calls ask the one that the call before them did, and parsing it
/// costs twice what parsing a small answer does.
#[derive(Default)]
pub(super) struct LastUrl(Mutex<Option<(String, Url)>>);

impl LastUrl {
    pub(super) fn parse(&self, url: String) -> Result<Url, TransportError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((text, parsed)) = &*last
            && *text == url
        {
            return Ok(parsed.clone());
        }
        let parsed = Url::parse(&url).map_err(|error| {
            TransportError::new(TransportErrorKind::Unsupported, "the URL is not usable").with_source(error)
        })?;
        *last = Some((url, parsed.clone()));
        Ok(parsed)
    }
}

/// Shows no URL: a careless one holds a key.
impl fmt::Debug for LastUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LastUrl")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_each_text_its_own_url() {
        let last = LastUrl::default();
        for url in ["http://a/1", "http://a/1", "http://a/2", "http://a/1"] {
            assert_eq!(last.parse(url.to_owned()).unwrap().as_str(), url);
        }
        assert!(last.parse("a/1".to_owned()).is_err());
        assert_eq!(last.parse("http://a/1".to_owned()).unwrap().as_str(), "http://a/1");
        assert_eq!(format!("{last:?}"), "LastUrl");
    }
}
