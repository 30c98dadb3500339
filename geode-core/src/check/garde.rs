//! Rules declared with garde.

use garde::Validate;

use super::Issues;

/// The rules of a type that implements [`garde::Validate`], as a business rule: `.check(check::garde)`, or
/// `#[geode(check = geode::check::garde)]`. The context is garde's own.
///
/// Its paths name Rust fields; the pointers do too.
pub fn garde<T: Validate>(value: &T, context: &T::Context, issues: &mut Issues) {
    let Err(report) = value.validate_with(context) else { return };
    for (path, error) in report.iter() {
        issues.add(pointer(&path.to_string()), "garde", error.message());
    }
}

/// `items[2].name` as `/items/2/name`.
fn pointer(path: &str) -> String {
    path.split(['.', '[', ']'])
        .filter(|part| !part.is_empty())
        .fold(String::new(), |pointer, part| pointer + "/" + &part.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use garde::{Error, Path, Report, Validate};

    use crate::check::Issues;

    struct Order(u32);

    impl Validate for Order {
        type Context = u32;
        fn validate_into(&self, most: &u32, parent: &mut dyn FnMut() -> Path, report: &mut Report) {
            if self.0 > *most {
                report.append(parent().join("items").join(2_usize).join("a/b"), Error::new("too many"));
            }
        }
    }

    #[test]
    fn issues_carry_pointers() {
        let mut issues = Issues::new();
        super::garde(&Order(3), &5, &mut issues);
        assert!(issues.is_empty());
        super::garde(&Order(7), &5, &mut issues);
        let issue = &issues.into_vec()[0];
        assert_eq!((issue.pointer.as_str(), issue.message.as_str()), ("/items/2/a~1b", "too many"));
    }
}
