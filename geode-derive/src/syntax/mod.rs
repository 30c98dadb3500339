//! The input as it is written: every attribute with its span, nothing decided yet.

mod attr;
mod constraint;
mod decoration;
pub(crate) mod doc;
mod habits;
mod literal;
pub(crate) mod meta;
mod once;
mod values;
mod words;

pub(crate) use attr::{Attrs, Carried, Default};
pub(crate) use constraint::Constraints;
pub(crate) use literal::{Number, literal};
pub(crate) use words::{Level, Namespace};

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Expr, Generics, Type};

use crate::diag::Sink;

/// A struct or an enum.
pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) attrs: Attrs,
    pub(crate) kind: Kind,
}

/// What kind of type it is.
pub(crate) enum Kind {
    Struct(Fields),
    Enum(Vec<Variant>),
}

/// The fields of a struct or a variant.
pub(crate) struct Fields {
    pub(crate) style: Style,
    pub(crate) list: Vec<Field>,
}

/// How fields are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Named,
    Tuple,
    Unit,
}

/// One field.
pub(crate) struct Field {
    /// Its name; `None` in a tuple.
    pub(crate) ident: Option<Ident>,
    pub(crate) ty: Type,
    pub(crate) attrs: Attrs,
    pub(crate) span: Span,
}

/// One variant.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) fields: Fields,
    pub(crate) attrs: Attrs,
    pub(crate) discriminant: Option<Expr>,
}

/// Reads the input; `None` for a union.
pub(crate) fn parse(input: &DeriveInput, sink: &Sink) -> Option<Input> {
    let level = if matches!(input.data, Data::Enum(_)) { Level::Enum } else { Level::Struct };
    let attrs = Attrs::parse(&input.attrs, level, sink);
    let kind = match &input.data {
        Data::Struct(data) => Kind::Struct(fields(&data.fields, sink)),
        Data::Enum(data) => Kind::Enum(data.variants.iter().map(|v| variant(v, sink)).collect()),
        Data::Union(data) => {
            let message = "a union has no wire form: nothing says which field is valid\nhelp: write an enum";
            sink.error(data.union_token.span, message);
            return None;
        }
    };
    Some(Input { ident: input.ident.clone(), generics: input.generics.clone(), attrs, kind })
}

fn fields(fields: &syn::Fields, sink: &Sink) -> Fields {
    let style = match fields {
        syn::Fields::Named(_) => Style::Named,
        syn::Fields::Unnamed(_) => Style::Tuple,
        syn::Fields::Unit => Style::Unit,
    };
    let list = fields.iter().map(|field| Field {
        ident: field.ident.clone(),
        ty: ungrouped(&field.ty),
        attrs: Attrs::parse(&field.attrs, Level::Field, sink),
        span: field.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span),
    });
    Fields { style, list: list.collect() }
}

fn variant(variant: &syn::Variant, sink: &Sink) -> Variant {
    let attrs = Attrs::parse(&variant.attrs, Level::Variant, sink);
    Variant {
        ident: variant.ident.clone(),
        fields: fields(&variant.fields, sink),
        attrs,
        discriminant: variant.discriminant.as_ref().map(|(_, expr)| expr.clone()),
    }
}

/// The type without the invisible groups that `macro_rules!` puts around its fragments.
fn ungrouped(ty: &Type) -> Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        other => other.clone(),
    }
}
