//! What is written to what is true: names, defaults, and every rule that joins two attributes.

pub(crate) mod bounds;
mod field;
mod union;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Path, Type};

use crate::diag::Sink;
use crate::model::{Body, Converted, Form, Model, Newtype, Role, Title, VERSION};
use crate::syntax::meta::Spanned;
use crate::syntax::{Attrs, Fields, Input, Kind, Style};

/// Decides everything. `None` where a mistake leaves nothing to generate; mistakes are in the sink either way.
pub(crate) fn lower(input: &Input, sink: &Sink) -> Option<Model> {
    container(input, sink);
    let krate = crate_path(&input.attrs, sink);
    let form = match (&input.attrs.from, &input.attrs.try_from) {
        (None, None) => match &input.kind {
            Kind::Struct(fields) => structure(input, fields, sink)?,
            Kind::Enum(variants) => union::enumeration(input, variants, sink)?,
        },
        _ => Form::Converted(Box::new(converted(input, sink)?)),
    };
    let form = hot(input, form, sink);
    let generics = bounds::bounded(input, &form, &krate);
    Some(Model { ident: input.ident.clone(), generics, krate, form })
}

/// A type as it can be said outside the impl, where `Self` is unknown. With parameters it is said inside only.
fn nameable(ty: &Type, input: &Input) -> Type {
    let this = Ident::new("Self", Span::call_site());
    if !input.generics.params.is_empty() || !bounds::names(ty.to_token_stream(), &[&this]) {
        return ty.clone();
    }
    Type::Verbatim(named(ty.to_token_stream(), &input.ident))
}

/// The tokens with the type's name in the place of `Self`.
fn named(tokens: TokenStream, ident: &Ident) -> TokenStream {
    let name = |token| match token {
        TokenTree::Ident(found) if found == "Self" => {
            let mut name = ident.clone();
            name.set_span(found.span());
            TokenTree::Ident(name)
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), named(group.stream(), ident));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    };
    tokens.into_iter().map(name).collect()
}

/// Rules that hold for structs and enums alike.
fn container(input: &Input, sink: &Sink) {
    let attrs = &input.attrs;
    if let Some(opaque) = &attrs.opaque {
        let message = format!(
            "`{}` describes a foreign type, whose fields geode can't see\nhelp: derive on a type of your own and convert \
             with `#[geode(from = \"…\", into = \"…\")]`",
            opaque.value
        );
        sink.error(opaque.span, message);
    }
    if let (Some(_), Some(later)) = (&attrs.from, &attrs.try_from) {
        sink.error(later.span, "`from` and `try_from` exclude each other\nhelp: keep the one that fits the conversion");
    }
}

fn crate_path(attrs: &Attrs, sink: &Sink) -> Path {
    let Some(Spanned { value: path, .. }) = &attrs.krate else { return syn::parse_quote!(::geode) };
    let absolute = path.leading_colon.is_some()
        || path.segments.first().is_some_and(|first| matches!(first.ident.to_string().as_str(), "crate" | "self"));
    if !absolute {
        let message = "a relative path means something else in each module\nhelp: write `crate = ::name` or \
                       `crate = crate::path`";
        sink.error(path.span(), message);
    }
    path.clone()
}

fn converted(input: &Input, sink: &Sink) -> Option<Converted> {
    let attrs = &input.attrs;
    let fallible = attrs.try_from.is_some();
    let through = attrs.from.as_ref().or(attrs.try_from.as_ref())?;
    let word = if fallible { "try_from" } else { "from" };
    match &attrs.into {
        None => {
            let message = format!(
                "`{word}` says how to read a value, nothing says how to write one\nhelp: add `into` with the same type, \
                 and implement `From<{}>` for it",
                input.ident
            );
            sink.error(through.span, message);
        }
        Some(into) if into.value != through.value => {
            let message = format!(
                "`into` and `{word}` name different types, so a written value couldn't be read back\nhelp: write one type in both"
            );
            sink.error(into.span, message);
        }
        Some(_) => {}
    }
    unconverted(input, word, sink);
    Some(Converted {
        title: title(input),
        examples: attrs.examples.clone(),
        constraints: attrs.constraints.span.is_some().then(|| attrs.constraints.clone()),
        named: attrs.title.is_some(),
        through: nameable(&through.value, input),
        fallible,
    })
}

/// What has no place where another type's form stands for this one.
fn unconverted(input: &Input, word: &str, sink: &Sink) {
    let attrs = &input.attrs;
    let version = attrs.version.as_ref().map(|version| version.span);
    for span in [version, attrs.versions, attrs.try_latest, attrs.repr].into_iter().flatten() {
        let message = format!("the form is another type's, under `{word}`\nhelp: put this word on that type");
        sink.error(span, message);
    }
    let below: Vec<&Attrs> = match &input.kind {
        Kind::Struct(fields) => fields.list.iter().map(|field| &field.attrs).collect(),
        Kind::Enum(variants) => {
            let fields = variants.iter().flat_map(|variant| &variant.fields.list).map(|field| &field.attrs);
            variants.iter().map(|variant| &variant.attrs).chain(fields).collect()
        }
    };
    for span in below.into_iter().filter_map(|attrs| attrs.ours) {
        let message = format!(
            "what stands here isn't on the wire: the form is another type's, under `{word}`\nhelp: put constraints on \
             `{}` itself, or on that type",
            input.ident
        );
        sink.error(span, message);
    }
}

fn structure(input: &Input, fields: &Fields, sink: &Sink) -> Option<Form> {
    let attrs = &input.attrs;
    let on_wire = || fields.list.iter().filter(|field| field.attrs.skip.is_none());
    if let Some(transparent) = attrs.transparent {
        if on_wire().count() != 1 {
            let message = "`transparent` needs exactly one field that isn't skipped\nhelp: put `#[geode(skip)]` on the others, or remove \
                           `transparent`";
            sink.error(transparent, message);
            return None;
        }
        return newtype(input, fields, sink);
    }
    if fields.style == Style::Tuple && fields.list.len() == 1 && on_wire().count() == 1 {
        return newtype(input, fields, sink);
    }
    if fields.style == Style::Unit {
        if let Some(version) = &attrs.version {
            sink.error(
                version.span,
                "a unit struct is `null` and has no place for a version\nhelp: write `struct … {}`",
            );
        }
        no_constraints(attrs, "a struct with fields", sink);
        no_example(attrs, "a struct without fields", sink);
        return Some(Form::Null(title(input)));
    }
    no_constraints(attrs, "a struct with several fields", sink);
    no_example(attrs, "a struct with several fields", sink);
    let mut body = field::body(input, attrs, fields, attrs.rename_all.as_ref().map(|case| case.value), sink);
    constants(input, &mut body, sink);
    Some(Form::Object(title(input), body))
}

/// The properties that hold one text: the version, and the tag of a struct.
fn constants(input: &Input, body: &mut Body, sink: &Sink) {
    let attrs = &input.attrs;
    let version = attrs.version.as_ref().map(|text| ("version", VERSION.to_owned(), text.value.clone(), text.span));
    let name = attrs.rename.as_ref().map_or_else(|| unraw(&input.ident), |rename| rename.value.clone());
    let tag = attrs.tag.as_ref().map(|tag| ("tag", tag.value.clone(), name, tag.span));
    for (word, key, text, span) in version.into_iter().chain(tag) {
        let taken = body.fields.iter().any(|field| field.key == key) || body.constants.iter().any(|(k, _)| *k == key);
        if taken {
            let message = format!(
                "`{word}` adds the property `{key}`, and there is one of that name\nhelp: rename the other one"
            );
            sink.error(span, message);
        }
        body.constants.push((key, text));
    }
}

/// Sees to it that a hot type has a straight line of properties.
fn hot(input: &Input, mut form: Form, sink: &Sink) -> Form {
    let Some(span) = input.attrs.hot else { return form };
    match &mut form {
        Form::Object(_, body) if body.fields.iter().any(|field| matches!(field.role, Role::Flatten(_))) => {
            let message = "`hot` is for properties that come one after the other, and those of a flattened field come anywhere\nhelp: remove \
                           `hot`, or write the properties out";
            sink.error(span, message);
        }
        Form::Object(_, body) => match body.constants.len() + body.fields.len() {
            1..=64 => body.hot = true,
            0 => sink.error(span, NOT_HOT),
            _ => {
                let message =
                    "`hot` takes up to 64 properties\nhelp: remove it, or move some into a struct of their own";
                sink.error(span, message);
            }
        },
        _ => sink.error(span, NOT_HOT),
    }
    form
}

const NOT_HOT: &str = "`hot` is for reading properties, and this struct has none on the wire\nhelp: remove it";

fn newtype(input: &Input, fields: &Fields, sink: &Sink) -> Option<Form> {
    let attrs = &input.attrs;
    if let Some(version) = &attrs.version {
        let message = "a newtype has the form of its field and no place for a version\nhelp: name the field";
        sink.error(version.span, message);
    }
    if let Some(tag) = &attrs.tag {
        sink.error(tag.span, "a newtype has the form of its field and no place for a tag\nhelp: name the field");
    }
    let mut body = field::body(input, attrs, fields, None, sink);
    let mut field = Box::new(body.fields.pop()?);
    if let Role::Flatten(span) = field.role {
        sink.error(span, "the field is the whole of its type already\nhelp: remove `flatten`");
    }
    if attrs.constraints.span.is_some() {
        if field.constraints.is_some() {
            let message = "constraints stand on the newtype and on its field\nhelp: keep them in one place";
            sink.error(attrs.constraints.span.unwrap_or(input.ident.span()), message);
        }
        field.constraints = Some(attrs.constraints.clone());
    }
    let title = title(input);
    field.description = title.description.or(field.description);
    field.examples.splice(0..0, attrs.examples.iter().cloned());
    Some(Form::Newtype(Newtype { name: title.name, named: attrs.title.is_some(), field, skipped: body.skipped }))
}

fn no_constraints(attrs: &Attrs, what: &str, sink: &Sink) {
    if let Some(span) = attrs.constraints.span {
        sink.error(span, format!("a constraint needs one value, not {what}\nhelp: put it on the field"));
    }
}

fn no_example(attrs: &Attrs, what: &str, sink: &Sink) {
    if let Some(span) = attrs.example {
        sink.error(span, format!("an example needs one value, not {what}\nhelp: put it on the field"));
    }
}

fn title(input: &Input) -> Title {
    let attrs = &input.attrs;
    let given = attrs.title.as_ref().or(attrs.rename.as_ref());
    Title {
        name: given.map_or_else(|| unraw(&input.ident), |name| name.value.clone()),
        description: description(attrs),
    }
}

/// What an item is for: the attribute, the doc comment, or the title where nothing else is said.
fn description(attrs: &Attrs) -> Option<String> {
    attrs.description.as_ref().map(|text| text.value.clone()).or_else(|| attrs.doc.clone())
}

fn unraw(ident: &Ident) -> String {
    ident.unraw().to_string()
}
