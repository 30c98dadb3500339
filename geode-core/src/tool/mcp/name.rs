//! Names that a server chose, made legal for every provider.

/// Most characters of a name.
const MOST: usize = 64;

/// A legal name near to the server's own that is not taken.
pub(super) fn free(prefix: &str, name: &str, taken: impl Fn(&str) -> bool) -> String {
    let legal = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let bare: String =
        prefix.chars().chain(name.chars()).map(|character| if legal(character) { character } else { '_' }).collect();
    // Names that begin with two of them are the runtime's own.
    let bare = if bare.starts_with("__") { bare.trim_start_matches('_') } else { &bare };
    let bare = if bare.is_empty() { "tool" } else { bare };
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("_{number}") };
        let room = MOST.saturating_sub(suffix.len());
        let name: String = bare.chars().take(room).chain(suffix.chars()).collect();
        if !taken(&name) {
            return name;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_free() {
        let none = |_: &str| false;
        assert_eq!(free("", "files.read/all", none), "files_read_all");
        assert_eq!(free("files_", "größe", none), "files_gr__e");
        assert_eq!(free("", "__structured_output__", none), "structured_output__");
        assert_eq!(free("", "", none), "tool");
        assert_eq!(free("", "__", none), "tool");
        let long = free("", &"a".repeat(80), none);
        assert_eq!(long.len(), 64);
        let taken = ["read".to_owned(), "read_2".to_owned(), long.clone()];
        let taken = |name: &str| taken.iter().any(|known| known == name);
        assert_eq!(free("", "read", taken), "read_3");
        assert_eq!(free("", &long, taken), format!("{}_2", "a".repeat(62)));
    }
}
