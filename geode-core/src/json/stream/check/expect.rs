//! What the next value must be: a shape without its wrappings, and the rules that stand on them.

use super::Place;
use crate::json::stream::token::Kind;
use crate::report::Code;
use crate::shape::{Enumeration, Field, Limit, Role, Rules, Shape};

/// What a value must be. Unions are not looked into.
#[derive(Clone, Copy)]
pub(super) struct Expect {
    what: What,
    nullable: bool,
    /// Rules that stand on the value, outermost first. More than these are not checked.
    rules: [&'static Rules; 3],
}

#[derive(Clone, Copy)]
enum What {
    Any,
    Shape(&'static Shape),
    Constant(&'static str),
    Wrapper(&'static Shape),
    Entry(&'static Shape),
}

/// The names that a string or a property name may have.
#[derive(Clone, Copy)]
pub(super) enum Names {
    Any,
    Fields(&'static [Field]),
    List(&'static [&'static str]),
    Values(&'static Enumeration),
    Constant(&'static str),
}

impl Expect {
    pub(super) const fn any() -> Self {
        Expect { what: What::Any, nullable: false, rules: [&Rules::NONE; 3] }
    }

    /// The closed object that a dialect puts around a root that is no object.
    pub(super) const fn wrapper(root: &'static Shape) -> Self {
        Expect { what: What::Wrapper(root), ..Expect::any() }
    }

    pub(super) fn field(field: &'static Field) -> Self {
        match field.role() {
            Role::Constant(text) => Expect { what: What::Constant(text), ..Expect::any() },
            _ => Expect::value(field.shape(), field.rules()),
        }
    }

    /// Takes the wrappings off a shape.
    pub(super) fn value(shape: &'static Shape, rules: &'static Rules) -> Self {
        let mut expect = Expect { rules: [rules, &Rules::NONE, &Rules::NONE], ..Expect::any() };
        let mut shape = shape;
        let mut wrappings = 1;
        loop {
            match shape {
                Shape::Nullable(inner) => {
                    expect.nullable = true;
                    shape = inner.shape();
                }
                Shape::Annotated(annotated) => {
                    if let Some(slot) = expect.rules.get_mut(wrappings) {
                        *slot = annotated.rules;
                    }
                    wrappings += 1;
                    shape = annotated.of.shape();
                }
                _ => break,
            }
        }
        expect.what = What::Shape(shape);
        expect
    }

    /// Whether a value of this kind may come.
    pub(super) fn takes(&self, kind: Kind) -> bool {
        if self.nullable && kind == Kind::Null {
            return true;
        }
        let shape = match self.what {
            What::Any => return true,
            What::Constant(_) => return kind == Kind::String,
            What::Wrapper(_) | What::Entry(_) => return kind == Kind::Object,
            What::Shape(shape) => shape,
        };
        match shape {
            Shape::Null => kind == Kind::Null,
            Shape::Boolean => matches!(kind, Kind::True | Kind::False),
            Shape::Integer { .. } | Shape::Number => kind == Kind::Number,
            Shape::String | Shape::JsonText => kind == Kind::String,
            Shape::Enumeration(enumeration) if enumeration.integer => kind == Kind::Number,
            Shape::Enumeration(_) => kind == Kind::String,
            Shape::Array { .. } | Shape::Map { .. } => kind == Kind::Array,
            Shape::Object(_) => kind == Kind::Object,
            Shape::Union(_) | Shape::Nullable(_) | Shape::Annotated(_) => true,
            #[cfg(feature = "schemars")]
            Shape::Foreign(_) => true,
        }
    }

    /// How to go on inside an object or array; `None` where it is not looked into.
    pub(super) fn level(&self, kind: Kind, start: usize) -> Option<(Place, Expect)> {
        let object = kind == Kind::Object;
        let shape = match self.what {
            What::Any | What::Constant(_) => return None,
            What::Wrapper(root) => return object.then_some((Place::Wrapper { root }, Expect::any())),
            What::Entry(shape) | What::Shape(shape) => shape,
        };
        let inner = self.rules.iter().find_map(|rules| rules.inner).unwrap_or(&Rules::NONE);
        match (self.what, shape) {
            (What::Entry(_), Shape::Map { key, value }) => {
                let rules = *self.rules.first()?;
                Some((Place::Entry { key: *key, value: *value, rules, current: None }, Expect::any()))
            }
            (_, Shape::Map { .. }) => {
                let entry = Expect { what: What::Entry(shape), nullable: false, rules: [inner; 3] };
                Some((Place::Array { max_items: self.max_items() }, entry))
            }
            (_, Shape::Array { items, maximum, .. }) => {
                let max_items = self.max_items().min(maximum.unwrap_or(usize::MAX));
                Some((Place::Array { max_items }, Expect::value(items.shape(), inner)))
            }
            (_, Shape::Object(of)) if of.fields.iter().all(|field| field.role() != Role::Flatten) => {
                Some((Place::Object { fields: of.fields, seen: 0, current: None, start }, Expect::any()))
            }
            _ => None,
        }
    }

    pub(super) fn max_length(&self) -> usize {
        self.rules.iter().filter_map(|rules| rules.max_length).min().unwrap_or(usize::MAX)
    }

    fn max_items(&self) -> usize {
        self.rules.iter().filter_map(|rules| rules.max_items).min().unwrap_or(usize::MAX)
    }

    /// What a string may be.
    pub(super) fn names(&self) -> Names {
        match self.what {
            What::Constant(text) => Names::Constant(text),
            What::Shape(Shape::Enumeration(enumeration)) => Names::Values(enumeration),
            _ => Names::Any,
        }
    }

    /// Why a number can't be the value.
    ///
    /// Both sides are rounded to `f64`; since rounding keeps order, what is strictly outside then is outside exactly.
    pub(super) fn refuses_number(&self, text: &str) -> Option<(Code, String)> {
        let What::Shape(shape) = self.what else { return None };
        let number: f64 = text.parse().ok()?;
        let mut below = Vec::new();
        let mut above = Vec::new();
        if let Shape::Integer { minimum, maximum } = shape {
            if number.is_finite() && number.fract() != 0.0 {
                return Some((Code::Type, "an integer".to_owned()));
            }
            below.push(*minimum);
            above.push(*maximum);
        }
        for rules in self.rules {
            below.extend(rules.minimum.into_iter().chain(rules.exclusive_minimum));
            above.extend(rules.maximum.into_iter().chain(rules.exclusive_maximum));
        }
        if let Some(limit) = below.into_iter().map(as_f64).find(|limit| number < *limit) {
            return Some((Code::Range, format!("at least {limit}")));
        }
        let limit = above.into_iter().map(as_f64).find(|limit| number > *limit)?;
        Some((Code::Range, format!("at most {limit}")))
    }

    /// A phrase for the kind of value that is expected.
    pub(super) fn describe(&self) -> String {
        let what = match self.what {
            What::Any => "a value",
            What::Constant(_) => "a string",
            What::Wrapper(_) | What::Entry(_) => "an object",
            What::Shape(shape) => match shape {
                Shape::Null => "null",
                Shape::Boolean => "a boolean",
                Shape::Integer { .. } => "an integer",
                Shape::Number => "a number",
                Shape::Enumeration(enumeration) if enumeration.integer => "an integer",
                Shape::String | Shape::JsonText | Shape::Enumeration(_) => "a string",
                Shape::Array { .. } | Shape::Map { .. } => "an array",
                Shape::Object(_) => "an object",
                Shape::Union(_) | Shape::Nullable(_) | Shape::Annotated(_) => "a value",
                #[cfg(feature = "schemars")]
                Shape::Foreign(_) => "a value",
            },
        };
        if self.nullable { format!("{what} or null") } else { what.to_owned() }
    }
}

fn as_f64(limit: Limit) -> f64 {
    match limit {
        Limit::Integer(limit) => limit as f64,
        Limit::Unsigned(limit) => limit as f64,
        Limit::Real(limit) => limit,
    }
}

impl Names {
    pub(super) fn any_begins_with(&self, text: &str, any_case: bool) -> bool {
        self.any(any_case, |name, any_case| {
            let head = name.as_bytes().get(..text.len());
            head.is_some_and(|head| head == text.as_bytes() || any_case && head.eq_ignore_ascii_case(text.as_bytes()))
        })
    }

    pub(super) fn contains(&self, text: &str, any_case: bool) -> bool {
        self.any(any_case, |name, any_case| name == text || any_case && name.eq_ignore_ascii_case(text))
    }

    /// Property names are never compared without regard to case.
    fn any(&self, any_case: bool, test: impl Fn(&str, bool) -> bool) -> bool {
        match self {
            Names::Any => true,
            Names::Fields(fields) => fields.iter().any(|field| test(field.key.name(), false)),
            Names::List(names) => names.iter().any(|name| test(name, false)),
            Names::Values(values) => values.values.iter().any(|value| test(value.name, any_case)),
            Names::Constant(text) => test(text, any_case),
        }
    }

    /// A phrase that lists them.
    pub(super) fn describe(&self) -> String {
        let names: Vec<String> = match self {
            Names::Any => Vec::new(),
            Names::Fields(fields) => fields.iter().map(|field| format!("{:?}", field.key.name())).collect(),
            Names::List(names) => names.iter().map(|name| format!("{name:?}")).collect(),
            Names::Values(values) => values.values.iter().map(|value| format!("{:?}", value.name)).collect(),
            Names::Constant(text) => vec![format!("{text:?}")],
        };
        format!("one of {}", names.join(", "))
    }
}
