"""Parsed -> chunks: whole symbols, outlines of containers, and natural units of text."""

from coderag.chunk.chunk import chunk_file

__all__ = ["chunk_file"]
