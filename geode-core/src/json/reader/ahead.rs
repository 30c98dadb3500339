//! What comes next in an object, told by comparing words of the text with the declared names.

use crate::json::scan::{first_word, skip_white, word};
use crate::shape::{Field, Key, Name};

/// What was read of an object's properties: what the fast path keeps at hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    /// Bits of properties that are still to come; the first 64.
    pub(super) awaited: u64,
    /// Index of the property that is expected next.
    pub(super) next: usize,
    /// What has to come before the next property: the opening brace, where the reader then still stands, or a comma.
    pub(super) due: u8,
}

/// What comes next in an object, where that takes no more than comparing bytes.
pub(super) enum Ahead {
    /// A property that is still to come, and the offset behind its colon.
    Property { index: usize, behind: usize },
    /// The end, all properties read, and the offset behind it.
    End { behind: usize },
    /// Anything else.
    Unclear,
}

impl Key {
    /// Whether the name comes at `at`, behind `due`, and directly followed by a colon. The offset behind that.
    #[inline(always)]
    pub(super) fn comes(&self, due: u8, bytes: &[u8], at: usize) -> Option<usize> {
        let Name::Short { beyond, length, text } = &self.0 else { return self.long_comes(due, bytes, at) };
        let (first, own) = (word(bytes, at)?, first_word(text)?);
        // where there is no white space, one comparison tells the first eight bytes
        let mut start = at;
        if (first ^ own ^ u64::from(due ^ b',')) << (beyond % 64) != 0 {
            let (mut at, mut first) = (at, first);
            if first as u8 <= b' ' {
                at = skip_white(bytes, at);
                first = word(bytes, at)?;
            }
            if first as u8 != due {
                return None;
            }
            at += 1;
            let mut head = first >> 8;
            if head as u8 <= b' ' {
                at = skip_white(bytes, at);
                head = word(bytes, at)?;
            }
            if differ(head, own, *beyond) {
                return None;
            }
            start = at - 1;
        }
        rest_comes(text, *length, bytes, start)
    }

    /// Whether the name comes at `at` in quotation marks, directly followed by a colon. `head` has the first seven bytes
    /// there. The offset behind the colon.
    #[inline(always)]
    fn leads(&self, head: u64, bytes: &[u8], at: usize) -> Option<usize> {
        let Name::Short { beyond, length, text } = &self.0 else { return self.long_leads(bytes, at) };
        let own = first_word(text)?;
        // the name's first letter rules out most names
        if head as u16 != (own >> 8) as u16 || differ(head, own, *beyond) {
            return None;
        }
        rest_comes(text, *length, bytes, at.checked_sub(1)?)
    }

    /// [`comes`](Self::comes) of a long name.
    #[inline(never)]
    fn long_comes(&self, due: u8, bytes: &[u8], at: usize) -> Option<usize> {
        let at = skip_white(bytes, at);
        if bytes.get(at) != Some(&due) {
            return None;
        }
        self.long_leads(bytes, skip_white(bytes, at + 1))
    }

    /// [`leads`](Self::leads) of a long name.
    #[inline(never)]
    fn long_leads(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let Name::Long { name, plain: true } = &self.0 else { return None };
        let behind = bytes.get(at..)?.strip_prefix(b"\"")?.strip_prefix(name.as_bytes())?;
        behind.starts_with(b"\":").then_some(at + name.len() + 3)
    }
}

/// Whether the first seven bytes behind the comma differ from those in `head`.
#[inline(always)]
fn differ(head: u64, own: u64, beyond: u8) -> bool {
    (head ^ own >> 8) << ((beyond + 8) % 64) != 0
}

/// Whether `own`, a text of that length whose first eight bytes do, stands from `start` on. The offset behind it.
#[inline(always)]
fn rest_comes(own: &[u8], length: u8, bytes: &[u8], start: usize) -> Option<usize> {
    let length = usize::from(length);
    let behind = start + length;
    if length > 8 {
        let (own, text) = (own.get(..length)?, bytes.get(start..behind)?);
        if own.last_chunk::<8>() != text.last_chunk() || length > 16 && word(own, 8) != word(text, 8) {
            return None;
        }
    }
    Some(behind)
}

impl Progress {
    /// Progress through an object with so many properties, at most 64 of them tracked here, of which the first `read`
    /// have been read.
    #[inline(always)]
    pub(super) fn new(count: usize, read: usize) -> Self {
        let all = if count == 0 { 0 } else { u64::MAX >> 64usize.saturating_sub(count) };
        let awaited = if read < 64 { all >> read << read } else { 0 };
        Progress { awaited, next: read, due: if read == 0 { b'{' } else { b',' } }
    }

    /// Takes what comes at `at`, if it is the name of a property still to come and stands there plainly: the expected
    /// one first. `fields` are at most 64.
    #[inline(always)]
    pub(super) fn ahead(&mut self, fields: &'static [Field], bytes: &[u8], at: usize) -> Ahead {
        let at = skip_white(bytes, at);
        if bytes.get(at) != Some(&self.due) {
            return self.end(bytes, at).map_or(Ahead::Unclear, |behind| Ahead::End { behind });
        }
        let at = skip_white(bytes, at + 1);
        let Some((index, behind)) = self.find(fields, bytes, at) else { return Ahead::Unclear };
        *self = Progress { awaited: self.awaited ^ 1 << (index % 64), next: index + 1, due: b',' };
        Ahead::Property { index, behind }
    }

    /// The offset behind the end of the object, if it comes at `at` and the object has all its properties.
    #[inline(always)]
    pub(super) fn end(&self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.awaited != 0 || self.due != b',' {
            return None;
        }
        let at = skip_white(bytes, at);
        (bytes.get(at) == Some(&b'}')).then_some(at + 1)
    }

    /// The property still to come whose name is at `at`, looked for in turn from the expected one on, and the offset
    /// behind its colon.
    #[inline(always)]
    fn find(&self, fields: &'static [Field], bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        let head = word(bytes, at)?;
        let mut left = self.awaited.rotate_right(self.next as u32 % 64);
        while left != 0 {
            let index = (self.next + left.trailing_zeros() as usize) % 64;
            if let Some(behind) = fields.get(index)?.key.leads(head, bytes, at) {
                return Some((index, behind));
            }
            left &= left - 1;
        }
        None
    }
}
