"""The lending library: what readers borrow, when it is due, and what it costs to be late."""
