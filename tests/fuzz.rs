//! The fuzz targets, fed from a seeded generator for a bounded time: mutations of the seeds and of what came of them.
//! `scripts/fuzz` feeds the same targets under libFuzzer, which sees the code that an input reaches; this sees nothing,
//! but needs nothing either.
//!
//! `GEODE_FUZZ_SECONDS` is the time of each target, `GEODE_FUZZ_SEED` another seed than 1.

#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "the same files are a library for libFuzzer")]
mod targets;

use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time that one input may take, on a busy machine and in an unoptimised build.
const HANGS: Duration = Duration::from_secs(20);
const MOST_BYTES: usize = 4096;
/// How many inputs are kept, to be mutated further.
const POOL: usize = 200;

#[test]
fn reader() {
    fuzz("reader", targets::reader::run);
}

#[test]
fn stream() {
    fuzz("stream", targets::stream::run);
}

#[test]
fn frames() {
    fuzz("frames", targets::frames::run);
}

#[test]
fn tolerant() {
    fuzz("tolerant", targets::tolerant::run);
}

#[test]
fn decoders() {
    fuzz("decoders", targets::decoders::run);
}

#[test]
fn schemas() {
    fuzz("schemas", targets::schemas::run);
}

fn fuzz(target: &str, run: fn(&[u8])) {
    let (seconds, seed) = (number("GEODE_FUZZ_SECONDS"), number("GEODE_FUZZ_SEED"));
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let seeds = std::fs::read_dir(fuzz.join("seeds").join(target)).expect("seeds");
    let mut seeds: Vec<_> = seeds.map(|entry| entry.expect("an entry").path()).collect();
    seeds.sort();
    let mut pool: Vec<Vec<u8>> = seeds.iter().map(|path| std::fs::read(path).expect("a seed")).collect();
    let words = words(&std::fs::read_to_string(fuzz.join("json.dict")).expect("a dictionary"));
    let mut random = Random(seed);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(seconds) {
        let input = random.mutated(&pool, &words);
        let started = Instant::now();
        let found = catch_unwind(|| run(&input)).is_err() || started.elapsed() > HANGS;
        assert!(!found, "target {target}, seed {seed}: a finding on the input b\"{}\"", input.escape_ascii());
        match pool.len() {
            POOL.. => {
                let place = seeds.len() + random.below(POOL - seeds.len());
                pool[place] = input;
            }
            _ => pool.push(input),
        }
    }
}

/// A number of the environment's; 1 where there is none.
fn number(variable: &str) -> u64 {
    std::env::var(variable).map_or(1, |value| value.parse().expect("a number"))
}

/// The words of a dictionary in libFuzzer's form: one in quotation marks a line, with `\"`, `\\` and `\x0a`.
fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let quoted = dictionary.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescaped).collect()
}

fn unescaped(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match rest.strip_prefix('x').filter(|_| c == '\\') {
            Some(escape) => {
                let (digits, behind) = escape.split_at(2);
                bytes.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
                rest = behind;
            }
            None if c == '\\' => {
                bytes.extend(rest.bytes().next());
                rest = &rest[1..];
            }
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to `limit`, exclusive; 0 where that is 0.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % (limit.max(1) as u64)) as usize
    }

    fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// An input of the pool with some changes.
    fn mutated(&mut self, pool: &[Vec<u8>], words: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.of(pool).clone();
        for _ in 0..=self.below(4) {
            let at = self.below(input.len() + 1);
            let end = (at + 1 + self.below(12)).min(input.len());
            match self.below(7) {
                0 if at < end => input[at] = self.next() as u8,
                1 if at < end => input[at] ^= 1 << self.below(8),
                2 => drop(input.drain(at..end)),
                3 => drop(input.splice(at..at, input[at..end].to_vec())),
                4 => drop(input.splice(at..end, self.of(words).clone())),
                5 => {
                    let other = self.of(pool);
                    let from = self.below(other.len());
                    input.truncate(at);
                    input.extend_from_slice(&other[from..]);
                }
                _ => drop(input.splice(at..at, self.of(words).clone())),
            }
        }
        input.truncate(MOST_BYTES);
        input
    }
}
