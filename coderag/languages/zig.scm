; Symbols

((function_declaration name: (identifier) @name type: (builtin_type) @_type
  body: (block (expression_statement (return_expression (struct_declaration)))) @body) @definition.struct (#eq? @_type "type"))
(function_declaration name: (identifier) @name type: (_)? @type body: (block) @body) @definition.function
(function_declaration name: (identifier) @name type: (_)? @type !body) @definition.function @declaration
(function_declaration "pub" @public name: (identifier) @name)
(function_declaration "export" @public name: (identifier) @name)

(variable_declaration ["const" "var"] . (identifier) @name [(struct_declaration) (opaque_declaration) (union_declaration)] @body) @definition.struct
(variable_declaration ["const" "var"] . (identifier) @name [(enum_declaration) (error_set_declaration)] @body) @definition.enum
(variable_declaration "pub" @public ["const" "var"] . (identifier) @name)
([(source_file (variable_declaration "const" . (identifier) @name [
    (identifier) (field_expression object: [(identifier) (field_expression)])] @type .) @definition.type_alias)
  (struct_declaration (variable_declaration "const" . (identifier) @name [
    (identifier) (field_expression object: [(identifier) (field_expression)])] @type .) @definition.type_alias)]
  (#match? @name "^[A-Z][A-Za-z0-9]*[a-z]") (#match? @type "(^|\\.)[A-Z]\\w*$"))
([
  (source_file (variable_declaration "const" . (identifier) @name type: (_)? @type) @definition.constant)
  (struct_declaration (variable_declaration "const" . (identifier) @name type: (_)? @type) @definition.constant)
  (enum_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
  (union_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
  (source_file (variable_declaration "var" . (identifier) @name type: (_)? @type) @definition.variable)
  (struct_declaration (variable_declaration "var" . (identifier) @name type: (_)? @type) @definition.variable)]
  (#not-match? @name "^(Self|_)$"))
(struct_declaration (container_field name: (identifier) @name type: (_)? @type) @definition.field)
(union_declaration (container_field name: (identifier) @name type: (_)? @type) @definition.field)
(enum_declaration (container_field name: (identifier) @name) @definition.enum_member)
(error_set_declaration (identifier) @name @definition.enum_member)
(test_declaration (string) @name (block) @body) @definition.function
(test_declaration (identifier) @name (block) @body) @definition.statement

; Imports

((variable_declaration "pub"? @import.reexport ["const" "var"] . (identifier) @import.alias
  (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @import.module)))) @import
  (#eq? @_import "@import"))
((variable_declaration "pub"? @import.reexport ["const" "var"] . (identifier) @import.alias
  (field_expression
    object: (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @import.module)))
    member: (identifier) @import.name)) @import
  (#eq? @_import "@import"))
((using_namespace_declaration
  (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @import.module)))) @import @import.all
  (#eq? @_import "@import"))
((builtin_function (builtin_identifier) @import.bare (arguments (string (string_content) @import.module))) @import
  (#eq? @import.bare "@import"))

; Types of names

(parameter name: (identifier) @binding.name type: (_) @binding.type)
(variable_declaration ["const" "var"] . (identifier) @binding.name type: (_) @binding.type)
(variable_declaration ["const" "var"] . (identifier) @binding.name (struct_initializer . (_) @binding.type))
((variable_declaration ["const" "var"] . (identifier) @binding.name [
  (call_expression function: (field_expression object: (_) @binding.type member: (identifier) @_make))
  (try_expression (call_expression function: (field_expression object: (_) @binding.type member: (identifier) @_make)))])
  (#match? @_make "^(init|create|new)"))

; Leaves

(comment) @comment
(identifier) @read
(call_expression function: [(identifier) @call (field_expression member: (identifier) @call)])
(call_expression [(identifier) @pass (field_expression member: (identifier) @pass)])
(struct_initializer . [(identifier) @new (field_expression member: (identifier) @new)])
(_ type: [(identifier) @type (field_expression member: (identifier) @type)])
(pointer_type [(identifier) @type (field_expression member: (identifier) @type)])
(slice_type [(identifier) @type (field_expression member: (identifier) @type)])
(nullable_type [(identifier) @type (field_expression member: (identifier) @type)])
(error_union_type [(identifier) @type (field_expression member: (identifier) @type)])
(initializer_list [(identifier) @table (field_expression member: (identifier) @table)])
(initializer_list (assignment_expression right: [(identifier) @table (field_expression member: (identifier) @table)]))
(assignment_expression left: (field_expression !object member: (identifier) @ignore))
(container_field name: (identifier) @ignore)
(variable_declaration . (identifier) @ignore)
(function_declaration name: (identifier) @ignore)
(parameter name: (identifier) @ignore)
(payload (identifier) @ignore)
(block_label (identifier) @ignore)
(break_label (identifier) @ignore)

(parameter name: (identifier) @local)
(payload (identifier) @local)
(block (variable_declaration ["const" "var"] . (identifier) @local))
