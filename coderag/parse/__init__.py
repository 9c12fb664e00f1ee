"""Text -> Parsed: the symbols, references, imports and bindings of one file, for every language alike.

`file.parse` reads as the whole: `repair` (files with errors), `found` (captures to symbols in the making), `comments`, `symbols`,
`scopes`, `references`, `imports`, `bindings`, `borders`.

Pure: knows no disk, no index and no language by name. A language speaks through its row in `coderag.languages` and its query file,
whose captures are:

`@definition.<kind>` with `@name` (leaf), and on the same or on other patterns with the same `@name` node: `@body` (where the header
ends; the field "body" of a type or function needs no capture), `@doc`, `@base`, `@type`, `@owner`, `@decorator`, `@span` (widens the
symbol), `@declaration`, and `@public`, `@private`, `@file` (visibility); what an earlier pattern says counts first.
`@made` with `@maker`: the kind of definition is the one that `Language.makers` has for the word. `@reach.<level>`:
the symbol reaches to the next one of this level or a smaller one, inside of `@until`, or of what `@inside` is in; `@reach.digit`: the
level is the digit that the node ends with. `@splice` marks a region whose symbols
belong to the enclosing symbol.
`@import` (whole statement) with `@import.module` or `@import.path` (module and name in one), `@import.name`, `@import.alias`,
`@import.all`, `@import.tree` (paths that share their beginnings, in braces), `@import.bare`, `@import.default` (the name is
"default"), `@import.reexport`, `@import.relative` (the module is a path beside this file). `@binding.name` with `@binding.type`, or
`@binding.same` (the type of another name). `@export.name` (or `@export.default`) with `@export.local`, or `@export.all` alone: the
members of this name are what the file exports ("*"). `@module`: the name that the file gives itself.
Leaves: `@call`, `@new`, `@inherit`, `@implement`, `@type`, `@pass`, `@table`, `@read`, `@local` (binds a name in the enclosing
callable), `@generic` (binds a name in the enclosing symbol), `@global` (undoes `@local`), `@ignore`, `@silent` (nothing inside is a
reference), `@comment`, `@attached` (an attribute that stands above what it belongs to), `@wrapper` (what its last child defines
begins where the wrapper does).

Everything is iterative: depth of nesting costs memory, never a recursion.
"""

from coderag.parse.file import parse

__all__ = ["parse"]
