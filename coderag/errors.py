"""Every error that coderag raises on purpose.

CoderagError
├── ConfigError            a setting, flag or configuration file is wrong
├── NotIndexedError        there is no index for this root yet
├── IndexLockedError       another process is writing the index
├── IndexFormatError       the index was written by another format version
├── IndexCorruptError      a stored block does not match its checksum
├── StorageError           the disk refused (full, read-only, permission)
├── EmbeddingError         an embedding model or endpoint cannot be used
├── RootError              the root is missing or not a directory
├── ContextError           an item, a policy or a query of context cannot be understood
│   ├── ProviderError      a provider of context that must not fail has failed
│   └── BudgetError        what must be in a payload does not fit, or is not there
├── BenchError             the data of a benchmark cannot be used
└── QueryError             a query or filter cannot be understood

A message names the file, the cause and the next step. Bad *input files* are never errors: they become `Skipped` or `Problem` values.
"""


class CoderagError(Exception):
    """Base of every deliberate coderag error; the command line prints it in one line and exits with 2."""


class ConfigError(CoderagError):
    """A setting, flag or configuration file is wrong."""


class NotIndexedError(CoderagError):
    """There is no index for this root yet."""


class IndexLockedError(CoderagError):
    """Another process is writing the index."""


class IndexFormatError(CoderagError):
    """The index was written by another format version."""


class IndexCorruptError(CoderagError):
    """A stored block does not match its checksum, or the database cannot be read."""


class StorageError(CoderagError):
    """The disk refused: full, read-only, or no permission."""


class EmbeddingError(CoderagError):
    """An embedding model or endpoint cannot be used: it is missing, damaged, or gives no answer."""


class RootError(CoderagError):
    """The root is missing or is not a directory."""


class QueryError(CoderagError):
    """A query or filter cannot be understood."""


class BenchError(CoderagError):
    """The data of a benchmark cannot be used; the message names the file or repository."""


class ContextError(CoderagError):
    """An item, a result, a policy or a query of context cannot be understood; the message names the field."""


class ProviderError(ContextError):
    """A provider of context failed, or was too slow, whose failure ends the turn; the message names it."""


class BudgetError(ContextError):
    """What must be in a payload does not fit into the window or into its layer's limit; `excess` is by how many tokens."""

    def __init__(self, message: str, excess: int = 0) -> None:
        super().__init__(message)
        self.excess = excess
