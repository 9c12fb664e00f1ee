//! Which titles answer a search best.

use crate::tokenize::words;
use std::collections::HashMap;

/// Titles by word, and how often each word occurs.
pub struct Inverted {
    postings: HashMap<String, Vec<usize>>,
    titles: usize,
}

impl Inverted {
    /// Takes up a title and returns its number.
    pub fn insert(&mut self, title: &str) -> usize {
        let number = self.titles;
        for word in words(title) {
            self.postings.entry(word).or_default().push(number);
        }
        self.titles += 1;
        number
    }

    /// Rare words weigh more; the best `most` titles come first.
    pub fn best(&self, query: &str, most: usize) -> Vec<usize> {
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for word in words(query) {
            if let Some(found) = self.postings.get(&word) {
                let weight = (self.titles as f64 / found.len() as f64).ln() + 1.0;
                for title in found {
                    *scores.entry(*title).or_default() += weight;
                }
            }
        }
        let mut ranked: Vec<_> = scores.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.into_iter().take(most).map(|(title, _)| title).collect()
    }
}
