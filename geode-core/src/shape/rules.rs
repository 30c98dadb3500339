//! Constraints that narrow a shape, in JSON Schema's terms.

/// A numeric limit that keeps integers exact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Limit {
    /// A whole number.
    Integer(i128),
    /// A whole number above [`i128::MAX`].
    Unsigned(u128),
    /// A number with a fraction.
    Real(f64),
}

/// Constraints on a value. Lengths count Unicode scalar values, as JSON Schema does.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Smallest number, inclusive.
    pub minimum: Option<Limit>,
    /// Largest number, inclusive.
    pub maximum: Option<Limit>,
    /// Number that the value must stay above.
    pub exclusive_minimum: Option<Limit>,
    /// Number that the value must stay below.
    pub exclusive_maximum: Option<Limit>,
    /// Number that the value must be a whole multiple of.
    pub multiple_of: Option<Limit>,
    /// Fewest characters of a string.
    pub min_length: Option<usize>,
    /// Most characters of a string.
    pub max_length: Option<usize>,
    /// Expression that a string must match.
    pub pattern: Option<Pattern>,
    /// Format that a string must have.
    pub format: Option<TextFormat>,
    /// Fewest elements of an array.
    pub min_items: Option<usize>,
    /// Most elements of an array.
    pub max_items: Option<usize>,
    /// Whether equal elements of an array are refused.
    pub unique_items: bool,
    /// The only value allowed, as JSON text.
    pub constant: Option<&'static str>,
    /// Rules for each element of an array, or for each value of a map.
    pub inner: Option<&'static Rules>,
}

impl Rules {
    /// No constraint.
    pub const NONE: Rules = Rules {
        minimum: None,
        maximum: None,
        exclusive_minimum: None,
        exclusive_maximum: None,
        multiple_of: None,
        min_length: None,
        max_length: None,
        pattern: None,
        format: None,
        min_items: None,
        max_items: None,
        unique_items: false,
        constant: None,
        inner: None,
    };

    /// Whether there is no constraint here.
    pub const fn is_none(&self) -> bool {
        self.minimum.is_none()
            && self.maximum.is_none()
            && self.exclusive_minimum.is_none()
            && self.exclusive_maximum.is_none()
            && self.multiple_of.is_none()
            && self.min_length.is_none()
            && self.max_length.is_none()
            && self.pattern.is_none()
            && self.format.is_none()
            && self.min_items.is_none()
            && self.max_items.is_none()
            && !self.unique_items
            && self.constant.is_none()
            && self.inner.is_none()
    }
}

/// Builders: one call a constraint, which the compiler takes faster than a literal with a base.
macro_rules! builders {
    ($($name:ident: $type:ty, $what:literal;)*) => {
        impl Rules {
            $(
                #[doc = concat!("The same with ", $what, ".")]
                pub const fn $name(mut self, $name: $type) -> Self {
                    self.$name = Some($name);
                    self
                }
            )*

            /// The same, equal elements refused.
            pub const fn unique_items(mut self) -> Self {
                self.unique_items = true;
                self
            }
        }
    };
}

builders! {
    minimum: Limit, "the smallest number";
    maximum: Limit, "the largest number";
    exclusive_minimum: Limit, "a number to stay above";
    exclusive_maximum: Limit, "a number to stay below";
    multiple_of: Limit, "a step";
    min_length: usize, "the fewest characters";
    max_length: usize, "the most characters";
    pattern: Pattern, "an expression to match";
    format: TextFormat, "a format";
    min_items: usize, "the fewest elements";
    max_items: usize, "the most elements";
    constant: &'static str, "the only value, as JSON text";
    inner: &'static Rules, "rules for each element";
}

/// A regular expression in the subset that ECMA-262 and every provider share.
#[derive(Clone, Copy)]
pub struct Pattern {
    /// The expression's source.
    pub source: &'static str,
    /// Whether a text holds a match; the expression is compiled once a process. A function, so that a program without
    /// patterns carries no engine for them.
    pub is_match: fn(&str) -> bool,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

/// A format, and what checks it.
#[derive(Clone, Copy)]
pub struct TextFormat {
    /// Which it is.
    pub format: Format,
    /// Whether a text has it. A function, so that a program carries those checks alone that its types name.
    pub accepts: fn(&str) -> bool,
}

impl std::fmt::Debug for TextFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("TextFormat").field(&self.format).finish()
    }
}

/// A string format that the parser can check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// RFC 3339 date and time with an offset.
    DateTime,
    /// RFC 3339 full date.
    Date,
    /// RFC 3339 full time with an offset.
    Time,
    /// ISO 8601 duration.
    Duration,
    /// An e-mail address.
    Email,
    /// A host name.
    Hostname,
    /// A dotted-quad IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// An absolute URI.
    Uri,
    /// A UUID with hyphens.
    Uuid,
}

impl Format {
    /// The format's name in JSON Schema.
    pub const fn name(self) -> &'static str {
        match self {
            Format::DateTime => "date-time",
            Format::Date => "date",
            Format::Time => "time",
            Format::Duration => "duration",
            Format::Email => "email",
            Format::Hostname => "hostname",
            Format::Ipv4 => "ipv4",
            Format::Ipv6 => "ipv6",
            Format::Uri => "uri",
            Format::Uuid => "uuid",
        }
    }
}

impl Limit {
    /// The nearest double.
    pub(crate) const fn real(self) -> f64 {
        match self {
            Limit::Integer(limit) => limit as f64,
            Limit::Unsigned(limit) => limit as f64,
            Limit::Real(limit) => limit,
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::Integer(limit) => write!(f, "{limit}"),
            Limit::Unsigned(limit) => write!(f, "{limit}"),
            Limit::Real(limit) => write!(f, "{limit}"),
        }
    }
}
