//! Three shapes of answers: a ticket of some 270 bytes, an invoice of 4 KB and a document of 200 KB, always the same.
//!
//! The constraints are written once, as garde's; geode reads them too.

types! {}

/// A small generator, so that every run sees the same inputs.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn decimal(&mut self, limit: u64, places: i32) -> f64 {
        let scale = 10f64.powi(places);
        self.below(limit * scale as u64) as f64 / scale
    }

    /// Words up to a length; `mixed` adds quotes, line breaks, backslashes and letters beyond ASCII.
    fn text(&mut self, length: usize, mixed: bool) -> String {
        const PLAIN: [&str; 12] =
            ["the", "delivery", "arrived", "late", "and", "customer", "asks", "for", "refund", "of", "order", "total"];
        const MIXED: [&str; 6] = ["\"as agreed\"", "Straße", "大阪", "A\\B", "10 €", "line\nbreak"];
        let mut text = String::new();
        while text.len() < length {
            if !text.is_empty() {
                text.push(' ');
            }
            let word = match mixed && self.below(4) == 0 {
                true => MIXED[self.below(6) as usize],
                false => PLAIN[self.below(12) as usize],
            };
            text.push_str(word);
        }
        text
    }
}

pub(crate) fn ticket() -> Ticket {
    Ticket {
        ticket_id: "TCK-118042".to_owned(),
        category: Category::Billing,
        confidence: 0.93,
        reason: Random(41).text(100, false),
        citations: vec!["mail-1: \"two charges\"".to_owned(), "mail-4".to_owned()],
        language: "en".to_owned(),
        needs_human: false,
        priority: 2,
    }
}

pub(crate) fn invoice() -> Invoice {
    let mut random = Random(4711);
    let party = |name: &str, city: &str, tax_id: Option<&str>| Party {
        name: name.to_owned(),
        street: "12 Harbour Street".to_owned(),
        city: city.to_owned(),
        postal_code: "20457".to_owned(),
        country: "DE".to_owned(),
        tax_id: tax_id.map(str::to_owned),
        email: Some("accounts@example.org".to_owned()),
    };
    let line_items = (0..21)
        .map(|index| LineItem {
            sku: format!("KLM-{:04}", 2000 + index * 31),
            description: random.text(36, false),
            quantity: 1 + random.below(300) as u32,
            unit_price: 1.5 + random.decimal(800, 2),
            discount: (index % 3 == 0).then_some(0.05),
            tax_rate: 0.19,
            note: (index % 5 == 0).then(|| "see the \"terms\" sheet".to_owned()),
        })
        .collect();
    Invoice {
        invoice_number: "INV-2026-00231".to_owned(),
        issue_date: "2026-11-30".to_owned(),
        vendor: party("Grüner & Söhne", "Köln", Some("DE811234567")),
        customer: party("Northwind Trading", "Hamburg", None),
        line_items,
        payment: Payment::BankTransfer { iban: "DE02120300000000202051".to_owned(), due_days: 30 },
        total: 18_204.75,
        notes: Some("Due in 30 days.\nThank you.".to_owned()),
    }
}

pub(crate) fn document() -> Document {
    const KINDS: [BlockKind; 5] =
        [BlockKind::Heading, BlockKind::Paragraph, BlockKind::ListItem, BlockKind::Table, BlockKind::Footnote];
    let mut random = Random(271_828);
    let blocks = (0..1000)
        .map(|id| {
            let length = 20 + random.below(90) as usize;
            Block {
                id,
                page: 1 + id / 20,
                kind: KINDS[random.below(5) as usize].clone(),
                text: random.text(length, true),
                bounds: Bounds {
                    x: random.decimal(600, 2),
                    y: random.decimal(800, 2),
                    width: random.decimal(500, 1),
                    height: random.decimal(60, 1),
                },
                confidence: random.decimal(1, 3),
                level: id.is_multiple_of(7).then_some(1 + id % 6),
            }
        })
        .collect();
    Document { title: "Yearly review – Übersicht".to_owned(), language: "en".to_owned(), page_count: 50, blocks }
}
