//! What types of the standard library show while they come.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use super::partial::{Partial, Progress, progress};
use super::preview::{Elements, Preview, PreviewKind};
use crate::json::number::{Exact, exact};

macro_rules! texts {
    ($($text:ty)*) => {$(
        impl Partial for $text {
            type View<'a> = &'a str;
            fn view(value: Preview<'_>) -> Option<&str> {
                value.as_str()
            }
        }
    )*};
}

texts!(String Box<str> Rc<str> Arc<str> Cow<'_, str>);

impl Partial for bool {
    type View<'a> = bool;
    fn view(value: Preview<'_>) -> Option<bool> {
        value.as_bool()
    }
}

impl Partial for char {
    type View<'a> = char;
    fn view(value: Preview<'_>) -> Option<char> {
        value.as_str()?.parse().ok()
    }
}

macro_rules! integers {
    ($($number:ty)*) => {$(
        impl Partial for $number {
            type View<'a> = $number;
            fn view(value: Preview<'_>) -> Option<$number> {
                let number = value.as_number()?;
                // as the parser reads it: `1.0` and `1e2` are integers
                number.parse().ok().or_else(|| match exact(number).ok()? {
                    number @ Exact { negative: true, .. } => number.signed()?.try_into().ok(),
                    number => number.magnitude.try_into().ok(),
                })
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! reals {
    ($($number:ty)*) => {$(
        impl Partial for $number {
            type View<'a> = $number;
            fn view(value: Preview<'_>) -> Option<$number> {
                value.as_number()?.parse().ok()
            }
        }
    )*};
}

reals!(f32 f64);

impl<T: Partial> Partial for Option<T> {
    type View<'a> = Option<T::View<'a>>;
    fn view(value: Preview<'_>) -> Option<Option<T::View<'_>>> {
        if value.is_null() { Some(None) } else { T::view(value).map(Some) }
    }
}

macro_rules! pointers {
    ($($pointer:ident)*) => {$(
        impl<T: Partial> Partial for $pointer<T> {
            // boxed, so that a type that holds itself has a view of finite size
            type View<'a> = Box<T::View<'a>>;
            fn view(value: Preview<'_>) -> Option<Box<T::View<'_>>> {
                T::view(value).map(Box::new)
            }
        }
    )*};
}

pointers!(Box Rc Arc);

/// Lists, each with the parameters that it has beside its element.
macro_rules! lists {
    ($([$($parameter:tt)*] $list:ty;)*) => {$(
        impl<T: Partial, $($parameter)*> Partial for $list {
            type View<'a> = List<'a, T>;
            fn view(value: Preview<'_>) -> Option<List<'_, T>> {
                (value.kind() == PreviewKind::Array).then_some(List { value, element: PhantomData })
            }
        }
    )*};
}

lists! {
    [] Vec<T>;
    [] VecDeque<T>;
    [] Box<[T]>;
    [] BTreeSet<T>;
    [S] HashSet<T, S>;
    [const N: usize] [T; N];
}

impl<K: Partial, V: Partial> Partial for BTreeMap<K, V> {
    type View<'a> = Map<'a, K, V>;
    fn view(value: Preview<'_>) -> Option<Map<'_, K, V>> {
        (value.kind() == PreviewKind::Array).then_some(Map { value, element: PhantomData })
    }
}

impl<K: Partial, V: Partial, S> Partial for HashMap<K, V, S> {
    type View<'a> = Map<'a, K, V>;
    fn view(value: Preview<'_>) -> Option<Map<'_, K, V>> {
        BTreeMap::<K, V>::view(value)
    }
}

/// A list that is still coming.
pub struct List<'a, T> {
    value: Preview<'a>,
    element: PhantomData<fn() -> T>,
}

impl<'a, T: Partial> List<'a, T> {
    /// The elements that have begun, in order.
    pub fn iter(&self) -> impl Iterator<Item = Progress<T::View<'a>>> + use<'a, T> {
        self.value.elements().map(|element| progress::<T>(Some(element)))
    }

    /// The elements that are complete, in order.
    pub fn finished(&self) -> impl Iterator<Item = T::View<'a>> + use<'a, T> {
        self.value.elements().filter(Preview::is_done).filter_map(T::view)
    }
}

/// A map that is still coming. On the wire it is a list of entries.
pub struct Map<'a, K, V> {
    value: Preview<'a>,
    element: PhantomData<fn() -> (K, V)>,
}

impl<'a, K: Partial, V: Partial> Map<'a, K, V> {
    /// The entries whose key is complete, in order.
    pub fn iter(&self) -> impl Iterator<Item = (K::View<'a>, Progress<V::View<'a>>)> + use<'a, K, V> {
        let entries: Elements<'a> = self.value.elements();
        entries.filter_map(|entry| {
            let key = entry.member("key").filter(Preview::is_done)?;
            Some((K::view(key)?, progress::<V>(entry.member("value"))))
        })
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

impl<K, V> Clone for Map<'_, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Map<'_, K, V> {}

impl<T> std::fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("List").field(&self.value).finish()
    }
}

impl<K, V> std::fmt::Debug for Map<'_, K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Map").field(&self.value).finish()
    }
}
