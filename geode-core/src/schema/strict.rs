//! OpenAI's strict test for raw schemas.

use std::collections::HashSet;

use super::node::{Node, Schema};

/// Whether a raw schema may be sent to OpenAI with `strict: true`.
///
/// Every object is closed, its property names are exactly its `required`, and so on through properties, `items`, every
/// branch of `anyOf`, `oneOf` and `allOf`, and the definitions. It is OpenAI's test and means nothing to another
/// provider; what else OpenAI asks for, [`lint`](crate::dialect::lint) tells.
///
/// ```
/// use geode_core::schema::{Schema, is_openai_strict};
///
/// let schema: Schema = r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#.parse()?;
/// assert!(!is_openai_strict(&schema)); // the object is open
/// # Ok::<(), geode_core::schema::SchemaError>(())
/// ```
pub fn is_openai_strict(schema: &Schema) -> bool {
    let Some(node) = schema.node() else {
        return true;
    };
    (!node.is_object() || is_closed_and_complete(node))
        && node.children().into_iter().all(|(_, child)| is_openai_strict(child))
}

fn is_closed_and_complete(node: &Node) -> bool {
    let properties = node.properties.as_deref().unwrap_or_default();
    let named: HashSet<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
    node.additional == Some(Schema::Boolean(false)) && named == node.required_names()
}
