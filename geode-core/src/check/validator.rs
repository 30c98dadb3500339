//! Rules declared with validator.

use validator::{Validate, ValidationError, ValidationErrors, ValidationErrorsKind};

use super::Issues;

/// The rules of a type that implements [`validator::Validate`], as a business rule: `.check(check::validator)`, or
/// `#[geode(check = geode::check::validator)]`. An issue's code is that of the rule (`range`, `length`, a code of your
/// own).
///
/// Its errors name Rust fields; the pointers do too. Rules with arguments (`ValidateArgs`) want a closure of yours.
pub fn validator<T: Validate>(value: &T, _: &(), issues: &mut Issues) {
    let Err(errors) = value.validate() else { return };
    let mut found = Vec::new();
    collect(&errors, "", &mut found);
    // They come out of a hash map.
    found.sort();
    for (pointer, code, message) in found {
        issues.add(pointer, code, message);
    }
}

/// Pointer, code and message of each error.
fn collect(errors: &ValidationErrors, pointer: &str, found: &mut Vec<(String, String, String)>) {
    for (field, kind) in errors.errors() {
        // Rules on the whole value, and on the elements of a list that is the value, stand under names of their own.
        let place = match field.as_ref() {
            "__all__" | "_tmp_validator" => pointer.to_owned(),
            field => format!("{pointer}/{field}"),
        };
        match kind {
            ValidationErrorsKind::Field(errors) => {
                found.extend(errors.iter().map(|error| (place.clone(), error.code.to_string(), message(error))));
            }
            ValidationErrorsKind::Struct(errors) => collect(errors, &place, found),
            ValidationErrorsKind::List(elements) => {
                elements.iter().for_each(|(index, errors)| collect(errors, &format!("{place}/{index}"), found));
            }
        }
    }
}

/// The rule's own words, or its code with what it allows.
fn message(error: &ValidationError) -> String {
    if let Some(message) = &error.message {
        return message.to_string();
    }
    let mut allowed: Vec<String> = error
        .params
        .iter()
        .filter(|(name, _)| *name != "value")
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    allowed.sort();
    match allowed.as_slice() {
        [] => format!("breaks the rule `{}`", error.code),
        allowed => format!("breaks the rule `{}`: {}", error.code, allowed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use validator::{Validate, ValidationError, ValidationErrors};

    use crate::check::Issues;

    struct Line(u32);

    impl Validate for Line {
        fn validate(&self) -> Result<(), ValidationErrors> {
            let mut errors = ValidationErrors::new();
            if self.0 > 5 {
                let mut range = ValidationError::new("range");
                range.add_param("min".into(), &1);
                range.add_param("max".into(), &5);
                range.add_param("value".into(), &self.0);
                errors.add("count", range);
            }
            if errors.is_empty() { Ok(()) } else { Err(errors) }
        }
    }

    struct Order {
        lines: Vec<Line>,
        gift: Line,
    }

    impl Validate for Order {
        fn validate(&self) -> Result<(), ValidationErrors> {
            let mut errors = ValidationErrors::new();
            if self.lines.len() < 2 {
                errors.add("__all__", ValidationError::new("too_few").with_message("two lines at least".into()));
            }
            errors.merge_self("lines", self.lines.validate()).merge_self("gift", self.gift.validate());
            if errors.is_empty() { Ok(()) } else { Err(errors) }
        }
    }

    fn issues<T: Validate>(value: &T) -> Vec<(String, String, String)> {
        let mut issues = Issues::new();
        super::validator(value, &(), &mut issues);
        issues.into_vec().into_iter().map(|issue| (issue.pointer, issue.code, issue.message)).collect()
    }

    #[test]
    fn every_error_is_an_issue_with_its_pointer() {
        assert!(issues(&Order { lines: vec![Line(1), Line(2)], gift: Line(3) }).is_empty());
        let range = |pointer: &str| {
            let message = "breaks the rule `range`: max 5, min 1";
            (pointer.to_owned(), "range".to_owned(), message.to_owned())
        };
        let all = (String::new(), "too_few".to_owned(), "two lines at least".to_owned());
        let found = issues(&Order { lines: vec![Line(7)], gift: Line(8) });
        assert_eq!(found, [all, range("/gift/count"), range("/lines/0/count")]);
        assert_eq!(issues(&vec![Line(1), Line(9)]), [range("/1/count")]);
    }
}
