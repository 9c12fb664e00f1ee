; Symbols

(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (identifier) @name result: [
  (type_identifier) @type (qualified_type) @type (pointer_type) @type (slice_type) @type (map_type) @type (generic_type) @type
  (function_type) @type (channel_type) @type (array_type) @type (interface_type) @type (struct_type) @type
  (parameter_list . (parameter_declaration type: (_) @type))])
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (field_identifier) @name)
  @definition.method
(method_declaration name: (field_identifier) @name result: [
  (type_identifier) @type (qualified_type) @type (pointer_type) @type (slice_type) @type (map_type) @type (generic_type) @type
  (function_type) @type (channel_type) @type (array_type) @type (interface_type) @type (struct_type) @type
  (parameter_list . (parameter_declaration type: (_) @type))])
(short_var_declaration left: (expression_list . (identifier) @name .) right: (expression_list . (func_literal body: (_) @body) .))
  @definition.function
(var_spec name: (identifier) @name value: (expression_list . (func_literal body: (_) @body) .)) @definition.function

(type_declaration . (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) .) @definition.struct
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_declaration . (type_spec name: (type_identifier) @name type: (interface_type "{" @body)) .) @definition.interface
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(type_declaration . (_ name: (type_identifier) @name) .) @definition.type_alias
(type_declaration (_ name: (type_identifier) @name) @definition.type_alias)

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base))))
(type_spec name: (type_identifier) @name type: (interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .)))
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field
(method_elem name: (field_identifier) @name) @definition.method
(method_elem name: (field_identifier) @name result: [
  (type_identifier) @type (qualified_type) @type (pointer_type) @type (slice_type) @type (map_type) @type (generic_type) @type
  (function_type) @type (channel_type) @type (array_type) @type (interface_type) @type (struct_type) @type
  (parameter_list . (parameter_declaration type: (_) @type))])

((source_file (const_declaration . (const_spec (identifier) @name) .) @definition.constant) (#not-eq? @name "_"))
((source_file (const_declaration (const_spec (identifier) @name) @definition.constant)) (#not-eq? @name "_"))
((source_file (var_declaration . (var_spec name: (identifier) @name) .) @definition.variable) (#not-eq? @name "_"))
((source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable))) (#not-eq? @name "_"))
(source_file (const_declaration (const_spec (identifier) @name type: (_) @type)))
(source_file (var_declaration [
  (var_spec . name: (identifier) @name . value: (expression_list . [
    (composite_literal type: (_) @type)
    (unary_expression (composite_literal type: (_) @type))
    (call_expression function: [(identifier) (selector_expression)] @type)]))
  (var_spec_list (var_spec . name: (identifier) @name . value: (expression_list . [
    (composite_literal type: (_) @type)
    (unary_expression (composite_literal type: (_) @type))
    (call_expression function: [(identifier) (selector_expression)] @type)])))]))

(package_clause (package_identifier) @module)

; Imports

(import_spec !name path: (_) @import.module) @import
(import_spec name: (package_identifier) @import.alias path: (_) @import.module) @import
(import_spec name: (dot) @import.all path: (_) @import.module) @import
(import_spec name: (blank_identifier) @import.bare path: (_) @import.module) @import

; Types of names

(parameter_declaration name: (identifier) @binding.name type: (_) @binding.type)
(var_spec name: (identifier) @name @binding.name type: (_) @type @binding.type)
((short_var_declaration left: (expression_list . (identifier) @binding.name) right: (expression_list . [
  (call_expression function: [(identifier) (selector_expression)] @binding.type)
  (composite_literal type: (_) @binding.type)
  (unary_expression (composite_literal type: (_) @binding.type))
  (type_conversion_expression type: (generic_type type: (_) @binding.type))
  (type_assertion_expression type: (_) @binding.type)]))
  (#not-eq? @binding.type "new"))
(short_var_declaration left: (expression_list . (identifier) @binding.name .) right: (expression_list . (identifier) @binding.same .))
((short_var_declaration left: (expression_list . (identifier) @binding.name) right: (expression_list .
  (call_expression function: (identifier) @_new arguments: (argument_list . (_) @binding.type))))
  (#eq? @_new "new"))

; Leaves

(comment) @comment
(identifier) @read
(type_identifier) @type
(selector_expression field: (field_identifier) @read)
(call_expression function: [(identifier) @call (selector_expression field: (_) @call)])
(call_expression function: (index_expression operand: [(identifier) @call (selector_expression field: (_) @call)]))
(type_conversion_expression type: (generic_type type: [(type_identifier) @call (qualified_type name: (_) @call)]))
(composite_literal type: [
  (type_identifier) @new
  (qualified_type name: (_) @new)
  (generic_type type: [(type_identifier) @new (qualified_type name: (_) @new)])])
(argument_list [(identifier) @pass (selector_expression field: (_) @pass)])
(literal_element [(identifier) @table (selector_expression field: (_) @table)])
(field_declaration !name type: [
  (type_identifier) @inherit
  (qualified_type name: (_) @inherit)
  (generic_type type: [(type_identifier) @inherit (qualified_type name: (_) @inherit)])])
(interface_type (type_elem . [(type_identifier) @inherit (qualified_type name: (_) @inherit)] .))

(composite_literal type: [(type_identifier) (qualified_type) (generic_type)]
  body: (literal_value (keyed_element key: (literal_element (identifier) @ignore))))
(literal_element (literal_value (keyed_element key: (literal_element (identifier) @ignore))))

(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(const_spec (identifier) @local)
(type_switch_statement alias: (expression_list (identifier) @local))
(type_parameter_declaration name: (identifier) @generic)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @generic)))
  (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @generic))))])))
