//! From a title to the words that are looked up.

const STOP_WORDS: [&str; 5] = ["the", "a", "of", "and", "in"];

/// Lower case, without punctuation, without words that every title has.
pub fn words(title: &str) -> Vec<String> {
    title
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase())
        .filter(|word| !STOP_WORDS.contains(&word.as_str()))
        .map(|word| stem(&word))
        .collect()
}

/// Cuts the endings of plurals.
fn stem(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(start) => format!("{start}y"),
        None => word.strip_suffix('s').unwrap_or(word).to_string(),
    }
}
