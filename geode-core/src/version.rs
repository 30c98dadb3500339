//! Steps from one version of a schema to the next: ordinary `From` and `TryFrom`.
//!
//! A struct says which version it is by `#[geode(version = "…")]`, and its values carry that as the constant
//! `schemaVersion`. An enum of such structs under `#[geode(versions)]` reads whichever comes, and `latest()` takes it
//! from step to step to the newest.

use std::error::Error;
use std::fmt;

/// A step from one version to the next, which can't fail. Comes from `From`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "no step leads from `{Old}` to the next version, `{Self}`",
    label = "`latest` can't get to this version",
    note = "write `impl From<{Old}> for {Self}`",
    note = "or `impl TryFrom<{Old}> for {Self}`, and `#[geode(versions, try_latest)]` on the enum"
)]
pub trait Step<Old>: Sized {
    /// Takes the step.
    fn step(old: Old) -> Self;
}

#[diagnostic::do_not_recommend]
impl<Old, New: From<Old>> Step<Old> for New {
    fn step(old: Old) -> Self {
        Self::from(old)
    }
}

/// A step from one version to the next, which can fail. Comes from `TryFrom`, so from `From` too.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "no step leads from `{Old}` to the next version, `{Self}`",
    label = "`try_latest` can't get to this version",
    note = "write `impl TryFrom<{Old}> for {Self}` with an error type that is an `Error + Send + Sync`, or `impl From`"
)]
pub trait TryStep<Old>: Sized {
    /// Takes the step between these versions.
    fn try_step(old: Old, from: &'static str, to: &'static str) -> Result<Self, MigrationError>;
}

#[diagnostic::do_not_recommend]
impl<Old, New> TryStep<Old> for New
where
    New: TryFrom<Old>,
    New::Error: Into<Box<dyn Error + Send + Sync>>,
{
    fn try_step(old: Old, from: &'static str, to: &'static str) -> Result<Self, MigrationError> {
        Self::try_from(old).map_err(|error| MigrationError { from, to, source: error.into() })
    }
}

/// A value of an old version that could not be taken to a newer one.
///
/// It shows which step failed, and nothing of the value. The conversion's own error is the [`source`](Error::source), and
/// can be downcast to its type.
#[non_exhaustive]
pub struct MigrationError {
    /// Version that the value had before the step.
    pub from: &'static str,
    /// Version that the step leads to.
    pub to: &'static str,
    source: Box<dyn Error + Send + Sync>,
}

impl fmt::Display for MigrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the value of schema version {:?} has no form in version {:?}", self.from, self.to)
    }
}

impl fmt::Debug for MigrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MigrationError").field("from", &self.from).field("to", &self.to).finish_non_exhaustive()
    }
}

impl Error for MigrationError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}
