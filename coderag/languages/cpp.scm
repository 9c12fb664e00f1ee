; Namespaces

(namespace_definition name: (_) @name body: (_) @body) @definition.module
(namespace_definition !name body: (_ [
  (_ declarator: (_ declarator: (identifier) @name parameters: _))
  (_ declarator: (_ (_ declarator: (identifier) @name parameters: _)))
  (template_declaration (_ declarator: (_ declarator: (identifier) @name parameters: _)))
  (_ name: (type_identifier) @name)
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))
  (_ declarator: (_ declarator: (_ declarator: (identifier) @name)))])) @file

; A macro that makes a function: `TEST(Suite, Name) {…}`, `TEST_CASE("name") {…}`, `BENCHMARK(name) {…}`

(function_definition !type declarator: (_ declarator: (identifier) @decorator parameters: [
    (_ . (_ type: (type_identifier) @owner !declarator) . (_ type: (type_identifier) @name !declarator) .)
    (_ . (_ type: (type_identifier) @name !declarator) .)]) body: (compound_statement) @body
  (#match? @decorator "^[A-Z][A-Z0-9_]+$")) @definition.function
(_ (expression_statement (_ function: (identifier) @decorator
    arguments: (_ . [(string_literal) (identifier)] @name))) @definition.function
  . (compound_statement) @body @span (#match? @decorator "^[A-Z][A-Z0-9_]+$"))

; Functions. What has parameters is the innermost declarator; pointers and references are around it.

(_ type: (placeholder_type_specifier) declarator: (_ declarator: [
  (identifier) (field_identifier) (qualified_identifier) (operator_name)] @name
  (trailing_return_type (type_descriptor) @type)))
(function_definition !type declarator: (_ declarator: (identifier) @name parameters: _)
  (#not-match? @name "^[A-Z][A-Z0-9_]+$")) @definition.function
(field_declaration_list (_ !type declarator: (_ declarator: (identifier) @name parameters: _) body: _) @definition.function)
(function_definition !type declarator: [
  (_ declarator: [(qualified_identifier) (operator_name) (destructor_name)] @name parameters: _)
  (qualified_identifier name: (operator_cast)) @name
  (operator_cast) @name]) @definition.function
(function_definition type: _ @type declarator: [
  (_ declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name parameters: _)
  (_ declarator: (template_function name: (identifier) @name) parameters: _)
  (_ declarator: (parenthesized_declarator (identifier) @name) parameters: _)
  (_ (_ declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name parameters: _))
  (_ (_ (_ declarator: [(identifier) (field_identifier) (qualified_identifier)] @name parameters: _)))]) @definition.function
(function_definition declarator: (_ declarator: [(field_identifier) (identifier)] @name parameters: _)
  [(field_initializer_list) @body (default_method_clause) (delete_method_clause)]) @definition.function
(function_definition declarator: [
    (qualified_identifier name: (operator_cast)) @name
    (operator_cast) @name
    (_ declarator: [
      (identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name)] @name parameters: _)
    (_ (_ declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name parameters: _))
    (_ (_ (_ declarator: [(identifier) (field_identifier) (qualified_identifier)] @name parameters: _)))
    (_ declarator: [(template_function name: (identifier) @name) (parenthesized_declarator (identifier) @name)])]
  body: _ @body)
(_ (storage_class_specifier "static") @file declarator: [
  (identifier) @name
  (_ declarator: [(identifier) (qualified_identifier) (operator_name)] @name)
  (_ (identifier) @name)
  (_ (_ declarator: [(identifier) (qualified_identifier) (operator_name)] @name))
  (_ (_ (_ declarator: (identifier) @name)))])


(declaration type: (_ !body) @type declarator: [
  (_ declarator: [(identifier) (operator_name)] @name parameters: _)
  (_ (_ declarator: [(identifier) (operator_name)] @name parameters: _))
  (_ (_ (_ declarator: (identifier) @name parameters: _)))]) @definition.function @declaration
(declaration !type declarator: [
  (_ declarator: [(identifier) (operator_name) (destructor_name)] @name parameters: _)
  (operator_cast) @name]) @definition.function @declaration
(field_declaration type: _? @type declarator: [
  (_ declarator: [(field_identifier) (operator_name) (destructor_name)] @name parameters: _)
  (_ (_ declarator: [(field_identifier) (operator_name)] @name parameters: _))
  (_ (_ (_ declarator: (field_identifier) @name parameters: _)))
  (operator_cast) @name]) @definition.function @declaration
(declaration declarator: (_ declarator: (identifier) @name value: (lambda_expression body: (_) @body))) @definition.function

; Types

(type_definition type: (_ ["struct" "union" "class"] body: _ @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (_ "enum" body: _ @body) declarator: (type_identifier) @name) @definition.enum
(type_definition type: (_ body: _) declarator: (_ "*" declarator: (type_identifier) @name)) @definition.type_alias
(type_definition type: (_ !body) @type declarator: [
  (type_identifier) @name
  (_ (type_identifier) @name)
  (_ declarator: (_ (type_identifier) @name))
  (_ declarator: (_ (_ (type_identifier) @name)))
  (_ declarator: (_ declarator: (_ (type_identifier) @name)))
  (_ declarator: (_ declarator: (_ (_ (type_identifier) @name))))]) @definition.type_alias
(type_definition type: (_ name: (type_identifier) @name body: _) declarator: (type_identifier)) @definition.type_alias
(class_specifier name: [
    (type_identifier) @name
    (_ name: (type_identifier) @name)
    (_ scope: (_) @owner name: (type_identifier) @name)
    (_ name: (_ name: (type_identifier) @name))]
  body: _ @body) @definition.class
(struct_specifier name: [
    (type_identifier) @name
    (_ name: (type_identifier) @name)
    (_ scope: (_) @owner name: (type_identifier) @name)
    (_ name: (_ name: (type_identifier) @name))]
  body: _ @body) @definition.struct
(_ name: [(type_identifier) @name (_ name: (type_identifier) @name)]
  (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))
(union_specifier name: (type_identifier) @name body: _ @body) @definition.struct
(enum_specifier name: [(type_identifier) @name (_ name: (type_identifier) @name)] body: _ @body) @definition.enum
(enumerator name: (identifier) @name) @definition.enum_member
(alias_declaration name: (type_identifier) @name type: (_) @type) @definition.type_alias
(concept_definition name: (identifier) @name) @definition.interface

(_ (type_qualifier ["constexpr" "const"]) declarator: (field_identifier) @name default_value: _) @definition.constant
(field_declaration type: _ @type declarator: [
  (field_identifier) @name
  (_ (field_identifier) @name)
  (_ declarator: (_ (field_identifier) @name))
  (_ declarator: (_ (_ declarator: (field_identifier) @name)))
  (_ declarator: (_ (_ declarator: (_ declarator: (field_identifier) @name))))]) @definition.field

; Constants, macros, globals

(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_def name: (identifier) @name !value (#not-match? @name "(?i)_h(h|pp|xx)?_*$|_included_*$")) @definition.constant
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

(declaration (type_qualifier) @constant declarator: (_ declarator: [
  (identifier) @name
  (qualified_identifier) @name
  (_ (type_qualifier "const") declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)]
  value: _) (#match? @constant "^const")) @definition.constant
(declaration type: (_ !body) @type declarator: [
  (identifier) @name
  (qualified_identifier) @name
  (_ declarator: [(identifier) (qualified_identifier)] @name value: _)
  (reference_declarator (identifier) @name)
  (_ declarator: (identifier) @name !parameters)
  (_ declarator: (reference_declarator (identifier) @name))
  (_ declarator: (_ declarator: (identifier) @name !parameters))
  (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
  (_ declarator: (_ declarator: (_ declarator: (identifier) @name !parameters)))
  (_ declarator: (_ declarator: (_ (_ declarator: (identifier) @name))))]) @definition.variable
(declaration type: (_ body: _) declarator: [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))] @definition.variable)

; Imports

(preproc_include path: (_) @import.module @import.all) @import
(using_declaration "namespace" [(identifier) (qualified_identifier)] @import.module @import.all) @import
(using_declaration . "using" . (qualified_identifier) @import.path) @import
(namespace_alias_definition name: (_) @import.alias (_) @import.module) @import

; Types of names

(_ type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type declarator: [
  (identifier) @binding.name
  (pointer_declarator declarator: (identifier) @binding.name)
  (reference_declarator (identifier) @binding.name)
  (_ declarator: (identifier) @binding.name value: _)
  (_ declarator: (pointer_declarator declarator: (identifier) @binding.name) value: _)
  (_ declarator: (reference_declarator (identifier) @binding.name) value: _)])
(init_declarator
  declarator: [(identifier) @binding.name (_ declarator: (identifier) @binding.name)]
  value: [
    (new_expression type: _ @binding.type)
    (compound_literal_expression type: _ @binding.type)
    (call_expression function: [(identifier) (_ scope: _ name: (identifier))] @binding.type)])
(init_declarator declarator: (identifier) @binding.name value: (_ function:
  (_ name: (_ name: (identifier) @maker arguments: (_ . (type_descriptor) @binding.type))))
  (#any-of? @maker "make_unique" "make_shared" "static_pointer_cast" "dynamic_pointer_cast"))
(init_declarator declarator: [(identifier) @binding.name (_ (identifier) @binding.name)]
  value: (_ function: (_ name: (identifier) @cast arguments: (_ . (type_descriptor) @binding.type)))
  (#any-of? @cast "static_cast" "dynamic_cast" "reinterpret_cast" "const_cast"))

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
  (_ field: [
    (field_identifier) @call
    (_ name: (field_identifier) @call)
    (_ (_ name: (field_identifier) @call))])
  (_ name: (identifier) @call)
  (_ name: (_ name: (identifier) @call))
  (_ name: (_ name: (_ name: (identifier) @call)))
  (_ name: (_ name: (_ name: (_ name: (identifier) @call))))
  (parenthesized_expression (_ argument: (identifier) @call))])
(new_expression type: [
  (type_identifier) @new
  (_ name: (type_identifier) @new)
  (_ name: (_ name: (type_identifier) @new))
  (_ name: (_ name: (_ name: (type_identifier) @new)))])
(compound_literal_expression type: [
  (type_identifier) @new
  (_ name: (type_identifier) @new)
  (_ name: (_ name: (type_identifier) @new))])
(base_class_clause [
  (type_identifier) @inherit
  (_ name: (type_identifier) @inherit)
  (_ name: (_ name: (type_identifier) @inherit))
  (_ name: (_ name: (_ name: (type_identifier) @inherit)))])
(argument_list [
  (identifier) @pass
  (_ name: (identifier) @pass)
  (pointer_expression argument: [(identifier) @pass (_ name: (identifier) @pass)])
  (cast_expression value: (identifier) @pass)])
(initializer_list [
  (identifier) @table
  (_ name: (identifier) @table)
  (pointer_expression argument: [(identifier) @table (_ name: (identifier) @table)])
  (cast_expression value: (identifier) @table)])
(initializer_pair value: [
  (identifier) @table
  (pointer_expression argument: [(identifier) @table (_ name: (identifier) @table)])])

(ERROR (identifier) @ignore)
(attribute (identifier) @ignore)
(using_declaration (identifier) @ignore)
(using_declaration (qualified_identifier name: (identifier) @ignore))
(destructor_name (identifier) @ignore)
(function_declarator declarator: [
  (_ name: (identifier) @ignore)
  (_ name: (_ name: (identifier) @ignore))
  (_ name: (_ name: (_ name: (identifier) @ignore)))])
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
