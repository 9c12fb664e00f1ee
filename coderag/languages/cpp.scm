; Namespaces

(namespace_definition name: (_) @name body: (_) @body) @definition.module
(namespace_definition !name body: (declaration_list [
  (function_definition declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ (function_declarator declarator: (identifier) @name))])
  (template_declaration (function_definition declarator: (function_declarator declarator: (identifier) @name)))
  (class_specifier name: (type_identifier) @name)
  (struct_specifier name: (type_identifier) @name)
  (enum_specifier name: (type_identifier) @name)
  (alias_declaration name: (type_identifier) @name)
  (declaration declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))])])) @file

; A macro that makes a function: `TEST(Suite, Name) {…}`, `TEST_CASE("name") {…}`, `BENCHMARK(name) {…}`

(function_definition !type declarator: (function_declarator declarator: (identifier) @decorator parameters: (parameter_list
    . (parameter_declaration type: (type_identifier) @owner !declarator)
    . (parameter_declaration type: (type_identifier) @name !declarator) .)) body: (compound_statement) @body
  (#match? @decorator "^[A-Z][A-Z0-9_]+$")) @definition.function
(function_definition !type declarator: (function_declarator declarator: (identifier) @decorator parameters: (parameter_list
    . (parameter_declaration type: (type_identifier) @name !declarator) .)) body: (compound_statement) @body
  (#match? @decorator "^[A-Z][A-Z0-9_]+$")) @definition.function
(_ (expression_statement (call_expression function: (identifier) @decorator
    arguments: (argument_list . [(string_literal) (identifier)] @name))) @definition.function
  . (compound_statement) @body @span (#match? @decorator "^[A-Z][A-Z0-9_]+$"))

; Functions

(_ type: (placeholder_type_specifier) declarator: (function_declarator declarator: [
  (identifier) (field_identifier) (qualified_identifier) (operator_name)] @name
  (trailing_return_type (type_descriptor) @type)))
(function_definition !type declarator: (function_declarator declarator: (identifier) @name) body: (compound_statement)? @body
  (#not-match? @name "^[A-Z][A-Z0-9_]+$")) @definition.function
(field_declaration_list (function_definition !type declarator: (function_declarator declarator: (identifier) @name)
  body: (compound_statement)? @body) @definition.function)
(function_definition !type declarator: [
    (function_declarator declarator: [(qualified_identifier) (operator_name) (destructor_name)] @name)
    (qualified_identifier name: (operator_cast)) @name
    (operator_cast) @name]
  body: (compound_statement)? @body) @definition.function
(function_definition (storage_class_specifier "static")? @file type: (_) @type
  declarator: [
    (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name)] @name)
    (function_declarator declarator: (template_function name: (identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (pointer_declarator declarator:
      (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator:
      (function_declarator declarator: [(identifier) (qualified_identifier)] @name)))
    (reference_declarator
      (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name)] @name))
    (pointer_declarator declarator: (reference_declarator
      (function_declarator declarator: [(identifier) (qualified_identifier)] @name)))]
  body: (compound_statement)? @body) @definition.function
(function_definition declarator: (function_declarator declarator: [
  (field_identifier) (identifier)] @name) [(field_initializer_list) @body (default_method_clause) (delete_method_clause)]) @definition.function
(function_definition declarator: [
    (function_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
    (reference_declarator (function_declarator declarator: (field_identifier) @name))]
  body: (_) @body) @definition.function
(function_definition (storage_class_specifier "static") declarator: (function_declarator declarator: (field_identifier) @name)) @public

(declaration (storage_class_specifier "static")? @file type: (_)? @type
  declarator: [
    (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
    (operator_cast) @name]) @definition.function @declaration
(field_declaration type: (_)? @type
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name)))
    (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (operator_cast) @name]) @definition.function @declaration
(declaration declarator: (init_declarator declarator: (identifier) @name value: (lambda_expression body: (_) @body)))
  @definition.function

; Types

(type_definition type: [(struct_specifier body: (_) @body) (union_specifier body: (_) @body) (class_specifier body: (_) @body)]
  declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition type: (_ body: (_)) declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type_alias
(type_definition
  type: [(primitive_type) (type_identifier) (sized_type_specifier) (qualified_identifier) (template_type) (decltype)
    (dependent_type) (placeholder_type_specifier)
    (struct_specifier !body) (class_specifier !body) (union_specifier !body) (enum_specifier !body)] @type
  declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (array_declarator declarator: (type_identifier) @name)
    (reference_declarator (type_identifier) @name)
    (_ declarator: (_ declarator: (type_identifier) @name))
    (function_declarator declarator: [
      (type_identifier) @name
      (parenthesized_declarator [(type_identifier) @name (_ declarator: (type_identifier) @name)])])
    (pointer_declarator declarator: (function_declarator declarator:
      (parenthesized_declarator [(type_identifier) @name (_ declarator: (type_identifier) @name)])))]) @definition.type_alias
(type_definition type: [
    (struct_specifier name: (type_identifier) @name body: (_))
    (union_specifier name: (type_identifier) @name body: (_))
    (enum_specifier name: (type_identifier) @name body: (_))]
  declarator: (type_identifier)) @definition.type_alias
(class_specifier name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @owner name: (type_identifier) @name)
    (qualified_identifier name: (template_type name: (type_identifier) @name))]
  body: (_) @body) @definition.class
(struct_specifier name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @owner name: (type_identifier) @name)
    (qualified_identifier name: (template_type name: (type_identifier) @name))]
  body: (_) @body) @definition.struct
(class_specifier name: (_ name: (type_identifier)? @name) (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))
(class_specifier name: (type_identifier) @name (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))
(struct_specifier name: (_ name: (type_identifier)? @name) (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))
(struct_specifier name: (type_identifier) @name (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: [(type_identifier) @name (qualified_identifier name: (type_identifier) @name)] body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.enum_member
(alias_declaration name: (type_identifier) @name type: (_) @type) @definition.type_alias
(concept_definition name: (identifier) @name) @definition.interface

(field_declaration (type_qualifier ["constexpr" "const"]) declarator: (field_identifier) @name default_value: (_)) @definition.constant
(field_declaration type: (_) @type declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (reference_declarator (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))
  (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
  (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (field_identifier) @name))))]) @definition.field

; Constants, macros, globals

(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_def name: (identifier) @name !value (#not-match? @name "(?i)_h(h|pp|xx)?_*$|_included_*$")) @definition.constant
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

(declaration (type_qualifier) @constant declarator: (init_declarator declarator: [
  (identifier) @name
  (qualified_identifier) @name
  (pointer_declarator (type_qualifier "const") declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)]) (#match? @constant "^const")) @definition.constant
(declaration (storage_class_specifier "static")? @file
  type: [(primitive_type) (type_identifier) (sized_type_specifier) (qualified_identifier) (template_type) (decltype)
    (placeholder_type_specifier)
    (struct_specifier !body) (class_specifier !body) (union_specifier !body) (enum_specifier !body)] @type
  declarator: [
    (identifier) @name
    (qualified_identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
    (init_declarator declarator: [
      (identifier) @name
      (qualified_identifier) @name
      (reference_declarator (identifier) @name)
      (_ declarator: (identifier) @name)
      (_ declarator: (qualified_identifier) @name)
      (_ declarator: (_ declarator: (identifier) @name))
      (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))])]) @definition.variable
(declaration (storage_class_specifier "static")? @file
  type: [(struct_specifier body: (_)) (class_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))] @definition.variable)

; Imports

(preproc_include path: (_) @import.module @import.all) @import
(using_declaration "namespace" [(identifier) (qualified_identifier)] @import.module @import.all) @import
(using_declaration . "using" . (qualified_identifier) @import.path) @import
(namespace_alias_definition name: (_) @import.alias (_) @import.module) @import

; Types of names

(parameter_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding.name
    (pointer_declarator declarator: (identifier) @binding.name)
    (reference_declarator (identifier) @binding.name)])
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding.name
    (pointer_declarator declarator: (identifier) @binding.name)
    (reference_declarator (identifier) @binding.name)
    (init_declarator declarator: [
      (identifier) @binding.name
      (pointer_declarator declarator: (identifier) @binding.name)
      (reference_declarator (identifier) @binding.name)])])
(for_range_loop
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [(identifier) @binding.name (reference_declarator (identifier) @binding.name)])
(init_declarator
  declarator: [(identifier) @binding.name (pointer_declarator declarator: (identifier) @binding.name)]
  value: [
    (new_expression type: (_) @binding.type)
    (compound_literal_expression type: (_) @binding.type)
    (call_expression function: [(identifier) (qualified_identifier name: (identifier))] @binding.type)])
(init_declarator declarator: (identifier) @binding.name value: (call_expression function:
  (qualified_identifier name: (template_function name: (identifier) @maker
    arguments: (template_argument_list . (type_descriptor) @binding.type))))
  (#match? @maker "^(make_(unique|shared)|static_pointer_cast|dynamic_pointer_cast)$"))
(init_declarator declarator: [(identifier) @binding.name (pointer_declarator declarator: (identifier) @binding.name)
    (reference_declarator (identifier) @binding.name)]
  value: (call_expression function: (template_function name: (identifier) @cast
    arguments: (template_argument_list . (type_descriptor) @binding.type)))
  (#match? @cast "^(static|dynamic|reinterpret|const)_cast$"))

; Leaves

(comment) @comment
(template_declaration) @wrapper
(linkage_specification body: [(function_definition) (declaration)]) @wrapper
(friend_declaration) @wrapper
(identifier) @read
(type_identifier) @type
(field_expression field: (field_identifier) @read)
(field_initializer (field_identifier) @read)
(call_expression function: [
  (identifier) @call
  (template_function name: (identifier) @call)
  (field_expression field: [
    (field_identifier) @call
    (template_method name: (field_identifier) @call)
    (dependent_name (template_method name: (field_identifier) @call))])
  (qualified_identifier name: [
    (identifier) @call
    (template_function name: (identifier) @call)
    (qualified_identifier name: [
      (identifier) @call
      (template_function name: (identifier) @call)
      (qualified_identifier name: [(identifier) @call (template_function name: (identifier) @call)])])])
  (parenthesized_expression (pointer_expression argument: (identifier) @call))])
(new_expression type: [
  (type_identifier) @new
  (template_type name: (type_identifier) @new)
  (qualified_identifier name: [
    (type_identifier) @new
    (template_type name: (type_identifier) @new)
    (qualified_identifier name: [(type_identifier) @new (template_type name: (type_identifier) @new)])])])
(compound_literal_expression type: [
  (type_identifier) @new
  (template_type name: (type_identifier) @new)
  (qualified_identifier name: [(type_identifier) @new (template_type name: (type_identifier) @new)])])
(base_class_clause [
  (type_identifier) @inherit
  (template_type name: (type_identifier) @inherit)
  (qualified_identifier name: [
    (type_identifier) @inherit
    (template_type name: (type_identifier) @inherit)
    (qualified_identifier name: [(type_identifier) @inherit (template_type name: (type_identifier) @inherit)])])])
(argument_list [
  (identifier) @pass
  (qualified_identifier name: (identifier) @pass)
  (pointer_expression argument: [(identifier) @pass (qualified_identifier name: (identifier) @pass)])
  (cast_expression value: (identifier) @pass)])
(initializer_list [
  (identifier) @table
  (qualified_identifier name: (identifier) @table)
  (pointer_expression argument: [(identifier) @table (qualified_identifier name: (identifier) @table)])
  (cast_expression value: (identifier) @table)])
(initializer_pair value: [
  (identifier) @table
  (pointer_expression argument: [(identifier) @table (qualified_identifier name: (identifier) @table)])])

(ERROR (identifier) @ignore)
(attribute (identifier) @ignore)
(using_declaration (identifier) @ignore)
(using_declaration (qualified_identifier name: (identifier) @ignore))
(destructor_name (identifier) @ignore)
(function_declarator declarator: (qualified_identifier name: [
  (identifier) @ignore
  (template_function name: (identifier) @ignore)
  (qualified_identifier name: [(identifier) @ignore (qualified_identifier name: (identifier) @ignore)])]))
(template_function name: (identifier) @ignore (#match? @ignore "^(static|dynamic|reinterpret|const)_cast$"))

(type_parameter_declaration (type_identifier) @generic @ignore)
(optional_type_parameter_declaration name: (type_identifier) @generic @ignore)
(variadic_type_parameter_declaration (type_identifier) @generic @ignore)
(template_parameter_list (parameter_declaration declarator: (identifier) @generic))
(parameter_declaration declarator: (identifier) @local @ignore)
(optional_parameter_declaration declarator: (identifier) @local @ignore)
(variadic_declarator (identifier) @local)
(pointer_declarator declarator: (identifier) @local)
(reference_declarator (identifier) @local)
(array_declarator declarator: (identifier) @local)
(init_declarator declarator: (identifier) @local)
(declaration declarator: (identifier) @local)
(for_range_loop declarator: (identifier) @local)
(structured_binding_declarator (identifier) @local)
(lambda_capture_initializer left: (identifier) @local)
(preproc_params (identifier) @local)
