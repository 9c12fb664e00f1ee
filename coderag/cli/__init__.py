"""The command line: an edge that parses arguments, calls `Index` and prints. It decides nothing about an index.

`table` names every command; `main` runs one. Modules of commands are imported when their command runs, so that `--help` needs neither
numpy nor a grammar.
"""
