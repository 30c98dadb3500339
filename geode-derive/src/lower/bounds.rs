//! The bounds of the generated impl.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    GenericArgument, Generics, Ident, Path, PathArguments, Type, TypeArray, TypeGroup, TypeParen, TypePath,
    TypeReference, TypeSlice, WherePredicate, parse_quote,
};

use crate::model::{Body, Carrier, Field, Form, VariantBody};
use crate::syntax::Input;

/// The type's generics, and `T: StructuredOutput` for each parameter (and each projection of one) that a field on the
/// wire mentions.
pub(super) fn bounded(input: &Input, form: &Form, krate: &Path) -> Generics {
    let mut generics = input.generics.clone();
    let predicates = match &input.attrs.bound {
        Some(given) => given.value.clone(),
        None => inferred(&generics, form, krate),
    };
    if !predicates.is_empty() {
        generics.make_where_clause().predicates.extend(predicates);
    }
    generics
}

fn inferred(generics: &Generics, form: &Form, krate: &Path) -> Vec<WherePredicate> {
    mentioned(generics, &types(form)).iter().map(|ty| parse_quote!(#ty: #krate::__private::StructuredOutput)).collect()
}

/// The parameters, and the projections of them, that these types mention: each once.
pub(crate) fn mentioned<'t>(generics: &Generics, types: &[&'t Type]) -> Vec<&'t Type> {
    let params: Vec<&Ident> = generics.type_params().map(|param| &param.ident).collect();
    let mut found = Vec::new();
    types.iter().for_each(|ty| subjects(ty, &params, &mut found));
    let mut distinct: Vec<&Type> = Vec::new();
    for ty in found {
        if !distinct.contains(&ty) {
            distinct.push(ty);
        }
    }
    distinct
}

fn of_field(field: &Field) -> Option<&Type> {
    matches!(field.carrier, Carrier::Own).then_some(&field.ty)
}

fn of_body(body: &Body) -> Vec<&Type> {
    body.fields.iter().filter_map(of_field).collect()
}

/// The types on the wire.
fn types(form: &Form) -> Vec<&Type> {
    match form {
        Form::Object(_, body) => of_body(body),
        Form::Newtype(newtype) => Vec::from_iter(of_field(&newtype.field)),
        Form::Converted(converted) => vec![&converted.through],
        Form::Null(_) | Form::Enumeration(_) => Vec::new(),
        Form::Union(union) => {
            let bodies = union.variants.iter().map(|variant| &variant.body);
            bodies
                .flat_map(|body| match body {
                    VariantBody::Unit => Vec::new(),
                    VariantBody::Newtype(field) => Vec::from_iter(of_field(field)),
                    VariantBody::Fields(body) => of_body(body),
                })
                .collect()
        }
    }
}

/// The parameters that a type mentions, and the projections of them (`T::Item`, `<T as Trait>::Item`). What `PhantomData`
/// marks isn't on the wire.
fn subjects<'t>(ty: &'t Type, params: &[&Ident], found: &mut Vec<&'t Type>) {
    match ty {
        Type::Path(TypePath { qself: Some(_), .. }) if names(ty.to_token_stream(), params) => found.push(ty),
        Type::Path(TypePath { path, .. }) => {
            let first = path.segments.first().filter(|_| path.leading_colon.is_none());
            if first.is_some_and(|first| params.contains(&&first.ident)) {
                found.push(ty);
                return;
            }
            for segment in path.segments.iter().filter(|segment| segment.ident != "PhantomData") {
                let PathArguments::AngleBracketed(arguments) = &segment.arguments else { continue };
                for argument in &arguments.args {
                    if let GenericArgument::Type(inner) = argument {
                        subjects(inner, params, found);
                    }
                }
            }
        }
        Type::Array(TypeArray { elem, .. })
        | Type::Slice(TypeSlice { elem, .. })
        | Type::Paren(TypeParen { elem, .. })
        | Type::Group(TypeGroup { elem, .. })
        | Type::Reference(TypeReference { elem, .. }) => subjects(elem, params, found),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| subjects(elem, params, found)),
        _ => {}
    }
}

/// Whether one of the parameters stands anywhere in the tokens.
pub(crate) fn names(tokens: TokenStream, params: &[&Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => params.contains(&&ident),
        TokenTree::Group(group) => names(group.stream(), params),
        _ => false,
    })
}
