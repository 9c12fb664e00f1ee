; Functions and prototypes

(function_definition (storage_class_specifier "static")? @file type: (_) @type
  declarator: [
    (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    (pointer_declarator declarator: (pointer_declarator declarator:
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
    (function_declarator declarator: (parenthesized_declarator
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))]
  body: (_) @body) @definition.function

(declaration (storage_class_specifier "static")? @file type: (_) @type
  declarator: [
    (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))]
  ) @definition.function @declaration

; A macro that makes a function: `PHP_FUNCTION(name) {…}`, `SYSCALL_DEFINE3(name, …) {…}`

(function_definition type: (type_identifier) @decorator declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body) @definition.function
(function_definition !type declarator: (call_expression function: (identifier) @decorator
  arguments: (argument_list . (identifier) @name)) body: (_) @body) @definition.function
(_ (expression_statement (call_expression function: (identifier) @decorator
    arguments: (argument_list . (identifier) @owner . (identifier) @name .)))
  @definition.function . (compound_statement) @body @span (#match? @decorator "TEST"))
(_ (expression_statement (call_expression function: (identifier) @decorator arguments: (argument_list . (identifier) @name)))
  @definition.function . (compound_statement) @body @span (#match? @decorator "^(?!.*TEST)[A-Z][A-Z0-9_]+$"))

; Types

(type_definition type: [(struct_specifier body: (_) @body) (union_specifier body: (_) @body)]
  declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition type: (_ body: (_)) declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type_alias
(type_definition
  type: [(primitive_type) (type_identifier) (sized_type_specifier) (macro_type_specifier)
    (struct_specifier !body) (union_specifier !body) (enum_specifier !body)] @type
  declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (_ declarator: (_ declarator: (type_identifier) @name))
  (function_declarator declarator: [
    (type_identifier) @name
    (parenthesized_declarator [(type_identifier) @name (_ declarator: (type_identifier) @name)])])
  (pointer_declarator declarator: (function_declarator declarator: [
    (type_identifier) @name
    (parenthesized_declarator [(type_identifier) @name (_ declarator: (type_identifier) @name)])]))]) @definition.type_alias
(type_definition type: [
    (struct_specifier name: (type_identifier) @name body: (_))
    (union_specifier name: (type_identifier) @name body: (_))
    (enum_specifier name: (type_identifier) @name body: (_))]
  declarator: (type_identifier)) @definition.type_alias
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.enum_member
(field_declaration type: (_) @type declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))
  (_ declarator: (_ declarator: (_ declarator: (field_identifier) @name)))
  (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
  (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (field_identifier) @name))))
  (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))]) @definition.field

; Constants, macros, globals

(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_def name: (identifier) @name !value (#not-match? @name "(?i)_h(h|pp|xx)?_*$|_included_*$")) @definition.constant
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

(declaration (type_qualifier "const") declarator: (init_declarator declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (pointer_declarator (type_qualifier "const") declarator: (identifier) @name)])) @definition.constant
(declaration (storage_class_specifier "static")? @file
  type: [(primitive_type) (type_identifier) (sized_type_specifier) (macro_type_specifier)
    (struct_specifier !body) (union_specifier !body) (enum_specifier !body)] @type
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
    (_ declarator: (_ declarator: (_ declarator: (identifier) @name)))
    (init_declarator declarator: (_ declarator: (_ declarator: (_ declarator: (identifier) @name))))
    (parenthesized_declarator (identifier) @name)
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
    (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (identifier) @name))))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (identifier) @name)))))])
  @definition.variable
(declaration (storage_class_specifier "static")? @file
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])]
  @definition.variable)

; `name (*pointer)(…);` looks like a call where `name` is no known type
(_ (expression_statement (call_expression function: (call_expression
  function: (identifier) @type arguments: (argument_list . (pointer_expression argument: (identifier) @name) .)))) @definition.variable)
(_ (expression_statement (assignment_expression left: (call_expression function: (call_expression
  function: (identifier) @type arguments: (argument_list . (pointer_expression argument: (identifier) @name) .))))) @definition.variable)
(_ (expression_statement (binary_expression left: (identifier) @type "*" right: (call_expression
  function: (parenthesized_expression (pointer_expression argument: (identifier) @name))))) @definition.variable)

; Imports

(preproc_include path: (_) @import.module @import.all) @import

; Types of names

(parameter_declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (type_identifier) @binding.type)]
  declarator: [
    (identifier) @binding.name
    (pointer_declarator declarator: (identifier) @binding.name)
    (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @binding.name))
    (array_declarator declarator: (identifier) @binding.name)])
(declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (type_identifier) @binding.type)]
  declarator: [
    (identifier) @binding.name
    (pointer_declarator declarator: (identifier) @binding.name)
    (array_declarator declarator: (identifier) @binding.name)
    (init_declarator declarator: [
      (identifier) @binding.name
      (pointer_declarator declarator: (identifier) @binding.name)
      (array_declarator declarator: (identifier) @binding.name)])])

; Leaves

(comment) @comment
(identifier) @read
(type_identifier) @type
(field_expression field: (field_identifier) @read)
(call_expression function: [
  (identifier) @call
  (field_expression field: (field_identifier) @call)
  (parenthesized_expression (pointer_expression argument: [
    (identifier) @call (field_expression field: (field_identifier) @call)]))])
(macro_type_specifier name: (identifier) @call)
(argument_list [
  (identifier) @pass
  (pointer_expression argument: (identifier) @pass)
  (cast_expression value: (identifier) @pass)])
(initializer_list [
  (identifier) @table
  (pointer_expression argument: (identifier) @table)
  (cast_expression value: (identifier) @table)])
(initializer_pair value: [
  (identifier) @table
  (pointer_expression argument: (identifier) @table)
  (cast_expression value: (identifier) @table)])

(attribute_specifier (argument_list [(identifier) @ignore (call_expression function: (identifier) @ignore)]))
(ERROR (identifier) @ignore)

(parameter_declaration declarator: (identifier) @local @ignore)
(parameter_list (identifier) @local)
(pointer_declarator declarator: (identifier) @local)
(array_declarator declarator: (identifier) @local)
(init_declarator declarator: (identifier) @local)
(declaration declarator: (identifier) @local)
(preproc_params (identifier) @local)
