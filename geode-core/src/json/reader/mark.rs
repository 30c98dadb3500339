//! Places to go back to: where a value that may have to be read again starts.

use super::Reader;
use super::union::Pending;
use crate::json::fault::Fault;

/// Where a value starts, and what had been found up to there.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) at: usize,
    depth: usize,
    pub(super) pending: Pending,
    faults: usize,
    /// How many faults there were, the unrecorded included.
    pub(super) count: usize,
    notes: usize,
    views: usize,
    wide: usize,
    issues: usize,
}

impl Mark {
    /// Where the value starts: at the brace, where a part of it was read already.
    pub(super) fn start(&self) -> usize {
        match self.pending {
            Pending::Body { start, .. } => start,
            _ => self.at,
        }
    }
}

impl Reader<'_> {
    /// Marks where the reader stands.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            depth: self.depth,
            pending: self.pending,
            faults: self.faults.len(),
            count: self.count(),
            notes: self.notes.len(),
            views: self.views.len(),
            wide: self.wide.len(),
            issues: self.business.as_ref().map_or(0, |business| business.issues.len()),
        }
    }

    /// Goes back to a mark; the faults recorded since then.
    pub(super) fn rewind(&mut self, mark: &Mark) -> Vec<(usize, Fault)> {
        (self.at, self.depth, self.pending) = (mark.at, mark.depth, mark.pending);
        self.unrecorded = mark.count - mark.faults;
        self.notes.truncate(mark.notes);
        self.views.truncate(mark.views);
        self.wide.truncate(mark.wide);
        if let Some(business) = &mut self.business {
            business.issues.truncate(mark.issues);
        }
        self.faults.split_off(mark.faults.min(self.faults.len()))
    }

    /// Skips the value that opens at the mark. What was recorded about it stays.
    #[cold]
    pub(super) fn abandon(&mut self, mark: &Mark) {
        self.at = mark.start();
        self.depth = mark.depth;
        self.pending = Pending::Nothing;
        self.skip();
    }
}
