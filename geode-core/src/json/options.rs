//! How a text is to be read.

/// How a text is to be read. The default is strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The value stands in a closed object with the one property `value`: what a dialect does to a root that is no
    /// object.
    pub wrapped_root: bool,
    /// An absent property means `null` where the property is nullable.
    pub absent_is_null: bool,
    /// Names of enum values and tags are compared without regard to ASCII case. Each use is noted.
    pub any_case: bool,
    /// The text is stored data, not a model's answer: aliases count, defaulted properties may be absent, unknown enum
    /// values narrow to the fallback variant. Each use is noted.
    pub stored: bool,
    /// Most levels of nesting. 128 by default; values above [`MAX_DEPTH`](Self::MAX_DEPTH) count as that.
    pub max_depth: usize,
    /// Most violations that are recorded; the count goes on. 100 by default.
    pub max_violations: usize,
}

impl ReadOptions {
    /// The deepest nesting that can be asked for: what any thread's stack holds.
    pub const MAX_DEPTH: usize = 512;
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            wrapped_root: false,
            absent_is_null: false,
            any_case: false,
            stored: false,
            max_depth: 128,
            max_violations: 100,
        }
    }
}
