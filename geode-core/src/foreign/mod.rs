//! Types of other crates through schemars and serde, both ways: carried in ours (`#[geode(schemars)]`), and ours carried
//! in theirs (`#[geode(json_schema)]`, [`Wire`]).

mod align;
mod contract;
mod names;
mod width;
mod wire;

pub use wire::{Wire, json_schema, schema_name};

use std::any::type_name;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::impls::Schemars;
use crate::json::{Reader, Writer};
use crate::output::Carrier;
use crate::raw_schema::broken;
use crate::report::Report;
use crate::schema::read_value;
use crate::shape::{Foreign, Rules, Shape};
use contract::{Contract, contract};

/// The value is held against the type's schema, as the `jsonschema` crate reads it, then given to serde.
impl<T: JsonSchema + Serialize + DeserializeOwned + 'static> Carrier<T> for Schemars {
    const SHAPE: &'static Shape = &Shape::Foreign(&Foreign {
        name: || T::schema_name().into_owned(),
        id: type_name::<T>,
        takes_null: || contract::<T>().is_ok_and(|contract| contract.takes_null()),
        schema: || contract::<T>().map(|contract| contract.text()),
    });

    fn absent() -> Option<T> {
        if contract::<T>().is_ok_and(|contract| contract.takes_null()) {
            T::deserialize(Value::Null).ok()
        } else {
            None
        }
    }

    /// Rules that stand on the field are refused at compile time: the type's schema has its own.
    fn read(reader: &mut Reader<'_>, _: &'static Rules) -> Option<T> {
        let at = reader.offset();
        let text = reader.document()?;
        let contract = match contract::<T>() {
            Ok(contract) => contract,
            Err(reasons) => {
                reasons.iter().for_each(|unfit| reader.unfit(at, &unfit.reason));
                return None;
            }
        };
        match value(&contract, text, reader, at) {
            Ok(value) => reader.converted(at, type_name::<T>(), T::deserialize(value)),
            Err(report) => {
                report.violations.into_iter().for_each(|violation| reader.violated(at, violation));
                None
            }
        }
    }

    /// A value that serde can't write as JSON becomes `null`.
    fn write(value: &T, writer: &mut Writer) {
        let mut value = serde_json::to_value(value).unwrap_or_default();
        if let Ok(contract) = contract::<T>() {
            contract.fill(&mut value);
        }
        writer.json(&value);
    }
}

/// The value in the text, for serde, once the contract holds.
fn value(contract: &Contract, text: &str, reader: &mut Reader<'_>, at: usize) -> Result<Value, Report> {
    let mut value = read_value(text).map_err(|error| broken(text, &error))?;
    if contract.lift(&mut value, reader.options()) {
        reader.tolerate(at, "differs in case from the declared name");
    }
    contract.check(&value)?;
    Ok(contract.for_serde(value))
}
