//! The derive macro of geode.
