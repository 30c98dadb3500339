//! The bounds of the generated impl.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Generics, Ident, Path, Type, WherePredicate};

use crate::model::{Body, Carrier, Field, Form, VariantBody};
use crate::syntax::Input;

/// The type's generics, and `T: StructuredOutput` for each parameter (and each projection of one) that a field on the
/// wire mentions.
pub(super) fn bounded(input: &Input, form: &Form, krate: &Path) -> Generics {
    let mut generics = input.generics.clone();
    let predicates = match &input.attrs.bound {
        Some(given) => given.clone(),
        None => inferred(&generics, form, krate),
    };
    if !predicates.is_empty() {
        generics.make_where_clause().predicates.extend(predicates);
    }
    generics
}

fn inferred(generics: &Generics, form: &Form, krate: &Path) -> Vec<WherePredicate> {
    let params: Vec<&Ident> = generics.type_params().map(|param| &param.ident).collect();
    if params.is_empty() {
        return Vec::new();
    }
    let mut bounded: Vec<String> = Vec::new();
    let mut predicates = Vec::new();
    for ty in types(form) {
        for subject in subjects(ty.to_token_stream(), &params) {
            let text = subject.to_string();
            if !bounded.contains(&text) {
                bounded.push(text);
                predicates.push(syn::parse_quote!(#subject: #krate::__private::StructuredOutput));
            }
        }
    }
    predicates
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

/// The parameters that a type's text mentions, and the projections of them (`T::Item`). What `PhantomData` marks isn't
/// on the wire.
fn subjects(tokens: TokenStream, params: &[&Ident]) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let colons = |at: usize| {
        let colon = |i: usize| matches!(tokens.get(i), Some(TokenTree::Punct(p)) if p.as_char() == ':');
        colon(at) && colon(at + 1)
    };
    let mut found = Vec::new();
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        match token {
            TokenTree::Group(group) => found.extend(subjects(group.stream(), params)),
            TokenTree::Ident(ident) if ident == "PhantomData" => return found,
            TokenTree::Ident(ident) if params.contains(&ident) && !(i >= 2 && colons(i - 2)) => {
                let mut subject = quote!(#ident);
                while colons(i + 1)
                    && let Some(next @ TokenTree::Ident(_)) = tokens.get(i + 3)
                {
                    subject.extend(quote!(:: #next));
                    i += 3;
                }
                found.push(subject);
            }
            _ => {}
        }
        i += 1;
    }
    found
}
