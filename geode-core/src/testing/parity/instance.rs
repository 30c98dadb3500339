//! A JSON text in the making: ordered, and with every spelling of a number.

/// A JSON value whose scalars are texts already.
#[derive(Debug, Clone)]
pub(super) enum Instance {
    /// A scalar, as JSON text.
    Scalar(String),
    Array(Vec<Instance>),
    Object(Vec<(String, Instance)>),
}

impl Instance {
    pub(super) fn null() -> Self {
        Instance::Scalar("null".to_owned())
    }

    pub(super) fn string(text: &str) -> Self {
        Instance::Scalar(quoted(text))
    }

    /// The value as compact JSON text.
    pub(super) fn text(&self) -> String {
        match self {
            Instance::Scalar(text) => text.clone(),
            Instance::Array(items) => format!("[{}]", items.iter().map(Instance::text).collect::<Vec<_>>().join(",")),
            Instance::Object(members) => {
                let members: Vec<_> =
                    members.iter().map(|(name, value)| format!("{}:{}", quoted(name), value.text())).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    /// How many values there are, this one included.
    pub(super) fn size(&self) -> usize {
        1 + match self {
            Instance::Scalar(_) => 0,
            Instance::Array(items) => items.iter().map(Instance::size).sum(),
            Instance::Object(members) => members.iter().map(|(_, value)| value.size()).sum(),
        }
    }

    /// The value number `index`, counted from the root on.
    pub(super) fn at(&mut self, index: usize) -> Option<&mut Instance> {
        if index == 0 {
            return Some(self);
        }
        let mut left = index - 1;
        let children: Vec<&mut Instance> = match self {
            Instance::Scalar(_) => Vec::new(),
            Instance::Array(items) => items.iter_mut().collect(),
            Instance::Object(members) => members.iter_mut().map(|(_, value)| value).collect(),
        };
        for child in children {
            let size = child.size();
            if left < size {
                return child.at(left);
            }
            left -= size;
        }
        None
    }
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
