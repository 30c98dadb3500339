//! The variants: what each is called, what it takes, and how much care it needs.

use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Attribute, DataEnum, Field, Fields, Ident, Type};

use crate::case::Case;
use crate::diag::Sink;
use crate::syntax::doc;
use crate::tool::words::{self, Words, legal};

/// A variant as a tool.
pub(super) struct Variant {
    pub(super) ident: Ident,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) words: Words,
    pub(super) arguments: Arguments,
}

/// What a variant takes.
pub(super) enum Arguments {
    Nothing,
    /// The one field of a tuple variant.
    Whole(Box<Type>),
    /// Named fields.
    Made(Vec<Field>),
}

pub(super) fn parse(data: &DataEnum, common: &Words, sink: &Sink) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for variant in &data.variants {
        let words = words(&variant.attrs, common.clone(), words::VARIANT, sink);
        let bare = variant.ident.unraw().to_string();
        let name = words.name.as_ref().map_or_else(|| Case::Snake.variant(&bare), |name| name.value.clone());
        if variants.iter().any(|other| other.name == name) {
            let message = format!("there are two tools `{name}`\nhelp: give one of them another by `name = \"…\"`");
            sink.error(variant.ident.span(), message);
        }
        if words.name.is_none() && !legal(&name) {
            let message = format!(
                "providers refuse the name `{name}`\nhelp: add `#[geode(name = \"…\")]` with 1 to 64 ASCII letters, \
                 digits, `_` and `-`"
            );
            sink.error(variant.ident.span(), message);
        }
        let Some(description) =
            words.description.as_ref().map(|text| text.value.clone()).or_else(|| doc::text(&variant.attrs))
        else {
            let message = "a tool needs a description: the model chooses by it\nhelp: write a doc comment that says what \
                           it does and when to use it";
            sink.error(variant.ident.span(), message);
            continue;
        };
        if let Some(arguments) = arguments(variant, sink) {
            variants.push(Variant { ident: variant.ident.clone(), name, description, words, arguments });
        }
    }
    variants
}

fn arguments(variant: &syn::Variant, sink: &Sink) -> Option<Arguments> {
    match &variant.fields {
        Fields::Unit => Some(Arguments::Nothing),
        Fields::Named(fields) => Some(Arguments::Made(fields.named.iter().map(with_ours).collect())),
        Fields::Unnamed(fields) => match fields.unnamed.iter().collect::<Vec<_>>()[..] {
            [only] => Some(Arguments::Whole(Box::new(only.ty.clone()))),
            _ => {
                let message = "arguments have names\nhelp: name the fields, or make them one struct that derives \
                               `StructuredOutput`";
                sink.error(fields.span(), message);
                None
            }
        },
    }
}

/// The field without what only other derives of the enum understand.
fn with_ours(field: &Field) -> Field {
    const OURS: [&str; 6] = ["doc", "geode", "serde", "schemars", "validate", "garde"];
    let mut field = field.clone();
    field.attrs.retain(|attribute| OURS.iter().any(|name| attribute.path().is_ident(name)));
    field
}

/// The words of our attributes, over those that hold without them. Attributes of serde say nothing of a tool.
pub(super) fn words(attributes: &[Attribute], mut over: Words, known: &[&str], sink: &Sink) -> Words {
    for attribute in attributes {
        if attribute.path().is_ident("geode") {
            if let Some(list) = sink.keep(attribute.meta.require_list()) {
                over = over.over(list.tokens.clone(), known, sink);
            }
        } else if attribute.path().is_ident("serde") {
            let message = "serde's attributes say nothing of a tool\nhelp: write `#[geode(name = \"…\")]` for another name; \
                           on fields they are read";
            sink.error(attribute.span(), message);
        }
    }
    over
}
