//! Holding values against rules.

use super::Reader;
use crate::json::Writer;
use crate::json::fault::Fault;
use crate::json::number::{Exact, lex};
use crate::output::StructuredOutput;
use crate::report::{Code, counted};
use crate::shape::{Limit, Rules};
use serde_json::Value;
use std::cmp::Ordering;

impl Reader<'_> {
    /// Reads a value and holds it against the rules of the field that it is for.
    #[inline]
    pub fn checked<T: StructuredOutput>(&mut self, rules: &'static Rules) -> Option<T> {
        let at = self.offset();
        let value = self.held::<T>(Some(rules))?;
        if rules.unique_items {
            value.check_distinct(at, self);
        }
        Some(value)
    }

    /// Reads a value and holds it against rules, where there are any: all but that elements differ, which takes code
    /// that writes them.
    #[inline]
    pub(super) fn held<T: StructuredOutput>(&mut self, rules: Option<&'static Rules>) -> Option<T> {
        match rules {
            Some(rules) if const { T::TAKES_RULES } => self.held_under(rules),
            _ => T::read(self),
        }
    }

    #[inline(never)]
    fn held_under<T: StructuredOutput>(&mut self, rules: &'static Rules) -> Option<T> {
        let at = self.offset();
        if rules.inner.is_some() || rules.min_items.is_some() || rules.max_items.is_some() {
            self.list_rules = Some(rules);
        }
        let value = T::read(self);
        self.list_rules = None;
        let value = value?;
        self.hold(&value, rules, at);
        Some(value)
    }

    /// Holds a value against the rules of the field that it is for.
    #[inline]
    pub(super) fn hold<T: StructuredOutput>(&mut self, value: &T, rules: &'static Rules, at: usize) {
        value.check(rules, at, self);
        // A constant takes code that writes the value: most types have none, which the compiler knows.
        if const { T::TAKES_CONSTANT } && rules.constant.is_some() {
            self.check_constant(value, rules, at);
        }
    }

    /// Holds a value against the one value allowed.
    #[cold]
    #[inline(never)]
    fn check_constant<T: StructuredOutput>(&mut self, value: &T, rules: &Rules, at: usize) {
        self.check_written(&Writer::write(value), rules, at);
    }

    /// The same for a value in wire form.
    fn check_written(&mut self, written: &str, rules: &Rules, at: usize) {
        let Some(constant) = rules.constant else { return };
        // Rules hold for what is there: as with any other, `null` stays one of the values of an `Option`.
        if written == "null" {
            return;
        }
        if written != constant && !is_same(written, constant) {
            self.record(at, Fault::Told(Code::Constant, constant.to_owned()));
        }
    }

    /// Holds a text against length, pattern and format.
    #[inline(never)]
    pub fn check_text(&mut self, text: &str, rules: &Rules, at: usize) {
        // a text of n bytes has between n / 4 and n characters: most often that decides
        let bytes = text.len();
        let (minimum, maximum) = (rules.min_length.unwrap_or(0), rules.max_length.unwrap_or(usize::MAX));
        if bytes > maximum || bytes.div_ceil(4) < minimum {
            self.check_length(text.chars().count(), rules, at);
        }
        if let Some(pattern) = rules.pattern
            && !(pattern.is_match)(text)
        {
            self.record(at, Fault::Told(Code::Pattern, ["text that matches ", pattern.source].concat()));
        }
        if let Some(format) = rules.format
            && !(format.accepts)(text)
        {
            self.record(at, Fault::Plain(Code::Format, format.format.phrase()));
        }
    }

    #[cold]
    fn check_length(&mut self, count: usize, rules: &Rules, at: usize) {
        if let Some(minimum) = rules.min_length
            && count < minimum
        {
            self.record(at, Fault::Told(Code::Length, counted("at least", minimum, "character")));
        }
        if let Some(maximum) = rules.max_length
            && count > maximum
        {
            self.record(at, Fault::Told(Code::Length, counted("at most", maximum, "character")));
        }
    }

    /// Holds an integer against its limits.
    #[inline(never)]
    pub fn check_integer(&mut self, value: impl Into<i128>, rules: &Rules, at: usize) {
        let value = value.into();
        let exact = Exact { negative: value < 0, magnitude: value.unsigned_abs() };
        self.check_exact(exact, rules, at);
    }

    /// Holds an integer that may be beyond [`i128::MAX`] against its limits.
    pub fn check_unsigned(&mut self, value: u128, rules: &Rules, at: usize) {
        self.check_exact(Exact { negative: false, magnitude: value }, rules, at);
    }

    fn check_exact(&mut self, value: Exact, rules: &Rules, at: usize) {
        self.check_limits(|limit| Some(value.compare(limit)), rules, at);
        if let Some(step) = rules.multiple_of
            && !value.is_multiple_of(step)
        {
            self.record(at, Fault::Told(Code::MultipleOf, format!("a multiple of {step}")));
        }
    }

    /// Holds a number against its limits.
    #[inline(never)]
    pub fn check_real(&mut self, value: f64, rules: &Rules, at: usize) {
        self.check_limits(|limit| compare_real(value, limit), rules, at);
        if let Some(step) = rules.multiple_of
            && !real_is_multiple_of(value, step.real())
        {
            self.record(at, Fault::Told(Code::MultipleOf, format!("a multiple of {step}")));
        }
    }

    /// Holds a single-precision number, which stands at offset `at`, against its limits: as the text has it. 0.3 is at most
    /// 0.3, and a multiple of 0.1, while the nearest single-precision number is neither.
    #[inline(never)]
    pub(crate) fn check_single(&mut self, value: f32, rules: &Rules, at: usize) {
        let written = lex(self.text, at).map_or(f64::from(value), |(number, _)| number.real());
        self.check_real(written, rules, at);
    }

    #[inline(always)]
    fn check_limits(&mut self, compare: impl Fn(Limit) -> Option<Ordering>, rules: &Rules, at: usize) {
        if let Some(limit) = rules.minimum
            && compare(limit) == Some(Ordering::Less)
        {
            self.out_of_range(at, "at least", limit);
        }
        if let Some(limit) = rules.maximum
            && compare(limit) == Some(Ordering::Greater)
        {
            self.out_of_range(at, "at most", limit);
        }
        if let Some(limit) = rules.exclusive_minimum
            && compare(limit) != Some(Ordering::Greater)
        {
            self.out_of_range(at, "more than", limit);
        }
        if let Some(limit) = rules.exclusive_maximum
            && compare(limit) != Some(Ordering::Less)
        {
            self.out_of_range(at, "less than", limit);
        }
    }

    #[cold]
    #[inline(never)]
    fn out_of_range(&mut self, at: usize, relation: &str, limit: Limit) {
        self.record(at, Fault::Told(Code::Range, format!("{relation} {limit}")));
    }

    /// Holds a list against the rules that stand on its field: its length, and that no element comes twice.
    pub fn check_list<'v, T: StructuredOutput + 'v>(
        &mut self,
        list: impl ExactSizeIterator<Item = &'v T>,
        rules: &Rules,
        at: usize,
    ) {
        self.check_count(list.len(), rules, at);
        if rules.unique_items {
            self.check_distinct(list, at);
        }
    }

    /// Holds a list's elements against each other.
    pub(crate) fn check_distinct<'v, T: StructuredOutput + 'v>(
        &mut self,
        list: impl Iterator<Item = &'v T>,
        at: usize,
    ) {
        // equal values have equal wire forms, and no other equality can be asked of every type
        self.check_unique(&mut list.map(Writer::write), at);
    }

    /// Holds elements in wire form against each other.
    fn check_unique(&mut self, elements: &mut dyn Iterator<Item = String>, at: usize) {
        let mut seen = std::collections::HashSet::new();
        for element in elements {
            if !seen.insert(element) {
                return self.record(at, Fault::Plain(Code::Unique, "no element twice"));
            }
        }
    }
}

impl Exact {
    /// The integer as an `i128`, where it is one.
    pub(in crate::json) fn signed(self) -> Option<i128> {
        match self.negative {
            false => i128::try_from(self.magnitude).ok(),
            true => 0i128.checked_sub_unsigned(self.magnitude),
        }
    }

    pub(super) fn at_least(self, limit: Limit) -> bool {
        self.compare(limit) != Ordering::Less
    }

    pub(super) fn at_most(self, limit: Limit) -> bool {
        self.compare(limit) != Ordering::Greater
    }

    fn compare(self, limit: Limit) -> Ordering {
        // what is no i128 is above all of them, or below
        let beyond = if self.negative { Ordering::Less } else { Ordering::Greater };
        match (self.signed(), limit) {
            (Some(value), Limit::Integer(limit)) => value.cmp(&limit),
            (None, Limit::Integer(_)) => beyond,
            (_, Limit::Unsigned(_)) if self.negative => Ordering::Less,
            (_, Limit::Unsigned(limit)) => self.magnitude.cmp(&limit),
            (_, Limit::Real(limit)) if limit.abs() >= 2f64.powi(126) => {
                let value = self.magnitude as f64 * if self.negative { -1.0 } else { 1.0 };
                value.partial_cmp(&limit).unwrap_or(Ordering::Equal)
            }
            (Some(value), Limit::Real(limit)) => {
                let floor = limit.floor();
                value.cmp(&(floor as i128)).then(if limit > floor { Ordering::Less } else { Ordering::Equal })
            }
            (None, Limit::Real(_)) => beyond,
        }
    }

    fn is_multiple_of(self, step: Limit) -> bool {
        match step {
            Limit::Integer(step) => self.magnitude.is_multiple_of(step.unsigned_abs()),
            Limit::Unsigned(step) => self.magnitude.is_multiple_of(step),
            Limit::Real(step) => real_is_multiple_of(self.magnitude as f64, step),
        }
    }
}

/// Whether two JSON texts hold the same value: 1 is 1.0.
#[cold]
fn is_same(written: &str, constant: &str) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    match (value(written), value(constant)) {
        (Some(Value::Number(a)), Some(Value::Number(b))) if a.is_f64() || b.is_f64() => a.as_f64() == b.as_f64(),
        (a, b) => a == b,
    }
}

#[inline(always)]
fn compare_real(value: f64, limit: Limit) -> Option<Ordering> {
    value.partial_cmp(&limit.real())
}

/// Whether `value` is a whole multiple of `step`, both taken as the decimals that their shortest spellings are: 0.3 is
/// a multiple of 0.1.
fn real_is_multiple_of(value: f64, step: f64) -> bool {
    let ((value, value_scale), (step, step_scale)) = (decimal(value), decimal(step));
    if value == 0 || step == 0 {
        return value == 0;
    }
    let (value, step) = (u128::from(value), u128::from(step));
    let Ok(zeros) = u32::try_from(value_scale - step_scale) else {
        // the step has the larger power of ten, which must divide the value's seventeen digits
        let power = 10u128.checked_pow(step_scale.abs_diff(value_scale));
        let step = power.and_then(|power| step.checked_mul(power));
        return step.is_some_and(|step| value % step == 0);
    };
    // both are below 10^17, so no product overflows
    (0..zeros).fold(value % step, |rest, _| rest * 10 % step) == 0
}

/// The digits of a number's shortest spelling, without its sign, and the power of ten that they count.
fn decimal(number: f64) -> (u64, i32) {
    let spelling = format!("{:e}", number.abs());
    let (mantissa, exponent) = spelling.split_once('e').unwrap_or((&spelling, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}").parse().unwrap_or(0);
    (digits, exponent.parse::<i32>().unwrap_or(0) - fraction.len() as i32)
}
