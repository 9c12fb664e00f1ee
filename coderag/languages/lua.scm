; Symbols

(function_declaration name: (_) @name body: (_)? @body) @definition.function
(chunk (assignment_statement
  (variable_list . name: (_) @name .) (expression_list . value: (function_definition body: (_)? @body) .)) @definition.function)
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition body: (_)? @body) .))) @definition.function)
((chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name)
  (expression_list . value: (_) @_value))) @definition.variable) (#not-match? @_value "^require\\s*\\(?\\s*[\"'][^\"']*[\"']\\s*\\)?(\\.\\w+)?$"))
(chunk (variable_declaration (variable_list name: (identifier) @name)) @definition.variable)
((chunk (assignment_statement (variable_list name: (identifier) @name)
  (expression_list . value: (_) @_value)) @definition.variable) (#not-match? @_value "^require\\s*\\(?\\s*[\"'][^\"']*[\"']\\s*\\)?(\\.\\w+)?$"))
((chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: [(identifier) (dot_index_expression)] field: (identifier) @_field) @name .))
  @definition.variable) (#not-match? @_field "^__"))
((chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name attribute: (attribute (identifier) @_const))))
  @definition.constant) (#eq? @_const "const"))
((assignment_statement (variable_list . name: (_) @name)
  (expression_list . value: (function_call name: (identifier) @_call arguments: (arguments
    (table_constructor (field name: (identifier) @_key value: [(identifier) (dot_index_expression)] @base))))))
  (#eq? @_call "setmetatable") (#eq? @_key "__index"))
((field name: (_) @name value: (function_definition body: (_)? @body)) @definition.function)

; Imports

((assignment_statement (variable_list . name: (identifier) @import.alias)
  (expression_list . value: (function_call name: (identifier) @_require
    arguments: (arguments (string content: (_) @import.module))))) @import (#eq? @_require "require"))
((assignment_statement (variable_list . name: (identifier) @import.alias)
  (expression_list . value: (dot_index_expression
    table: (function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import.module)))
    field: (identifier) @import.name))) @import (#eq? @_require "require"))
((function_call name: (identifier) @import.bare arguments: (arguments (string content: (_) @import.module))) @import
  (#any-of? @import.bare "require" "dofile" "loadfile"))
(chunk (return_statement (expression_list . (identifier) @export.all .)))

; Types of names

((assignment_statement (variable_list . name: [(identifier) (dot_index_expression)] @binding.name)
  (expression_list . value: (function_call name: [
    (dot_index_expression table: (_) @binding.type field: (identifier) @_new)
    (method_index_expression table: (_) @binding.type method: (identifier) @_new)]))) (#any-of? @_new "new" "create" "init"))
(assignment_statement (variable_list . name: [(identifier) (dot_index_expression)] @binding.name .)
  (expression_list . value: (identifier) @binding.same .))

; Leaves

(comment) @comment
(identifier) @read
(function_call name: [(identifier) @call
  (dot_index_expression field: (identifier) @call) (method_index_expression method: (identifier) @call)])
(arguments [(identifier) @pass (dot_index_expression field: (identifier) @pass)])
(field value: [(identifier) @table (dot_index_expression field: (identifier) @table)])
((identifier) @ignore (#any-of? @ignore "require" "self"))
((assignment_statement (variable_list name: (dot_index_expression field: (identifier) @ignore @_field))) (#eq? @_field "__index"))

(function_declaration name: [(identifier) @ignore
  (dot_index_expression field: (identifier) @ignore) (method_index_expression method: (identifier) @ignore)])
(chunk (assignment_statement (variable_list name: (dot_index_expression field: (identifier) @ignore))))
((field name: (identifier) @_key value: [(identifier) @inherit (dot_index_expression field: (identifier) @inherit)])
  (#eq? @_key "__index"))
(field name: (identifier) @ignore)
(attribute (identifier) @ignore)
(label_statement (identifier) @ignore)
(goto_statement (identifier) @ignore)

(parameters name: (identifier) @local)
(variable_declaration (assignment_statement (variable_list name: (identifier) @local)))
(variable_declaration (variable_list name: (identifier) @local))
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
