//! One change to an instance.

use super::instance::{Instance, quoted};
use super::sample::Chance;

/// Scalars of every kind, edges among them.
const SCALARS: [&str; 24] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "1.5",
    "1e2",
    "255",
    "256",
    "-129",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "\"\"",
    "\"null\"",
    "\"a\"",
    "\" padded \"",
    "\"2026-13-40\"",
    "0.1",
    "1e-7",
];

/// Changes one thing, anywhere.
pub(super) fn mutate(instance: &mut Instance, chance: &mut Chance) {
    let index = chance.below(instance.size());
    let Some(value) = instance.at(index) else { return };
    if chance.one_in(4) {
        replace(value, chance);
        return;
    }
    match value {
        Instance::Scalar(text) => change_scalar(text, chance),
        Instance::Array(items) => match chance.below(4) {
            0 => {
                items.pop();
            }
            1 => items.extend(items.last().cloned()),
            2 => items.push(Instance::Scalar(scalar(chance))),
            _ => items.reverse(),
        },
        Instance::Object(members) => change_object(members, chance),
    }
}

fn scalar(chance: &mut Chance) -> String {
    (*chance.pick(&SCALARS).unwrap_or(&"null")).to_owned()
}

fn replace(value: &mut Instance, chance: &mut Chance) {
    *value = match chance.below(5) {
        0 => Instance::Array(Vec::new()),
        1 => Instance::Object(Vec::new()),
        2 => Instance::Array(vec![value.clone()]),
        _ => Instance::Scalar(scalar(chance)),
    };
}

fn change_object(members: &mut Vec<(String, Instance)>, chance: &mut Chance) {
    let index = chance.below(members.len());
    match chance.below(6) {
        0 if !members.is_empty() => {
            members.remove(index);
        }
        1 => members.push(("execute_refund".to_owned(), Instance::Scalar("true".to_owned()))),
        2 => {
            if let Some((name, _)) = members.get_mut(index) {
                *name = name.to_uppercase();
            }
        }
        3 => {
            if let Some((_, value)) = members.get_mut(index) {
                *value = Instance::null();
            }
        }
        4 => members.reverse(),
        _ => {
            if let Some((_, value)) = members.get_mut(index) {
                replace(value, chance);
            }
        }
    }
}

fn change_scalar(text: &mut String, chance: &mut Chance) {
    let is_text = text.starts_with('"');
    match chance.below(5) {
        0 => *text = scalar(chance),
        // by its characters, since an escape has none in capitals
        1 if is_text => *text = quoted(&serde_json::from_str::<String>(text).unwrap_or_default().to_uppercase()),
        2 if is_text => text.insert(1, 'x'),
        3 if is_text && text.len() > 2 && !text.contains('\\') => {
            text.pop();
            text.pop();
            text.push('"');
        }
        1 | 2 => {
            if let Ok(number) = text.parse::<i128>() {
                let near = number + if chance.one_in(2) { 1 } else { -1 };
                // The oracle reads whole numbers beyond 64 bits as floats: there only a far one is told apart.
                let exact = (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&near);
                *text = if exact { near } else { number * 10 }.to_string();
            }
        }
        // A number as text.
        _ if !is_text => *text = format!("\"{text}\""),
        _ => text.insert(1, 'é'),
    }
}
