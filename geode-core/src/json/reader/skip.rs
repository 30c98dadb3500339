//! Values that are not wanted: checked as JSON, and left behind.

use super::Reader;

impl Reader<'_> {
    /// Skips one value of any kind.
    #[inline(never)]
    pub(super) fn skip(&mut self) {
        match self.peek() {
            b'"' => self.skip_string(),
            b'{' => self.skip_members(b'}'),
            b'[' => self.skip_members(b']'),
            b't' if self.literal(b"true") => {}
            b'f' if self.literal(b"false") => {}
            b'n' if self.literal(b"null") => {}
            b'-' | b'0'..=b'9' => {
                let _ = self.number();
            }
            _ => self.broken(self.at, "a JSON value"),
        }
    }

    /// Skips what stands in an array or an object, and its closing mark. Recursion is bounded by the depth limit.
    fn skip_members(&mut self, close: u8) {
        self.enter();
        if self.halted {
            return;
        }
        self.at += 1;
        if self.peek() == close {
            self.at += 1;
            self.depth -= 1;
            return;
        }
        loop {
            if close == b'}' {
                if self.peek() != b'"' {
                    return self.broken(self.at, "a property name");
                }
                self.skip_string();
                if self.peek() != b':' {
                    return self.broken(self.at, "a colon");
                }
                self.at += 1;
            }
            self.skip();
            match self.peek() {
                b',' => self.at += 1,
                byte if byte == close && !self.halted => {
                    self.at += 1;
                    self.depth -= 1;
                    return;
                }
                _ if close == b'}' => return self.broken(self.at, "a comma or `}`"),
                _ => return self.broken(self.at, "a comma or `]`"),
            }
        }
    }
}
