//! The derive macro of geode. Use it through the `geode` facade.
//!
//! Three passes: tokens to `syntax` (what is written, every span kept), to `model` (what is true, by `lower`), to
//! tokens again (`expand`, which can't fail).

// No panic on outside input (CONTRIBUTING, rule 8). An exception says in one sentence why it can't fail.
#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]
#![cfg_attr(not(test), warn(clippy::string_slice, clippy::unreachable))]

use proc_macro::TokenStream;

mod case;
mod diag;
mod expand;
mod function;
mod lower;
mod model;
mod partial;
mod syntax;
mod tool;
mod tools;

/// Derives `StructuredOutput`: the wire form of a type, its parser and its encoder.
///
/// Reads the attributes `geode` and `serde`, and those of `schemars`, `validate` and `garde` that mean the same.
///
/// # Versions
///
/// `#[geode(version = "2")]` on a struct puts the constant `schemaVersion` first. `#[geode(versions)]` on an enum of such
/// structs reads whichever comes: the wire form is each version's own object, and `schemaVersion` says which it is. The
/// derive adds `latest(self)`, which takes a value by `From` from each version, in declaration order, to the next. With
/// `#[geode(versions, try_latest)]` it is `try_latest(self)` and goes by `TryFrom`.
///
/// ```
/// # use geode::StructuredOutput;
/// #[derive(StructuredOutput)]
/// #[geode(version = "1")]
/// struct TicketV1 { urgent: bool }
///
/// #[derive(StructuredOutput)]
/// #[geode(version = "2")]
/// struct TicketV2 { priority: u8 }
///
/// impl From<TicketV1> for TicketV2 {
///     fn from(old: TicketV1) -> Self {
///         TicketV2 { priority: if old.urgent { 1 } else { 3 } }
///     }
/// }
///
/// #[derive(StructuredOutput)]
/// #[geode(versions)]
/// enum AnyTicket { V1(TicketV1), V2(TicketV2) }
///
/// let stored: AnyTicket = geode::from_str(r#"{"schemaVersion": "1", "urgent": true}"#)?;
/// assert_eq!(stored.latest().priority, 1);
/// # Ok::<(), geode::report::Report>(())
/// ```
///
/// # Recursion
///
/// A type that names itself needs nothing. Of types that name each other, one edge of the circle has to be marked, or be
/// behind `Box`, `Rc` or `Arc`; else the compiler reports a cycle (E0391) when it evaluates `SHAPE`:
///
/// ```
/// # use geode::StructuredOutput;
/// #[derive(StructuredOutput)]
/// struct Folder { files: Vec<File> }
///
/// #[derive(StructuredOutput)]
/// struct File {
///     #[geode(recursive)]
///     links: Vec<Folder>,
/// }
/// ```
///
/// # Hot types
///
/// The derive makes little code: one loop reads the properties of all types. `#[geode(hot)]` on a struct makes code of
/// its own, which reads the properties in a straight line for as long as they come in the declared order, and leaves the
/// rest to that loop. Nothing but the speed changes: schema, verdicts and reports are the same. It pays where most of the
/// time goes, on the elements of a long list for one, and costs some 700 bytes of code a property. The part `parse` of the
/// benchmarks shows both ways.
///
/// ```
/// # use geode::StructuredOutput;
/// #[derive(StructuredOutput)]
/// #[geode(hot)]
/// struct Line { sku: String, quantity: u32 }
///
/// #[derive(StructuredOutput)]
/// struct Invoice { lines: Vec<Line> }
///
/// let invoice: Invoice = geode::from_str(r#"{"lines": [{"sku": "A-1", "quantity": 2}]}"#)?;
/// assert_eq!(invoice.lines[0].quantity, 2);
/// # Ok::<(), geode::report::Report>(())
/// ```
#[proc_macro_derive(StructuredOutput, attributes(geode, serde, schemars, validate, garde))]
pub fn structured_output(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    expand::derive(&input).into()
}

/// Derives `Partial`: a view of a value that is still coming, in which each field is pending, growing or done.
///
/// For a struct `Ticket` it makes `TicketPartial`, with the same field names; for an enum with data an enum of the same
/// variants, which is there as soon as the tag is complete. An enum without data is shown as itself. A field of a type
/// without a partial view is shown untyped by `#[partial(preview)]`.
///
/// ```
/// # use geode::{Partial, StructuredOutput, json::stream::PushParser};
/// #[derive(StructuredOutput, Partial)]
/// #[serde(tag = "by", rename_all = "lowercase")]
/// enum Payment {
///     Card { number: String },
///     Cash,
/// }
///
/// let mut parser = PushParser::new();
/// parser.push_str(r#"{"by": "card", "number": "49"#)?;
/// let payment = parser.preview().and_then(Payment::view);
/// let Some(PaymentPartial::Card { number }) = payment else { panic!() };
/// assert_eq!((number.shown(), number.is_done()), (Some(&"49"), false));
/// # Ok::<(), geode::json::stream::StreamError>(())
/// ```
#[proc_macro_derive(Partial, attributes(partial, geode, serde, schemars, validate, garde))]
pub fn partial(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    partial::derive(&input).into()
}

/// Makes a tool of an async function.
///
/// Beside the function, which stays as it is, there is then a unit struct with its name in Pascal case (`lookup_order`
/// gives `LookupOrder`) that implements `geode::tool::Tool`. The doc comment is the description that the model reads.
/// The parameters become the properties of the arguments, their doc comments and `#[geode(…)]` attributes included; a
/// parameter `args` is the whole of the arguments instead, and one under `#[context]` gets the `ToolContext`.
///
/// Words: `tier = "safe" | "pre_approved" | "expensive" | "write" | "dangerous"` (`"write"` where it is left out),
/// `name = "…"`, `description = "…"`, `timeout = "30s"`, `authorize = path` (an async function from the arguments and the
/// `Caller` to `Result<(), Denial>`), `struct = "…"`, `crate = path`.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(attribute.into(), item.into()).into()
}

/// Derives `geode::tool::Tools` for an enum whose variants are tools.
///
/// A variant's fields become the properties of the arguments, their doc comments and `#[geode(…)]` attributes included; of
/// `Refund(RefundArguments)` the one field is the whole of the arguments, and a variant without fields takes none. The doc
/// comment is the description that the model reads, the name is the variant's in snake case. `Enum::tools` makes the set,
/// with one place that runs every call.
///
/// Words on a variant: `tier = "safe" | "pre_approved" | "expensive" | "write" | "dangerous"` (`"write"` where it is left
/// out), `name = "…"`, `description = "…"`, `timeout = "30s"`. On the enum: `tier` and `timeout` for the variants that set
/// none, `crate = path`.
#[proc_macro_derive(Tools, attributes(geode, serde, schemars, validate, garde))]
pub fn tools(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    tools::derive(&input).into()
}

/// Turns the signature of an async fn into a typed call: `user` is the prompt, and each `{placeholder}` in it one of the
/// parameters behind the client.
///
/// ```ignore
/// #[geode::function(system = "Sort support mail by subject.", user = "Classify: {message}")]
/// async fn classify(client: &Client, message: &str) -> Result<Ticket, CallError>;
/// ```
///
/// Values are inserted as data, each in a tagged block in which nothing can end the block, and the instructions say so;
/// `system` takes no placeholders. A second function, `classify_prompt`, renders the prompt without a call.
///
/// Words: `system`, `system_file`, `user`, `user_file` (files are relative to the package's folder), and the settings
/// `model`, `mode`, `require`, `reading`, `retry`, `deadline`, `max_output_tokens`, `temperature`, `prompt_release`,
/// `check`, `check_async` and `fallback`, each an expression for the method of that name on `Call`; the last three may
/// come several times. A parameter under `#[context]` is what the checks see; it stays out of the prompt. The function
/// returns `Result<T, CallError>` or `Result<Accepted<T>, CallError>`.
#[proc_macro_attribute]
pub fn function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(arguments.into(), item.into()).into()
}
