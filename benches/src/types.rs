//! The types of the three shapes, as a macro: there are twins of them whose parsers read in a straight line.

/// The types, each struct under `hot` or none.
macro_rules! types {
    ($($hot:ident)?) => {
        use garde::Validate;
        use geode::StructuredOutput;
        use serde::{Deserialize, Serialize};

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum Category {
            Billing,
            Technical,
            Account,
            Shipping,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput, Validate)]
        #[serde(deny_unknown_fields)]
        $(#[geode($hot)])?
        pub(crate) struct Ticket {
            #[garde(pattern(r"^TCK-[0-9]{6}$"))]
            pub(crate) ticket_id: String,
            #[garde(skip)]
            pub(crate) category: Category,
            #[garde(range(min = 0.0, max = 1.0))]
            pub(crate) confidence: f64,
            #[garde(length(chars, min = 1, max = 500))]
            pub(crate) reason: String,
            #[garde(length(max = 10))]
            pub(crate) citations: Vec<String>,
            #[garde(length(chars, min = 2, max = 5))]
            pub(crate) language: String,
            #[garde(skip)]
            pub(crate) needs_human: bool,
            #[garde(range(min = 1, max = 4))]
            pub(crate) priority: u8,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput, Validate)]
        #[serde(deny_unknown_fields)]
        $(#[geode($hot)])?
        pub(crate) struct Party {
            #[garde(length(chars, min = 1, max = 200))]
            pub(crate) name: String,
            #[garde(length(chars, min = 1, max = 200))]
            pub(crate) street: String,
            #[garde(length(chars, min = 1, max = 100))]
            pub(crate) city: String,
            #[garde(length(chars, min = 3, max = 10))]
            pub(crate) postal_code: String,
            #[garde(pattern(r"^[A-Z]{2}$"))]
            pub(crate) country: String,
            #[garde(inner(length(chars, max = 20)))]
            pub(crate) tax_id: Option<String>,
            #[garde(inner(length(chars, max = 254)))]
            pub(crate) email: Option<String>,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput, Validate)]
        #[serde(deny_unknown_fields)]
        $(#[geode($hot)])?
        pub(crate) struct LineItem {
            #[garde(pattern(r"^[A-Z]{3}-[0-9]{4}$"))]
            pub(crate) sku: String,
            #[garde(length(chars, min = 1, max = 300))]
            pub(crate) description: String,
            #[garde(range(min = 1, max = 10_000))]
            pub(crate) quantity: u32,
            #[garde(range(min = 0.0, max = 1e9))]
            pub(crate) unit_price: f64,
            #[garde(inner(range(min = 0.0, max = 1.0)))]
            pub(crate) discount: Option<f64>,
            #[garde(range(min = 0.0, max = 1.0))]
            pub(crate) tax_rate: f64,
            #[garde(inner(length(chars, max = 200)))]
            pub(crate) note: Option<String>,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput, Validate)]
        #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
        pub(crate) enum Payment {
            BankTransfer {
                #[garde(length(chars, min = 15, max = 34))]
                iban: String,
                #[garde(range(min = 0, max = 365))]
                due_days: u32,
            },
            Card {
                #[garde(pattern(r"^[0-9]{4}$"))]
                last4: String,
                #[garde(length(chars, max = 20))]
                network: String,
            },
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput, Validate)]
        #[serde(deny_unknown_fields)]
        $(#[geode($hot)])?
        pub(crate) struct Invoice {
            #[garde(pattern(r"^INV-[0-9]{4}-[0-9]{5}$"))]
            pub(crate) invoice_number: String,
            #[garde(pattern(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
            pub(crate) issue_date: String,
            #[garde(dive)]
            pub(crate) vendor: Party,
            #[garde(dive)]
            pub(crate) customer: Party,
            #[garde(length(min = 1, max = 100), dive)]
            pub(crate) line_items: Vec<LineItem>,
            #[garde(dive)]
            pub(crate) payment: Payment,
            #[garde(range(min = 0.0, max = 1e12))]
            pub(crate) total: f64,
            #[garde(inner(length(chars, max = 500)))]
            pub(crate) notes: Option<String>,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum BlockKind {
            Heading,
            Paragraph,
            ListItem,
            Table,
            Footnote,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput, Validate)]
        #[serde(deny_unknown_fields)]
        $(#[geode($hot)])?
        pub(crate) struct Bounds {
            #[garde(range(min = 0.0, max = 10_000.0))]
            pub(crate) x: f64,
            #[garde(range(min = 0.0, max = 10_000.0))]
            pub(crate) y: f64,
            #[garde(range(min = 0.0, max = 10_000.0))]
            pub(crate) width: f64,
            #[garde(range(min = 0.0, max = 10_000.0))]
            pub(crate) height: f64,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput, Validate)]
        #[serde(deny_unknown_fields)]
        $(#[geode($hot)])?
        pub(crate) struct Block {
            #[garde(range(min = 0, max = 1_000_000))]
            pub(crate) id: u32,
            #[garde(range(min = 1, max = 10_000))]
            pub(crate) page: u32,
            #[garde(skip)]
            pub(crate) kind: BlockKind,
            #[garde(length(chars, min = 1, max = 5_000))]
            pub(crate) text: String,
            #[garde(dive)]
            pub(crate) bounds: Bounds,
            #[garde(range(min = 0.0, max = 1.0))]
            pub(crate) confidence: f64,
            #[garde(inner(range(min = 1, max = 6)))]
            pub(crate) level: Option<u32>,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, StructuredOutput, Validate)]
        #[serde(deny_unknown_fields)]
        $(#[geode($hot)])?
        pub(crate) struct Document {
            #[garde(length(chars, min = 1, max = 300))]
            pub(crate) title: String,
            #[garde(length(chars, min = 2, max = 5))]
            pub(crate) language: String,
            #[garde(range(min = 1, max = 10_000))]
            pub(crate) page_count: u32,
            #[garde(length(max = 5_000), dive)]
            pub(crate) blocks: Vec<Block>,
        }
    };
}
