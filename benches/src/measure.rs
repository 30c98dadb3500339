//! CPU time, medians, and the lines that name targets.

use cpu_time::ThreadTime;

/// One way to do the work.
pub(crate) struct Case<'a> {
    pub(crate) name: String,
    /// Does the work once.
    pub(crate) run: Box<dyn FnMut() + 'a>,
    /// How many times the work's result has to be counted: more than 1 where `run` does a sample of it.
    pub(crate) scale: f64,
}

impl<'a> Case<'a> {
    pub(crate) fn new(name: impl Into<String>, run: impl FnMut() + 'a) -> Self {
        Case { name: name.into(), run: Box::new(run), scale: 1.0 }
    }
}

/// Runs the cases in turn, `rounds` times, each long enough to be measured. Returns the median of each in nanoseconds.
pub(crate) fn medians(cases: &mut [Case<'_>], rounds: usize) -> Vec<f64> {
    let repeats: Vec<u32> = cases
        .iter_mut()
        .map(|case| {
            (case.run)();
            let started = ThreadTime::now();
            (case.run)();
            let once = started.elapsed().as_nanos().max(1);
            (2_000_000 / once).clamp(1, 100_000) as u32
        })
        .collect();
    let mut samples = vec![Vec::with_capacity(rounds); cases.len()];
    for _ in 0..rounds {
        for ((case, &repeats), samples) in cases.iter_mut().zip(&repeats).zip(&mut samples) {
            let started = ThreadTime::now();
            for _ in 0..repeats {
                (case.run)();
            }
            samples.push(started.elapsed().as_nanos() as f64 / f64::from(repeats) * case.scale);
        }
    }
    samples.into_iter().map(median).collect()
}

/// The middle one.
pub(crate) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Prints whether a figure keeps below its bound.
pub(crate) fn target(name: &str, figure: f64, bound: f64) {
    let verdict = if figure <= bound { "ok" } else { "short" };
    println!("target {name} {figure:.2} {bound:.2} {verdict}");
}
