//! A property name, prepared so that the reader can tell in a few instructions whether it comes next.

use std::fmt;

/// A property name as it stands in JSON text.
///
/// There is one for each field of each type. A name of up to 17 bytes stands in it, so that there is nothing to point to:
/// a pointer costs four times its own size in a program that can be loaded anywhere.
#[derive(Clone, Copy)]
pub struct Key(pub(crate) Name);

/// The two forms of a [`Key`].
#[derive(Clone, Copy)]
pub(crate) enum Name {
    Short {
        /// How many bits of the text's first word are behind its end.
        beyond: u8,
        /// Bytes of the text.
        length: u8,
        /// `,"name":`, or what can't be found where the name can't.
        text: [u8; ROOM],
    },
    Long {
        name: &'static str,
        /// Whether the name can be found by comparing bytes.
        plain: bool,
    },
}

/// Room for a text, so that a key comes to three words.
const ROOM: usize = 21;

/// No UTF-8 text has this byte.
const NEVER: u8 = 0xff;

impl Key {
    /// Prepares a name.
    #[expect(clippy::indexing_slicing, reason = "the length is held against that of the text before")]
    pub const fn new(name: &'static str) -> Self {
        let mut plain = true;
        let (mut text, mut length) = ([0; ROOM], 2);
        let mut left = name.as_bytes();
        while let [byte, rest @ ..] = left {
            plain &= !matches!(byte, 0..0x20 | b'"' | b'\\');
            if length < ROOM {
                text[length] = *byte;
            }
            (left, length) = (rest, length + 1);
        }
        if length + 2 > ROOM {
            return Key(Name::Long { name, plain });
        }
        text[0] = b',';
        text[1] = if plain { b'"' } else { NEVER };
        text[length] = b'"';
        text[length + 1] = b':';
        let length = length as u8 + 2;
        let beyond = if length < 8 { 64 - 8 * length } else { 0 };
        Key(Name::Short { beyond, length, text })
    }

    /// The same name, never found by comparing bytes: that of a field whose own fields stand in its place.
    pub(super) const fn absent(mut self) -> Self {
        match &mut self.0 {
            Name::Short { text, .. } => text[1] = NEVER,
            Name::Long { plain, .. } => *plain = false,
        }
        self
    }

    /// The name itself.
    pub const fn name(&self) -> &str {
        match &self.0 {
            Name::Long { name, .. } => name,
            Name::Short { .. } => match str::from_utf8(self.bytes()) {
                Ok(name) => name,
                // it was one
                Err(_) => "",
            },
        }
    }

    /// The bytes of the name.
    #[inline]
    pub(crate) const fn bytes(&self) -> &[u8] {
        match &self.0 {
            Name::Long { name, .. } => name.as_bytes(),
            Name::Short { length, text, .. } => match text.split_at_checked(*length as usize - 2) {
                Some(([_, _, name @ ..], _)) => name,
                _ => &[],
            },
        }
    }

    /// Whether this is the name.
    #[inline]
    pub(crate) fn is(&self, name: &str) -> bool {
        self.bytes() == name.as_bytes()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Key").field(&self.name()).finish()
    }
}
