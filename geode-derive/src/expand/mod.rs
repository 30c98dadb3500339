//! The model to tokens. Nothing here can fail.
//!
//! Everything generated stands in one `const _` block and names geode's items through one alias, so that it depends on
//! nothing in the caller's scope. It is thin: tables, one loop with a jump by index, calls of non-generic functions.

mod carrier;
mod enumeration;
mod fallback;
mod newtype;
mod object;
mod rules;
mod shape;
mod tables;
mod union;
mod versions;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Type};

use crate::diag::Sink;
use crate::lower::lower;
use crate::model::{Form, Model};
use crate::syntax::{self, Attrs};

use tables::Tables;

/// The whole derive.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let sink = Sink::default();
    let parsed = syntax::parse(input, &sink);
    let model = parsed.as_ref().and_then(|parsed| lower(parsed, &sink));
    match (sink.finish(), model) {
        (None, Some(model)) => implementation(&model, parsed.as_ref().map(|parsed| &parsed.attrs)),
        (errors, _) => {
            let krate = parsed
                .and_then(|parsed| parsed.attrs.krate)
                .map_or_else(|| syn::parse_quote!(::geode), |krate| krate.value);
            let stub = fallback::stub(input, &krate);
            quote!(#errors #stub)
        }
    }
}

/// A place in the source, with the hygiene of generated code: what goes wrong is shown there, names resolve here.
fn located(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// The place of a type.
fn place(ty: &Type) -> Span {
    located(ty.span())
}

/// The parts that differ from form to form.
struct Parts {
    shape: TokenStream,
    read: TokenStream,
    write: TokenStream,
    /// Methods that aren't left to the trait.
    others: TokenStream,
}

fn implementation(model: &Model, attrs: Option<&Attrs>) -> TokenStream {
    let Model { ident, generics, krate, form } = model;
    let mut tables = Tables::new(model);
    let Parts { shape, read, write, others } = parts(form, &mut tables);
    let statics = tables.into_statics();
    // In a closure, so that leaving the parser early doesn't leave the rules out.
    let read = match attrs.and_then(|attrs| attrs.check.as_ref()).map(|check| &check.value) {
        None => read,
        Some(rules) => quote!(__r.ruled(|__r| { #read }, #rules)),
    };
    let own = match form {
        Form::Union(union) => versions::latest(union),
        _ => None,
    };
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    let own = own.map(|methods| {
        quote! {
            #[automatically_derived]
            #[allow(dead_code, unreachable_pub)]
            impl #impl_generics #ident #type_generics #clause { #methods }
        }
    });
    // By a macro of geode's: whether schemars is there, only geode knows.
    let json_schema = attrs.and_then(|attrs| attrs.json_schema).map(|span| {
        quote_spanned! {located(span)=>
            __geode::with_schemars! {
                #[automatically_derived]
                impl #impl_generics __geode::JsonSchema for #ident #type_generics #clause {
                    fn schema_name() -> __geode::Cow<'static, str> { __geode::schema_name::<Self>() }
                    fn schema_id() -> __geode::Cow<'static, str> { __geode::From::from(__geode::type_name::<Self>()) }
                    fn json_schema(__g: &mut __geode::SchemaGenerator) -> __geode::JsonSchemaDocument {
                        __geode::json_schema::<Self, Self>(__g)
                    }
                }
            }
        }
    });
    quote! {
        #[doc(hidden)]
        #[allow(deprecated, non_upper_case_globals, unreachable_patterns, unused_qualifications, clippy::all, clippy::pedantic)]
        const _: () = {
            use #krate::__private as __geode;
            #statics
            #[automatically_derived]
            impl #impl_generics __geode::StructuredOutput for #ident #type_generics #clause {
                const SHAPE: &'static __geode::Shape = #shape;
                fn read(__r: &mut __geode::Reader<'_>) -> __geode::Option<Self> { #read }
                fn write(&self, __w: &mut __geode::Writer) { #write }
                #others
            }
            #own
            #json_schema
        };
    }
}

fn parts(form: &Form, tables: &mut Tables<'_>) -> Parts {
    match form {
        Form::Object(title, body) => {
            let own = shape::own();
            let fields = shape::fields(body, "FIELDS", &quote!(#own.as_object().fields), tables);
            let access = |member: &syn::Member| quote!(&self.#member);
            Parts {
                shape: shape::object(title, &fields, tables),
                read: object::read(body, &quote!(Self), &fields.access),
                write: object::write(body, &fields.access, access),
                others: TokenStream::new(),
            }
        }
        Form::Null(title) => newtype::null(title, tables),
        Form::Newtype(newtype) => newtype::parts(newtype, tables),
        Form::Converted(converted) => newtype::converted(converted, tables),
        Form::Enumeration(enumeration) => enumeration::parts(enumeration, tables),
        Form::Union(union) => union::parts(union, tables),
    }
}
