"""Text -> vectors: what every embedder promises, the text that stands for a chunk, and the static model that comes along."""
