//! Types that have the form of another: newtypes, conversions, unit structs.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;

use super::tables::{Table, Tables};
use super::{Parts, carrier, object, place, rules, shape};
use crate::model::{Carrier, Converted, Newtype, Title};

/// Everything of a newtype.
pub(super) fn parts(newtype: &Newtype, tables: &mut Tables<'_>) -> Parts {
    let field = &newtype.field;
    let member = &field.member;
    let own = shape::own();
    let rules = rules::of(field, "RULES", &quote!(#own.as_annotated().rules), tables);
    let bare = !newtype.named
        && !field.lazy
        && field.description.is_none()
        && field.examples.is_empty()
        && field.constraints.is_none();
    let shape = if bare {
        let shape = carrier::shape(field);
        quote_spanned!(place(&field.ty)=> __geode::fit::sound(#shape))
    } else {
        let name = (newtype.named || field.lazy).then_some(newtype.name.as_str());
        let edge = carrier::edge(field);
        let shape = shape::annotated(name, field.description.as_deref(), &field.examples, &rules.place, edge);
        shape::stored(shape, tables)
    };
    let around = |value: TokenStream| {
        let skipped = newtype.skipped.iter().map(|skipped| {
            let (member, value) = (&skipped.member, object::fallback(&skipped.fallback, &skipped.member));
            quote!(#member: #value,)
        });
        quote! {
            let __f0 = #value?;
            __geode::Some(Self { #member: __f0, #(#skipped)* })
        }
    };
    let absent = around(carrier::absent(field));
    let check = match field.carrier {
        Carrier::Own => check(&field.ty, &quote!(&self.#member)),
        _ => TokenStream::new(),
    };
    Parts {
        shape,
        read: around(carrier::read(field, &rules.access)),
        write: carrier::write(field, &quote!(&self.#member)),
        others: quote! {
            fn absent() -> __geode::Option<Self> { #absent }
            #check
        },
    }
}

/// Rules that stand on a field of this type hold for what is inside.
fn check(ty: &Type, value: &TokenStream) -> TokenStream {
    let held = quote_spanned!(place(ty)=> <#ty as __geode::StructuredOutput>::check);
    let distinct = quote_spanned!(place(ty)=> <#ty as __geode::StructuredOutput>::check_distinct);
    quote! {
        fn check(&self, __rules: &'static __geode::Rules, __at: usize, __r: &mut __geode::Reader<'_>) {
            #held(#value, __rules, __at, __r)
        }
        fn check_distinct(&self, __at: usize, __r: &mut __geode::Reader<'_>) {
            #distinct(#value, __at, __r)
        }
    }
}

/// Everything of a type that is read as another.
pub(super) fn converted(converted: &Converted, tables: &mut Tables<'_>) -> Parts {
    let through = &converted.through;
    let span = place(through);
    let title = &converted.title;
    let name = &title.name;
    let own = quote_spanned!(span=> <#through as __geode::StructuredOutput>::SHAPE);
    let of = quote_spanned!(span=> __geode::fit::sound(#own));
    let within = shape::own();
    let within = quote!(#within.as_annotated().rules);
    let rules = converted.constraints.as_ref().map(|constraints| rules::on(constraints, &own, &within, tables));
    let annotated = converted.named || title.description.is_some() || !converted.examples.is_empty() || rules.is_some();
    let shape = if annotated {
        let name = converted.named.then_some(name.as_str());
        let of = quote!(__geode::Edge::Eager(#of));
        let place = rules.as_ref().map_or_else(rules::none, |rules| rules.place.clone());
        let shape = shape::annotated(name, title.description.as_deref(), &converted.examples, &place, of);
        shape::stored(shape, tables)
    } else {
        of
    };
    let value = match &rules {
        Some(Table { access, .. }) => quote_spanned!(span=> __r.checked::<#through>(#access)?),
        None => quote_spanned!(span=> <#through as __geode::StructuredOutput>::read(__r)?),
    };
    let read = if converted.fallible {
        quote_spanned! {span=>
            let __at = __r.offset();
            let __f0 = #value;
            __r.converted(__at, #name, <Self as __geode::TryFrom<#through>>::try_from(__f0))
        }
    } else {
        quote_spanned! {span=>
            let __f0 = #value;
            __geode::Some(<Self as __geode::From<#through>>::from(__f0))
        }
    };
    let back = quote_spanned!(span=> <#through as __geode::From<Self>>::from(__geode::Clone::clone(self)));
    Parts {
        shape,
        read,
        write: quote!(__geode::StructuredOutput::write(&#back, __w)),
        others: check(through, &quote!(&#back)),
    }
}

/// Everything of a unit struct.
pub(super) fn null(title: &Title, tables: &mut Tables<'_>) -> Parts {
    let edge = quote!(__geode::Edge::Eager(&__geode::Shape::Null));
    let shape = shape::annotated(Some(&title.name), title.description.as_deref(), &[], &rules::none(), edge);
    Parts {
        shape: shape::stored(shape, tables),
        read: quote! {
            <() as __geode::StructuredOutput>::read(__r)?;
            __geode::Some(Self)
        },
        write: quote!(__geode::StructuredOutput::write(&(), __w)),
        others: quote!(
            fn absent() -> __geode::Option<Self> {
                __geode::Some(Self)
            }
        ),
    }
}
