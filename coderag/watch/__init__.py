"""Keeping an index equal to its root: on file events, and on request from a process that only reads.

Knows `Index`, file events and the process's own standard streams. Refuses to decide what is indexed: every update walks the root anew, so
an event is a reason to look and never the news itself.
"""
