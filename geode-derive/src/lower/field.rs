//! The fields of a struct or a variant.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Index, Member, Type};

use super::{description, nameable, unraw};
use crate::case::Case;
use crate::diag::Sink;
use crate::model::{Body, Carrier, Fallback, Field, Role, Skipped};
use crate::syntax::meta::Spanned;
use crate::syntax::{self, Attrs, Carried, Default, Fields, Input};

/// Decides the fields. `attrs` are those of the struct or variant that holds them.
pub(super) fn body(input: &Input, attrs: &Attrs, fields: &Fields, case: Option<Case>, sink: &Sink) -> Body {
    let mut body = Body { constants: Vec::new(), fields: Vec::new(), skipped: Vec::new(), hot: false };
    let of_container = attrs.default.as_ref();
    for (index, field) in fields.list.iter().enumerate() {
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
            None => Member::Unnamed(Index { index: index as u32, span: field.span }),
        };
        if let Some(span) = field.attrs.skip {
            let fallback = fallback(&field.attrs, of_container).unwrap_or(Fallback::Default(span));
            body.skipped.push(Skipped { member, fallback });
            continue;
        }
        let key = match (&field.attrs.rename, &field.ident) {
            (Some(rename), _) => rename.value.clone(),
            (None, Some(ident)) => {
                let name = unraw(ident);
                case.map_or(name.clone(), |case| case.field(&name))
            }
            (None, None) => format!("_{index}"),
        };
        body.fields.push(one(input, field, member, key, of_container, sink));
    }
    distinct(fields, &body, sink);
    body
}

fn one(
    input: &Input,
    field: &syntax::Field,
    member: Member,
    key: String,
    of_container: Option<&Spanned<Default>>,
    sink: &Sink,
) -> Field {
    let attrs = &field.attrs;
    let carrier = carrier(field, sink);
    borrowed(&field.ty, &carrier, sink);
    let role = match (attrs.flatten, fallback(attrs, of_container)) {
        (Some(span), _) => {
            unflattened(attrs, &carrier, sink);
            Role::Flatten(span)
        }
        (None, Some(fallback)) => Role::Defaulted(fallback),
        (None, None) => Role::Property,
    };
    if let Some(span) = attrs.constraints.span {
        match carrier {
            Carrier::By(_) => {
                let message =
                    "`with` brings its own shape, constraints included\nhelp: put them into that shape's rules";
                sink.error(span, message);
            }
            Carrier::Built { name: "Schemars", .. } => {
                let message = "`schemars` brings the schema of the type, constraints included\nhelp: check it in \
                               `#[geode(check = path)]` of this type";
                sink.error(span, message);
            }
            _ => {}
        }
    }
    Field {
        member,
        ty: nameable(&field.ty, input),
        aliases: attrs.aliases.iter().map(|alias| alias.value.clone()).filter(|alias| *alias != key).collect(),
        key,
        description: description(attrs).or_else(|| attrs.title.as_ref().map(|title| title.value.clone())),
        examples: attrs.examples.clone(),
        constraints: attrs.constraints.span.is_some().then(|| attrs.constraints.clone()),
        role,
        lazy: attrs.recursive.is_some() || mentions(&field.ty, &input.ident),
        carrier,
    }
}

/// What stands for the field where its text is absent.
fn fallback(attrs: &Attrs, of_container: Option<&Spanned<Default>>) -> Option<Fallback> {
    let own = attrs.default.as_ref().map(|default| match &default.value {
        Default::Trait => Fallback::Default(default.span),
        Default::Function(path) => Fallback::Function(path.clone()),
    });
    own.or_else(|| {
        of_container.map(|default| match &default.value {
            Default::Trait => Fallback::OfContainer(default.span),
            Default::Function(path) => Fallback::OfContainersFunction(path.clone()),
        })
    })
}

fn carrier(field: &syntax::Field, sink: &Sink) -> Carrier {
    let optional = || spelt(&field.ty, "Option");
    match (&field.attrs.carried, &field.attrs.opaque) {
        (Some(carried), _) => match &carried.value {
            Carried::Plain => Carrier::Own,
            Carried::Text => Carrier::Built { name: "Text", optional: optional() },
            Carried::Json => Carrier::Built { name: "Json", optional: optional() },
            Carried::Schemars => Carrier::Built { name: "Schemars", optional: optional() },
            Carried::By(path) => Carrier::By(path.clone()),
        },
        (None, Some(opaque)) => {
            let message = format!(
                "`{}` gives the field a wire form that geode can't see\nhelp: add `#[geode(as_string)]` where the wire \
                 form is its `Display` text, `#[geode(schemars)]` where schemars knows the type, `#[geode(with = path)]` to give shape, `read` and `write` yourself, or \
                 `#[geode(plain)]` for the type's own form",
                opaque.value
            );
            sink.error(opaque.span, message);
            Carrier::Own
        }
        (None, None) => Carrier::Own,
    }
}

/// Whether the type is written as that one. It only chooses between carriers, which then resolve by trait: a type of
/// the user's own with that name is a compile error, never another meaning.
fn spelt(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

fn borrowed(ty: &Type, carrier: &Carrier, sink: &Sink) {
    if let (Type::Reference(reference), Carrier::Own) = (ty, carrier) {
        let message =
            "a reference can't hold text that has escapes in it\nhelp: write `Cow<'_, str>`, or an owned type";
        sink.error_in(reference, message);
    }
}

/// What can't stand beside `flatten`.
fn unflattened(attrs: &Attrs, carrier: &Carrier, sink: &Sink) {
    let clash = |span: Option<Span>, word: &str| {
        if let Some(span) = span {
            let message = format!(
                "{word} has no meaning beside `flatten`: the field is no property of its own\nhelp: keep one of the two"
            );
            sink.error(span, message);
        }
    };
    clash(attrs.rename.as_ref().map(|rename| rename.span), "`rename`");
    clash(attrs.aliases.first().map(|alias| alias.span), "`alias`");
    clash(attrs.default.as_ref().map(|default| default.span), "`default`");
    clash(attrs.constraints.span, "a constraint");
    if !matches!(carrier, Carrier::Own) {
        clash(attrs.carried.as_ref().map(|carried| carried.span), "a carrier");
    }
}

/// No two properties of one name.
fn distinct(fields: &Fields, body: &Body, sink: &Sink) {
    let mut seen: HashMap<&str, &str> = HashMap::new();
    let on_wire = fields.list.iter().filter(|field| field.attrs.skip.is_none());
    for (written, field) in on_wire.zip(&body.fields) {
        if matches!(field.role, Role::Flatten(_)) {
            continue;
        }
        let rename = written.attrs.rename.as_ref().map_or(written.span, |rename| rename.span);
        if seen.insert(&field.key, "name").is_some() {
            sink.error(rename, format!("two fields have the wire name `{}`\nhelp: rename one", field.key));
        }
    }
    let on_wire = fields.list.iter().filter(|field| field.attrs.skip.is_none());
    for (written, field) in on_wire.zip(&body.fields) {
        for alias in &written.attrs.aliases {
            let own = alias.value == field.key;
            if !own && seen.insert(&alias.value, "alias").is_some() {
                sink.error(
                    alias.span,
                    format!("the name `{}` is taken by another field\nhelp: remove this alias", alias.value),
                );
            }
        }
    }
}

/// Whether a type's text names the type that is derived, or `Self`.
fn mentions(ty: &Type, ident: &Ident) -> bool {
    fn inside(tokens: TokenStream, ident: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(found) => found == *ident || found == "Self",
            TokenTree::Group(group) => inside(group.stream(), ident),
            _ => false,
        })
    }
    inside(ty.to_token_stream(), ident)
}
