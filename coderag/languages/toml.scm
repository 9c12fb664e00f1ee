; Tables and keys

(document (pair . (_) @name) @definition.key)
(table . (_) @name) @definition.key @reach.1
(table_array_element . (_) @name) @definition.key @reach.1
(table (pair . (_) @name) @definition.key)
(table_array_element (pair . (_) @name) @definition.key)
(document (pair (inline_table (pair . (_) @name) @definition.key)))
(table (pair (inline_table (pair . (_) @name) @definition.key)))

; Leaves

(comment) @comment
