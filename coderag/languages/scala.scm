; Types

(class_definition name: (identifier) @name) @definition.class
(object_definition name: (identifier) @name) @definition.class
(trait_definition name: (identifier) @name) @definition.trait
(enum_definition name: (identifier) @name body: (_) @body) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.enum_member
(full_enum_case name: (identifier) @name) @definition.enum_member
(package_object name: (identifier) @name body: (_) @body) @definition.module
(given_definition name: (identifier) @name body: (with_template_body) @body) @definition.class
(given_definition name: (identifier) @name return_type: (_) @type) @definition.variable
(given_definition !name return_type: (_) @name body: (with_template_body) @body) @definition.class
(type_definition name: (type_identifier) @name type: (_)? @type) @definition.type_alias
(_ name: (identifier) @name extend: (extends_clause [
  (type_identifier) (generic_type) (stable_type_identifier)] @base))

; Functions

(function_definition name: [(identifier) (operator_identifier)] @name return_type: (_)? @type body: (_) @body) @definition.function
(function_declaration name: [(identifier) (operator_identifier)] @name return_type: (_)? @type) @definition.function @declaration
(extension_definition (parameters (parameter type: (_) @owner))
  (_ name: [(identifier) (operator_identifier)] @name))
(val_definition pattern: (identifier) @name value: (lambda_expression) @body) @definition.function

; Values

(class_parameter ["val" "var"] name: (identifier) @name type: (_)? @type) @definition.field
(class_definition "case" class_parameters: (_ (_ name: (identifier) @name type: (_)? @type) @definition.field))
(template_body [
  (_ pattern: (identifier) @name type: _? @type)
  (_ pattern: (tuple_pattern (identifier) @name))
  (val_declaration name: (identifier) @name type: (_)? @type)
  (var_declaration name: (identifier) @name type: (_)? @type)] @definition.variable)
(compilation_unit [
  (_ pattern: (identifier) @name type: _? @type)
  (_ pattern: (tuple_pattern (identifier) @name))] @definition.variable)
(val_definition pattern: (identifier) @name !type value: [
  (_ function: (identifier) @type)
  (instance_expression . (_) @type)])

; Visibility and annotations

(_ (modifiers (access_modifier "private")) name: [(identifier) (operator_identifier)] @name) @private
(_ (modifiers (access_modifier "private")) pattern: (identifier) @name) @private
(_ (annotation) @decorator name: (identifier) @name)

; Package and imports

(package_clause name: (_) @module)
(import_declaration) @import @import.tree
(export_declaration) @import @import.tree @import.reexport

; Types of names

(parameter name: (identifier) @binding.name type: [(type_identifier) (generic_type) (stable_type_identifier)] @binding.type)
(class_parameter name: (identifier) @binding.name type: [(type_identifier) (generic_type) (stable_type_identifier)] @binding.type)
(val_definition pattern: (identifier) @binding.name type: (_) @binding.type)
(var_definition pattern: (identifier) @binding.name type: (_) @binding.type)
(val_definition pattern: (identifier) @binding.name !type value: [
  (_ function: [(identifier) (_ value: (identifier))] @binding.type)
  (_ function: (_ function: [(identifier) (_ value: (identifier))] @binding.type))
  (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @binding.type)])
(var_definition pattern: (identifier) @binding.name !type value: [
  (_ function: (identifier) @binding.type)
  (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @binding.type)])
(typed_pattern pattern: (identifier) @binding.name type: [(type_identifier) (generic_type) (stable_type_identifier)] @binding.type)
(binding name: (identifier) @binding.name type: [(type_identifier) (generic_type) (stable_type_identifier)] @binding.type)

; Leaves

(comment) @comment
(block_comment) @comment
(identifier) @read
(type_identifier) @type
(call_expression function: [
  (identifier) @call
  (_ field: (identifier) @call)
  (_ function: [(identifier) @call (_ field: (identifier) @call)])])
(infix_expression operator: (identifier) @call)
(annotation name: (type_identifier) @call)
(case_class_pattern type: (type_identifier) @call)
(instance_expression . [
  (type_identifier) @new
  (_ type: (type_identifier) @new)
  (stable_type_identifier (type_identifier) @new)])
(extends_clause [
  (type_identifier) @inherit
  (_ type: [(type_identifier) @inherit (stable_type_identifier (type_identifier) @inherit)])
  (stable_type_identifier (type_identifier) @inherit)])
(arguments [
  (identifier) @pass
  (_ field: (identifier) @pass)
  (method_value . (identifier) @pass)
  (assignment_expression right: [(identifier) @pass (_ field: (identifier) @pass)])])
(infix_expression operator: (operator_identifier) @operator right: [
  (identifier) @table (_ field: (identifier) @table)] (#eq? @operator "->"))

(arguments (assignment_expression left: (identifier) @ignore))
(import_declaration (identifier) @ignore)
(export_declaration (identifier) @ignore)
(namespace_selectors (identifier) @ignore)
(namespace_selectors (_ [name: (identifier) alias: (identifier)] @ignore))
(package_identifier (identifier) @ignore)
(type_parameters name: (identifier) @generic @ignore)
(covariant_type_parameter name: (identifier) @generic @ignore)
(contravariant_type_parameter name: (identifier) @generic @ignore)
(parameter name: (identifier) @local @ignore)
(class_parameter name: (identifier) @local)
(block (_ pattern: (identifier) @local value: _))
(indented_block (_ pattern: (identifier) @local value: _))
(enumerator . (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(binding name: (identifier) @local)
(case_clause pattern: (identifier) @local (#match? @local "^[a-z]"))
(case_class_pattern pattern: (identifier) @local (#match? @local "^[a-z]"))
(tuple_pattern (identifier) @local (#match? @local "^[a-z]"))
(typed_pattern pattern: (identifier) @local)
(capture_pattern name: (identifier) @local)
