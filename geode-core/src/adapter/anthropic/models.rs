//! What depends on the model.

use crate::adapter::AdapterFault;

/// A Claude model's line and version, read from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Family<'a> {
    line: &'a str,
    version: (u16, u16),
}

impl<'a> Family<'a> {
    /// Reads `claude-sonnet-4-6`, `claude-3-5-haiku-20241022`, `us.anthropic.claude-opus-5-5-v1:0`; `None` for a model
    /// that is no Claude.
    pub(crate) fn of(model: &'a str) -> Option<Self> {
        let (_, name) = model.split_once("claude-")?;
        let words = || name.split(['-', '.', ':', '@']);
        let line = words().find(|word| word.starts_with(|c: char| c.is_ascii_lowercase()) && word.len() > 2)?;
        // One or two digits: longer numbers are dates.
        let mut numbers = words().filter(|word| word.len() <= 2).map_while(|word| word.parse::<u16>().ok());
        let mut version = (numbers.next(), numbers.next());
        if version.0.is_none() {
            let mut behind = words().skip_while(|word| *word != line).skip(1);
            let mut number = || behind.next().filter(|word| word.len() <= 2).and_then(|word| word.parse().ok());
            version = (number(), number());
        }
        Some(Family { line, version: (version.0?, version.1.unwrap_or(0)) })
    }

    pub(crate) fn has_structured_output(self) -> bool {
        self.version >= (4, 5) || (self.line == "opus" && self.version == (4, 1))
    }

    pub(crate) fn refuses_forced_choice(self) -> bool {
        self.version >= (5, 5) || (self.line == "fable" && self.version >= (5, 1))
    }

    /// Since 4.7, `temperature` and its like are refused.
    pub(crate) fn refuses_temperature(self) -> bool {
        self.version >= (4, 7)
    }

    /// OAuth tokens work with other models only behind the identity of Claude Code.
    pub(crate) fn needs_identity(self) -> bool {
        self.line != "haiku"
    }
}

/// Refuses a forced call that the model would refuse.
pub(crate) fn allow_forced_choice(model: &str, family: Option<Family<'_>>) -> Result<(), AdapterFault> {
    match family {
        Some(family) if family.refuses_forced_choice() => Err(AdapterFault::Unsupported {
            reason: format!("{model} can't be made to call a tool: leave the tool choice to it (`auto`)"),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::Family;

    #[test]
    fn names_of_every_generation_are_read() {
        let cases = [
            ("claude-sonnet-4-6", "sonnet", (4, 6)),
            ("claude-3-5-haiku-20241022", "haiku", (3, 5)),
            ("claude-3-opus-20240229", "opus", (3, 0)),
            ("claude-sonnet-4-20250514", "sonnet", (4, 0)),
            ("claude-haiku-4-5@20251001", "haiku", (4, 5)),
            ("us.anthropic.claude-opus-5-5-v1:0", "opus", (5, 5)),
            ("anthropic/claude-fable-5.1", "fable", (5, 1)),
        ];
        for (model, line, version) in cases {
            assert_eq!(Family::of(model), Some(Family { line, version }), "{model}");
        }
        assert_eq!(Family::of("gpt-5.4"), None);
    }

    #[test]
    fn the_newest_models_refuse_forced_calls_and_temperature() {
        let family = |model| Family::of(model).unwrap();
        assert!(family("claude-opus-5-5").refuses_forced_choice());
        assert!(family("claude-fable-5-1").refuses_forced_choice());
        assert!(!family("claude-opus-5-1").refuses_forced_choice());
        assert!(family("claude-opus-4-7").refuses_temperature());
        assert!(!family("claude-sonnet-4-6").refuses_temperature());
        assert!(!family("claude-sonnet-4-20250514").has_structured_output());
        assert!(family("claude-opus-4-1").has_structured_output());
    }
}
