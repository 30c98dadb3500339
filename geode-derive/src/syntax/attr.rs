//! The attributes of one item, read word by word.

use proc_macro2::Span;
use syn::{Attribute, Path, Type, WherePredicate};

use super::constraint::Constraints;
use super::decoration;
use super::doc;
use super::meta::{Meta, Spanned, words};
use super::once::set;
use super::values::{bound, case, default, deserialize_name, examples};
use super::words::{Level, Namespace, allowed};
use crate::case::Case;
use crate::diag::Sink;

/// All that the attributes of one item say. What an item of that kind can't have is unset.
#[derive(Default)]
pub(crate) struct Attrs {
    /// The first of our own words.
    pub(crate) ours: Option<Span>,
    pub(crate) doc: Option<String>,
    pub(crate) description: Option<Spanned<String>>,
    pub(crate) title: Option<Spanned<String>>,
    pub(crate) examples: Vec<String>,
    /// Our own word that gave one.
    pub(crate) example: Option<Span>,

    pub(crate) rename: Option<Spanned<String>>,
    pub(crate) rename_all: Option<Spanned<Case>>,
    pub(crate) rename_all_fields: Option<Spanned<Case>>,
    pub(crate) aliases: Vec<Spanned<String>>,
    pub(crate) tag: Option<Spanned<String>>,
    pub(crate) content: Option<Spanned<String>>,
    pub(crate) untagged: Option<Span>,

    pub(crate) flatten: Option<Span>,
    pub(crate) skip: Option<Span>,
    pub(crate) default: Option<Spanned<self::Default>>,
    pub(crate) transparent: Option<Span>,

    pub(crate) from: Option<Spanned<Type>>,
    pub(crate) try_from: Option<Spanned<Type>>,
    pub(crate) into: Option<Spanned<Type>>,
    pub(crate) carried: Option<Spanned<Carried>>,
    /// A serde word that replaces the type's own wire form by code that nobody can look into.
    pub(crate) opaque: Option<Spanned<String>>,
    /// Messages on words that change schemars' schema in ways that nobody can look into.
    unread: Vec<Spanned<String>>,
    /// The type's own form, whatever others say.
    plain: Option<Span>,
    pub(crate) recursive: Option<Span>,

    pub(crate) fallback: Option<Span>,
    pub(crate) repr: Option<Span>,

    pub(crate) constraints: Constraints,

    pub(crate) version: Option<Spanned<String>>,
    pub(crate) versions: Option<Span>,
    pub(crate) try_latest: Option<Span>,
    pub(crate) check: Option<Spanned<Path>>,
    pub(crate) json_schema: Option<Span>,
    pub(crate) hot: Option<Span>,
    pub(crate) krate: Option<Spanned<Path>>,
    pub(crate) bound: Option<Spanned<Vec<WherePredicate>>>,
}

/// What stands for an absent value.
#[derive(Clone)]
pub(crate) enum Default {
    /// `Default::default()`.
    Trait,
    /// A function.
    Function(Path),
}

/// What carries a field's value, where it isn't its type's own wire form.
#[derive(Clone)]
pub(crate) enum Carried {
    /// The type's own form, whatever serde is told.
    Plain,
    /// Text, by `FromStr` and `Display`.
    Text,
    /// A string that holds JSON text.
    Json,
    /// What schemars and serde say.
    Schemars,
    /// `SHAPE`, `read` and `write` of a module or type.
    By(Path),
}

impl Attrs {
    /// Reads the attributes of one item.
    pub(crate) fn parse(attributes: &[Attribute], level: Level, sink: &Sink) -> Self {
        let mut attrs = Attrs { doc: doc::text(attributes), ..Attrs::default() };
        // Our own words first, so that a foreign word can be held against them.
        let mut metas: Vec<Meta> = attributes.iter().flat_map(|attribute| list(attribute, sink)).collect();
        metas.sort_by_key(|meta| meta.namespace as u8);
        attrs.ours = metas.iter().find(|meta| meta.namespace == Namespace::Geode).map(|meta| meta.span);
        for meta in &metas {
            if allowed(meta, level, sink) {
                attrs.read(meta, level, sink);
            }
        }
        if attrs.plain.is_none() && attrs.carried.is_none() {
            attrs.unread.iter().for_each(|mistake| sink.error(mistake.span, &mistake.value));
        }
        if attrs.description.is_none() && attrs.skip.is_none() {
            for doc in doc::unread(attributes) {
                let message = "this doc comment is no literal, so it can't become the description\nhelp: add \
                               `#[geode(description = \"…\")]`";
                sink.error_in(doc, message);
            }
        }
        attrs
    }

    fn read(&mut self, meta: &Meta, level: Level, sink: &Sink) {
        use Namespace::{Garde, Geode, Schemars, Serde, Validate};
        let flag = |slot: &mut Option<Span>| {
            let span = meta.flag(sink);
            slot.get_or_insert(span);
        };
        let placed = |path: Option<Path>| path.map(|path| Spanned::new(path, meta.value_span()));
        match (meta.name.as_str(), meta.namespace) {
            ("rename", _) => set(&mut self.rename, deserialize_name(meta, "rename", sink), meta, sink),
            ("rename_all", _) => set(&mut self.rename_all, case(meta, sink), meta, sink),
            ("rename_all_fields", _) => set(&mut self.rename_all_fields, case(meta, sink), meta, sink),
            ("alias", _) => self.aliases.extend(meta.text(sink)),
            ("tag", _) => set(&mut self.tag, meta.text(sink), meta, sink),
            ("content", _) => set(&mut self.content, meta.text(sink), meta, sink),
            ("untagged", _) => flag(&mut self.untagged),
            ("variant_identifier" | "field_identifier", _) => {
                let message =
                    format!("`{}` is for hand-written serde code and has no schema\nhelp: remove it", meta.name);
                sink.error(meta.span, message);
            }

            ("flatten", _) => flag(&mut self.flatten),
            ("skip", Garde | Validate) => {}
            ("skip" | "skip_deserializing", _) => flag(&mut self.skip),
            ("skip_serializing" | "skip_serializing_if", _) => {}
            ("default", Schemars) if level == Level::Enum => {}
            ("default", _) => set(&mut self.default, default(meta, sink), meta, sink),
            ("transparent", Garde) => {}
            ("transparent", _) => flag(&mut self.transparent),

            ("from", _) => set(&mut self.from, meta.of_type(sink), meta, sink),
            ("try_from", _) => set(&mut self.try_from, meta.of_type(sink), meta, sink),
            ("into", _) => set(&mut self.into, meta.of_type(sink), meta, sink),
            ("with", Geode) => self.carry(meta.path(sink).map(Carried::By), meta, sink),
            ("plain", _) if level == Level::Field => self.carry_as(Carried::Plain, meta, sink),
            ("plain", _) => flag(&mut self.plain),
            ("as_string", _) => self.carry_as(Carried::Text, meta, sink),
            ("json_text", _) => self.carry_as(Carried::Json, meta, sink),
            ("schemars", _) => self.carry_as(Carried::Schemars, meta, sink),
            (
                "with" | "schema_with" | "serialize_with" | "deserialize_with" | "remote" | "getter",
                Serde | Schemars,
            ) => {
                self.opaque.get_or_insert_with(|| Spanned::new(meta.name.clone(), meta.span));
            }
            ("recursive", _) => flag(&mut self.recursive),

            ("other" | "fallback", _) => flag(&mut self.fallback),
            ("repr", _) => flag(&mut self.repr),

            ("name", _) | ("title", Geode) => set(&mut self.title, meta.text(sink), meta, sink),
            ("title", _) => self.title = self.title.take().or_else(|| meta.text(sink)),
            ("description", Geode) => set(&mut self.description, meta.text(sink), meta, sink),
            ("description", _) => self.description = self.description.take().or_else(|| meta.text(sink)),
            ("example", Schemars) => match decoration::example(meta) {
                Ok(example) => self.examples.push(example),
                Err(mistake) if self.examples.is_empty() => self.unread.push(mistake),
                Err(_) => {}
            },
            ("example" | "examples", _) => {
                self.example.get_or_insert(meta.span);
                self.examples.extend(examples(meta, sink));
            }
            ("extend", _) => self.unread.extend(decoration::extend(meta, sink)),
            ("transform", _) => self.unread.push(decoration::transform(meta)),

            ("version", _) => set(&mut self.version, meta.text(sink), meta, sink),
            ("versions", _) => flag(&mut self.versions),
            ("try_latest", _) => flag(&mut self.try_latest),
            ("check", _) => set(&mut self.check, placed(meta.path(sink)), meta, sink),
            ("json_schema", _) => flag(&mut self.json_schema),
            ("hot", _) => flag(&mut self.hot),
            ("crate", Geode) => set(&mut self.krate, placed(meta.path(sink)), meta, sink),
            ("bound", Geode) => set(&mut self.bound, bound(meta, sink), meta, sink),

            // What says nothing about the wire.
            (
                "crate"
                | "bound"
                | "borrow"
                | "expecting"
                | "deny_unknown_fields"
                | "inline"
                | "deprecated"
                | "context"
                | "allow_unvalidated"
                | "dive"
                | "code"
                | "nested",
                _,
            ) => {}
            _ => self.constraints.read(meta, sink),
        }
    }
}

impl Attrs {
    /// A carrier that a bare word names.
    fn carry_as(&mut self, carried: Carried, meta: &Meta, sink: &Sink) {
        meta.flag(sink);
        self.carry(Some(carried), meta, sink);
    }

    fn carry(&mut self, carried: Option<Carried>, meta: &Meta, sink: &Sink) {
        match (&self.carried, carried) {
            (None, carried) => self.carried = carried.map(|carried| Spanned::new(carried, meta.span)),
            (Some(_), _) => {
                let message =
                    "`with`, `as_string`, `json_text`, `schemars` and `plain` exclude each other\nhelp: keep one";
                sink.error(meta.span, message);
            }
        }
    }
}

/// The words of an attribute in one of our namespaces.
fn list(attribute: &Attribute, sink: &Sink) -> Vec<Meta> {
    let known = Namespace::ALL.iter().find(|(name, _)| attribute.path().is_ident(name));
    match (known, &attribute.meta) {
        (Some((_, namespace)), syn::Meta::List(list)) => words(*namespace, list.tokens.clone(), sink),
        (Some((name, Namespace::Geode)), meta) => {
            sink.error_in(meta, format!("`#[{name}]` takes a list of words\nhelp: write `#[{name}(…)]`"));
            Vec::new()
        }
        _ => Vec::new(),
    }
}
