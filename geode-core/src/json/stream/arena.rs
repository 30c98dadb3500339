//! A list that grows without moving what is in it.

/// Values of a block: so many that blocks cost nothing, so few that an unfilled one wastes little.
const BLOCK: usize = 512;

/// Values by index, in blocks. Fresh memory is what a long text's values cost most, and a single list would ask for all
/// of it anew each time it grows.
#[derive(Debug)]
pub(super) struct Arena<T> {
    first: Vec<T>,
    rest: Vec<Vec<T>>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { first: Vec::new(), rest: Vec::new() }
    }
}

impl<T> Arena<T> {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.rest.last().map_or(self.first.len(), |last| self.rest.len() * BLOCK + last.len())
    }

    #[inline]
    pub(super) fn push(&mut self, value: T) {
        let last = self.rest.last_mut().unwrap_or(&mut self.first);
        if last.len() < BLOCK {
            last.push(value);
        } else {
            self.push_block(value);
        }
    }

    #[cold]
    fn push_block(&mut self, value: T) {
        let mut block = Vec::with_capacity(BLOCK);
        block.push(value);
        self.rest.push(block);
    }

    #[inline]
    pub(super) fn first(&self) -> Option<&T> {
        self.first.first()
    }

    #[inline]
    pub(super) fn last_mut(&mut self) -> Option<&mut T> {
        self.rest.last_mut().unwrap_or(&mut self.first).last_mut()
    }

    pub(super) fn get(&self, index: usize) -> Option<&T> {
        match (index / BLOCK).checked_sub(1) {
            None => self.first.get(index),
            Some(block) => self.rest.get(block)?.get(index % BLOCK),
        }
    }

    #[inline]
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        match (index / BLOCK).checked_sub(1) {
            None => self.first.get_mut(index),
            Some(block) => self.rest.get_mut(block)?.get_mut(index % BLOCK),
        }
    }
}
