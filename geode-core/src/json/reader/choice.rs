//! Texts out of a closed list: enumerations, tags and constants.

use super::Reader;
use crate::json::fault::Fault;
use crate::report::Code;
use crate::shape::{Enumeration, Union};

impl Reader<'_> {
    /// Reads a string that can only be `text`: the tag of a struct.
    #[inline(never)]
    pub fn constant(&mut self, text: &'static str) -> Option<()> {
        let at = self.offset();
        if *self.string()? == *text {
            return Some(());
        }
        self.record(at, Fault::Told(Code::Constant, format!("{text:?}")));
        None
    }

    /// Reads the version of the one schema that is known here.
    #[inline(never)]
    pub fn version(&mut self, version: &'static str) -> Option<()> {
        let at = self.offset();
        if *self.string()? == *version {
            return Some(());
        }
        self.record(
            at,
            Fault::Told(Code::Constant, format!("version {version:?}, the only one that this reader knows")),
        );
        None
    }

    /// Reads one of an enumeration's values and returns its index in declaration order; `values.len()` stands for the
    /// fallback.
    #[inline(never)]
    pub fn enumeration(&mut self, enumeration: &'static Enumeration) -> Option<usize> {
        if enumeration.integer {
            return self.enumerated_integer(enumeration);
        }
        let at = self.offset();
        let name = self.string()?;
        let values = enumeration.values;
        let bytes = name.as_bytes();
        // a match by length and first byte is nearly always the match
        let found = values.iter().position(|value| {
            let value = value.name.as_bytes();
            value.len() == bytes.len() && value.first() == bytes.first() && value == bytes
        });
        if found.is_some() {
            return found;
        }
        self.tolerated(at, &name, values.iter().map(|value| (value.name, value.aliases)))
            .or_else(|| self.fallback(at, enumeration))
    }

    #[cold]
    fn enumerated_integer(&mut self, enumeration: &'static Enumeration) -> Option<usize> {
        let at = self.offset();
        let number = self.signed_wide(i128::MIN, i128::MAX)?;
        let found = enumeration.values.iter().position(|value| value.name.parse() == Ok(number));
        found.or_else(|| self.fallback(at, enumeration))
    }

    #[cold]
    fn fallback(&mut self, at: usize, enumeration: &'static Enumeration) -> Option<usize> {
        if enumeration.fallback && self.options.stored {
            self.note(at, "an unknown value, narrowed to the fallback variant");
            return Some(enumeration.values.len());
        }
        self.record(at, Fault::Value(enumeration));
        None
    }

    /// Index of the tagged variant that is called `name`, which stands at offset `at`; `variants.len()` stands for the
    /// fallback.
    pub(super) fn variant_of(&mut self, union: &'static Union, name: &str, at: usize) -> Option<usize> {
        let variants = union.variants;
        let found = variants.iter().position(|variant| variant.name == name && !variant.untagged);
        if found.is_some() {
            return found;
        }
        let names = variants.iter().map(|variant| match variant.untagged {
            true => ("", &[][..]),
            false => (variant.name, variant.aliases),
        });
        if let Some(found) = self.tolerated(at, name, names) {
            return Some(found);
        }
        if union.fallback && self.options.stored {
            self.note(at, "an unknown variant, narrowed to the fallback");
            return Some(variants.len());
        }
        self.record(at, Fault::Tag(union));
        None
    }

    /// Index of the name that `found` stands for under the options, where no name is equal.
    #[cold]
    fn tolerated<'n>(
        &mut self,
        at: usize,
        found: &str,
        mut names: impl Iterator<Item = (&'n str, &'n [&'n str])> + Clone,
    ) -> Option<usize> {
        if self.options.any_case
            && let Some(index) = names.clone().position(|(name, _)| name.eq_ignore_ascii_case(found))
        {
            self.note(at, "differs in case from the declared name");
            return Some(index);
        }
        if self.options.stored
            && let Some(index) = names.position(|(_, aliases)| aliases.contains(&found))
        {
            self.note(at, "another name of a value");
            return Some(index);
        }
        None
    }
}
