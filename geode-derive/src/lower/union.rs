//! Enums: with data and without.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use syn::Lit;

use super::{description, field, no_constraints, no_example, title, unraw};
use crate::diag::Sink;
use crate::model::{Enumeration, Form, Tagging, Union, Value, Variant, VariantBody};
use crate::syntax::{self, Attrs, Input, Style, literal};

/// Decides an enum.
pub(super) fn enumeration(input: &Input, variants: &[syntax::Variant], sink: &Sink) -> Option<Form> {
    let attrs = &input.attrs;
    let tagging = match attrs.versions {
        Some(span) => versions(attrs, variants, span, sink)?,
        None => tagging(attrs, sink)?,
    };
    let on_wire: Vec<_> = variants.iter().filter(|v| v.attrs.skip.is_none() && v.attrs.fallback.is_none()).collect();
    if on_wire.is_empty() {
        let message = format!(
            "`{}` has no variant that a value could have\nhelp: write one that is neither skipped nor the fallback",
            input.ident
        );
        sink.error(input.ident.span(), message);
        return None;
    }
    let fallback = fallback(variants, &tagging, sink);
    let skipped = variants.iter().filter(|v| v.attrs.skip.is_some()).map(|v| v.ident.clone()).collect();
    let unit_only = on_wire.iter().all(|v| v.fields.style == Style::Unit && v.attrs.untagged.is_none());
    if let (Some(repr), false) = (attrs.repr, unit_only && matches!(tagging, Tagging::External)) {
        sink.error(repr, "`repr` needs an enum without data and without a tag\nhelp: remove `repr`");
    }
    for variant in variants {
        if variant.fields.style != Style::Tuple || variant.fields.list.len() != 1 {
            no_constraints(&variant.attrs, "this variant", sink);
            no_example(&variant.attrs, "this variant", sink);
        }
    }
    no_example(attrs, "an enum", sink);
    if unit_only && matches!(tagging, Tagging::External) {
        let values = values(input, variants, sink);
        let integer = attrs.repr.is_some();
        return Some(Form::Enumeration(Enumeration { title: title(input), integer, values, fallback, skipped }));
    }
    let variants: Vec<Variant> = on_wire.iter().map(|v| variant(input, v, &tagging, sink)).collect();
    distinct(&on_wire, variants.iter().map(|v| (&v.name, &v.aliases)), sink);
    Some(Form::Union(Union { title: title(input), tagging, variants, fallback, skipped }))
}

/// The tagging of an enum of versions: each variant holds a versioned struct and nothing else.
fn versions(attrs: &Attrs, variants: &[syntax::Variant], span: Span, sink: &Sink) -> Option<Tagging> {
    let mut sound = true;
    let mut refuse = |span: Option<Span>, message: &str| {
        if let Some(span) = span {
            sink.error(span, message);
            sound = false;
        }
    };
    let spans = [
        attrs.tag.as_ref().map(|tag| tag.span),
        attrs.content.as_ref().map(|content| content.span),
        attrs.untagged,
        attrs.repr,
        attrs.rename_all.as_ref().map(|case| case.span),
    ];
    let told = "the versions tell themselves apart by `schemaVersion`, under `versions`\nhelp: remove this word";
    spans.into_iter().for_each(|span| refuse(span, told));
    for variant in variants {
        let single = variant.fields.style == Style::Tuple && variant.fields.list.len() == 1;
        let message = "a variant of `versions` holds one versioned struct\nhelp: write `V1(TicketV1)`, with \
                       `#[geode(version = \"1\")]` on the struct";
        refuse((!single).then(|| variant.ident.span()), message);
        let of = &variant.attrs;
        let renames = of.rename.iter().chain(&of.aliases).map(|name| Some(name.span));
        let flags = [of.skip, of.fallback, of.untagged];
        let skips = variant.fields.list.iter().map(|field| field.attrs.skip);
        let message = "a version is named by its struct and always on the wire\nhelp: remove this word";
        renames.chain(flags).chain(skips).for_each(|span| refuse(span, message));
    }
    refuse(variants.is_empty().then_some(span), "`versions` needs a version\nhelp: write a variant for each");
    sound.then_some(Tagging::Version { fallible: attrs.try_latest.is_some() })
}

fn tagging(attrs: &Attrs, sink: &Sink) -> Option<Tagging> {
    if let Some(span) = attrs.try_latest {
        sink.error(span, "`try_latest` without `versions`\nhelp: write `#[geode(versions, try_latest)]`");
    }
    match (&attrs.tag, &attrs.content, attrs.untagged) {
        (None, None, None) => Some(Tagging::External),
        (None, None, Some(_)) => Some(Tagging::Untagged),
        (Some(tag), None, None) => Some(Tagging::Internal(tag.value.clone())),
        (Some(tag), Some(content), None) => {
            if tag.value == content.value {
                sink.error(content.span, format!("`tag` and `content` are both `{}`\nhelp: rename one", tag.value));
            }
            Some(Tagging::Adjacent(tag.value.clone(), content.value.clone()))
        }
        (None, Some(content), None) => {
            sink.error(content.span, "`content` without `tag`\nhelp: add `tag = \"…\"`");
            None
        }
        (tag, content, Some(untagged)) => {
            let word = if tag.is_some() { "tag" } else { "content" };
            let _ = content;
            sink.error(untagged, format!("`untagged` and `{word}` exclude each other\nhelp: keep one"));
            None
        }
    }
}

fn fallback(variants: &[syntax::Variant], tagging: &Tagging, sink: &Sink) -> Option<Ident> {
    let mut found = None;
    for variant in variants {
        let Some(span) = variant.attrs.fallback else { continue };
        if variant.fields.style != Style::Unit {
            sink.error(span, "the fallback can't hold data: it stands for a value that nothing is known of\nhelp: make it a unit variant");
        } else if matches!(tagging, Tagging::Untagged) {
            sink.error(span, "an untagged enum has no tag that could be unknown\nhelp: remove the fallback");
        } else if found.is_some() {
            sink.error(span, "a second fallback\nhelp: keep one");
        }
        found = Some(variant.ident.clone());
    }
    found
}

/// The wire name of a variant.
fn name(input: &Input, variant: &syntax::Variant) -> String {
    let own = unraw(&variant.ident);
    match (&variant.attrs.rename, &input.attrs.rename_all) {
        (Some(rename), _) => rename.value.clone(),
        (None, Some(case)) => case.value.variant(&own),
        (None, None) => own,
    }
}

fn aliases(variant: &syntax::Variant, name: &str) -> Vec<String> {
    variant.attrs.aliases.iter().map(|alias| alias.value.clone()).filter(|alias| alias != name).collect()
}

fn purpose(variant: &syntax::Variant) -> Option<String> {
    description(&variant.attrs).or_else(|| variant.attrs.title.as_ref().map(|title| title.value.clone()))
}

fn values(input: &Input, variants: &[syntax::Variant], sink: &Sink) -> Vec<Value> {
    let mut next = 0i128;
    let mut values = Vec::new();
    let mut written = Vec::new();
    for variant in variants {
        let number = input.attrs.repr.and_then(|_| discriminant(variant, next, sink));
        next = number.map_or(next, |number| number + 1);
        if variant.attrs.skip.is_some() || variant.attrs.fallback.is_some() {
            continue;
        }
        let name = number.map_or_else(|| name(input, variant), |number| number.to_string());
        let aliases = aliases(variant, &name);
        values.push(Value { ident: variant.ident.clone(), aliases, name, description: purpose(variant) });
        written.push(variant);
    }
    distinct(&written, values.iter().map(|value| (&value.name, &value.aliases)), sink);
    values
}

fn discriminant(variant: &syntax::Variant, next: i128, sink: &Sink) -> Option<i128> {
    let Some(expr) = &variant.discriminant else { return Some(next) };
    let number = match literal(expr) {
        Some((negative, Lit::Int(lit))) => lit.base10_parse::<i128>().ok().map(|n| if negative { -n } else { n }),
        _ => None,
    };
    if number.is_none() {
        sink.error_in(expr, "`repr` needs the number itself here\nhelp: write an integer literal");
    }
    number
}

fn variant(input: &Input, written: &syntax::Variant, tagging: &Tagging, sink: &Sink) -> Variant {
    let attrs = &written.attrs;
    if let Some(opaque) = &attrs.opaque {
        let message = format!(
            "`{}` gives the variant a wire form that geode can't see\nhelp: use a newtype variant, and give its field \
             `#[geode(with = path)]`",
            opaque.value
        );
        sink.error(opaque.span, message);
    }
    let case = attrs.rename_all.as_ref().or(input.attrs.rename_all_fields.as_ref()).map(|case| case.value);
    let mut fields = field::body(input, attrs, &written.fields, case, sink);
    let newtype = written.fields.style == Style::Tuple && written.fields.list.len() == 1;
    let body = match (written.fields.style, fields.fields.len()) {
        (Style::Unit, _) => VariantBody::Unit,
        (Style::Tuple, 1) if newtype => {
            let mut field = fields.fields.remove(0);
            if attrs.constraints.span.is_some() {
                field.constraints.get_or_insert_with(|| attrs.constraints.clone());
            }
            field.examples.splice(0..0, attrs.examples.iter().cloned());
            VariantBody::Newtype(Box::new(field))
        }
        _ => VariantBody::Fields(fields),
    };
    if let (Tagging::Internal(tag), VariantBody::Fields(body), None) = (tagging, &body, attrs.untagged) {
        for (field, written) in body.fields.iter().zip(written.fields.list.iter().filter(|f| f.attrs.skip.is_none())) {
            if field.key == *tag {
                let span = written.attrs.rename.as_ref().map_or(written.span, |rename| rename.span);
                sink.error(span, format!("the field has the name of the tag, `{tag}`\nhelp: rename one of them"));
            }
        }
    }
    let name = name(input, written);
    Variant {
        ident: written.ident.clone(),
        aliases: aliases(written, &name),
        name,
        description: purpose(written),
        untagged: attrs.untagged.is_some(),
        body,
    }
}

/// No two variants of one name.
fn distinct<'a>(
    written: &[&syntax::Variant],
    names: impl Iterator<Item = (&'a String, &'a Vec<String>)> + Clone,
    sink: &Sink,
) {
    let mut seen = HashSet::new();
    for (variant, (name, _)) in written.iter().zip(names.clone()) {
        if !seen.insert(name) {
            let span = variant.attrs.rename.as_ref().map_or(variant.ident.span(), |rename| rename.span);
            sink.error(span, format!("two variants have the wire name `{name}`\nhelp: rename one"));
        }
    }
    for (variant, (_, aliases)) in written.iter().zip(names) {
        for alias in aliases {
            if !seen.insert(alias) {
                let span = variant.attrs.aliases.iter().find(|a| a.value == *alias).map(|a| a.span);
                let span = span.unwrap_or(variant.ident.span());
                sink.error(span, format!("the name `{alias}` is taken by another variant\nhelp: remove this alias"));
            }
        }
    }
}
