"""The server through which assistants ask coderag, over the Model Context Protocol.

Knows `Index`, keepers and the protocol's SDK. Refuses to read outside of its roots, to let a question wait for indexing, to write
anything but the protocol to standard output, and to show text of a repository as anything but data.

`tools` has the tools as a table; `repository` is one root with its index; `server` joins both to the protocol.
"""
