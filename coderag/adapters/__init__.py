"""Retrievers in the shape that other libraries expect: `adapters.langchain` and `adapters.llama_index`, each behind an extra.

They ask an `Index` and hand its hits on, whole and with their reasons. What is specific to a library stays in its module.
"""
