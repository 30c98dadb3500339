//! The function under the attribute: its parameters, its result, and what it is called.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Attribute, FnArg, Ident, ItemFn, Pat, ReturnType, Type, Visibility};

use super::words::{Words, legal};
use crate::diag::Sink;
use crate::syntax::doc;

/// The function as a tool.
pub(super) struct Tool {
    /// The conditions under which the function is compiled.
    pub(super) conditions: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) function: Ident,
    /// The unit struct that is the tool.
    pub(super) structure: Ident,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) arguments: Arguments,
    pub(super) parameters: Vec<Parameter>,
    pub(super) output: Type,
}

/// Where the type of the arguments comes from.
pub(super) enum Arguments {
    /// From the one parameter `args`.
    Whole(Type),
    /// Made of the parameters.
    Made { structure: Ident, fields: Vec<Field> },
}

/// A parameter that becomes a property.
pub(super) struct Field {
    pub(super) attributes: Vec<Attribute>,
    pub(super) name: Ident,
    pub(super) kind: Type,
}

/// What a parameter of the function gets.
pub(super) enum Parameter {
    Argument(Ident),
    Whole,
    Context,
}

/// Whether an attribute on a parameter is ours to take off.
pub(super) fn is_ours(attribute: &Attribute) -> bool {
    ["doc", "geode", "serde", "context"].iter().any(|name| attribute.path().is_ident(name))
}

pub(super) fn parse(item: &ItemFn, words: &Words, sink: &Sink) -> Option<Tool> {
    let signature = &item.sig;
    if signature.asyncness.is_none() {
        sink.error(signature.fn_token.span(), "a tool is an async function\nhelp: write `async fn`");
    }
    if !signature.generics.params.is_empty() || signature.generics.where_clause.is_some() {
        let message = "a tool can't be generic: its schema would not be known\nhelp: name the types";
        sink.error(signature.generics.span(), message);
    }
    let bare = signature.ident.unraw().to_string();
    if words.name.is_none() && !legal(&bare) {
        let message =
            "providers refuse this name\nhelp: add `name = \"…\"` with 1 to 64 ASCII letters, digits, `_` and `-`";
        sink.error(signature.ident.span(), message);
    }
    let description = match &words.description {
        Some(text) => Some(text.value.clone()),
        None => doc::text(&item.attrs),
    };
    if description.is_none() {
        let message = "a tool needs a description: the model chooses by it\nhelp: write a doc comment that says what it \
                       does and when to use it";
        sink.error(signature.ident.span(), message);
    }
    let output = match &signature.output {
        ReturnType::Type(_, output) => Some((**output).clone()),
        ReturnType::Default => {
            let message = "a tool returns a `Result`\nhelp: write `-> Result<T, geode::tool::ToolError>`";
            sink.error(signature.ident.span(), message);
            None
        }
    };
    let pascal = pascal_case(&bare);
    let (arguments, parameters) = arguments(item, &pascal, sink);
    let conditions = item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    Some(Tool {
        conditions: conditions.cloned().collect(),
        visibility: item.vis.clone(),
        function: signature.ident.clone(),
        structure: structure(item, words),
        name: words.name.as_ref().map_or(bare, |name| name.value.clone()),
        description: description?,
        arguments,
        parameters,
        output: output?,
    })
}

/// Name of the unit struct.
pub(super) fn structure(item: &ItemFn, words: &Words) -> Ident {
    let own = || Ident::new(&pascal_case(&item.sig.ident.unraw().to_string()), item.sig.ident.span());
    words.structure.clone().unwrap_or_else(own)
}

fn arguments(item: &ItemFn, pascal: &str, sink: &Sink) -> (Arguments, Vec<Parameter>) {
    let (mut fields, mut whole, mut parameters) = (Vec::new(), None, Vec::new());
    for input in &item.sig.inputs {
        let FnArg::Typed(parameter) = input else {
            let message = "a tool has no `self`\nhelp: implement `geode::tool::Tool` for the type, or capture what the tool \
                           needs in a closure for `geode::tool::from_fn`";
            sink.error(input.span(), message);
            continue;
        };
        let Pat::Ident(name) = &*parameter.pat else {
            let message =
                "the parameter's name is the property's\nhelp: write a plain name, and take it apart in the body";
            sink.error(parameter.pat.span(), message);
            continue;
        };
        if parameter.attrs.iter().any(|attribute| attribute.path().is_ident("context")) {
            parameters.push(Parameter::Context);
            continue;
        }
        if let Type::Reference(reference) = &*parameter.ty {
            let message = "arguments are owned: they are made from what the model sends\nhelp: take `String` for `&str`, \
                           `Vec<T>` for `&[T]`";
            sink.error(reference.span(), message);
        }
        if name.ident == "args" {
            whole = Some((name.ident.span(), (*parameter.ty).clone()));
            parameters.push(Parameter::Whole);
            continue;
        }
        parameters.push(Parameter::Argument(name.ident.clone()));
        fields.push(Field {
            attributes: parameter.attrs.iter().filter(|attribute| is_ours(attribute)).cloned().collect(),
            name: name.ident.clone(),
            kind: (*parameter.ty).clone(),
        });
    }
    match whole {
        Some((span, kind)) => {
            refuse_both(span, &fields, sink);
            (Arguments::Whole(kind), parameters)
        }
        None => {
            let structure = Ident::new(&format!("{pascal}Arguments"), item.sig.ident.span());
            (Arguments::Made { structure, fields }, parameters)
        }
    }
}

fn refuse_both(span: Span, fields: &[Field], sink: &Sink) {
    if !fields.is_empty() {
        let message = "`args` stands for all arguments, and there are others beside it\nhelp: make the others fields of its \
                       type, or rename it";
        sink.error(span, message);
    }
}

/// `lookup_order` as `LookupOrder`.
fn pascal_case(name: &str) -> String {
    name.split('_')
        .flat_map(|word| {
            let mut characters = word.chars();
            characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect::<Vec<_>>()
        })
        .collect()
}
