; Types

(class_declaration name: (_) @name body: (_) @body) @definition.class
(record_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_constant name: (_) @name) @definition.enum_member
(enum_constant name: (_) @name body: (_) @body)

(class_declaration name: (_) @name superclass: (superclass [
  (type_identifier) @base (scoped_type_identifier) @base (generic_type . (_) @base)]))
(_ name: (_) @name interfaces: (super_interfaces (type_list [
  (type_identifier) @base (scoped_type_identifier) @base (generic_type . (_) @base)])))
(interface_declaration name: (_) @name (extends_interfaces (type_list [
  (type_identifier) @base (scoped_type_identifier) @base (generic_type . (_) @base)])))

; Members

(method_declaration type: (_) @type name: (_) @name) @definition.method
(method_declaration name: (_) @name body: (_) @body)
(constructor_declaration name: (_) @name body: (_) @body) @definition.method
(compact_constructor_declaration name: (_) @name body: (_) @body) @definition.method
(annotation_type_element_declaration type: (_) @type name: (_) @name) @definition.method
((field_declaration (modifiers "final") declarator: (variable_declarator name: (_) @name)) @definition.constant
  (#match? @name "^[A-Z][A-Z0-9_]*$"))
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @name)) @definition.field
(constant_declaration type: (_) @type declarator: (variable_declarator name: (_) @name)) @definition.constant
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (_) @name) @definition.field))

(_ (modifiers [(annotation) (marker_annotation)] @decorator) name: (_) @name)
(field_declaration (modifiers [(annotation) (marker_annotation)] @decorator) declarator: (variable_declarator name: (_) @name))
(_ (modifiers "private") @private name: (_) @name)
(field_declaration (modifiers "private") @private declarator: (variable_declarator name: (_) @name))

; Package and imports

(package_declaration [(scoped_identifier) (identifier)] @module)
(import_declaration (scoped_identifier) @import.path .) @import
(import_declaration (scoped_identifier) @import.module (asterisk) @import.all) @import

; Types of names

(formal_parameter type: (_) @binding.type name: (_) @binding.name)
((local_variable_declaration type: (_) @binding.type declarator: (variable_declarator name: (_) @binding.name))
  (#not-eq? @binding.type "var"))
(local_variable_declaration declarator: (variable_declarator name: (_) @binding.name value: [
  (object_creation_expression type: (_) @binding.type)
  (cast_expression type: (_) @binding.type)
  (method_invocation !object name: (_) @binding.type)]))
(local_variable_declaration declarator: (variable_declarator name: (_) @binding.name value: (identifier) @binding.same))
((enhanced_for_statement type: (_) @binding.type name: (_) @binding.name) (#not-eq? @binding.type "var"))
(resource type: (_) @binding.type name: (_) @binding.name)
(catch_formal_parameter (catch_type . (_) @binding.type .) name: (_) @binding.name)
(instanceof_expression right: (_) @binding.type name: (_) @binding.name)
(type_pattern (_) @binding.type . (identifier) @binding.name)

; Leaves

(line_comment) @comment
(block_comment) @comment
(package_declaration) @silent
(import_declaration) @silent
(module_declaration) @silent

(identifier) @read
(type_identifier) @type
(method_invocation name: (_) @call)
(object_creation_expression type: [
  (type_identifier) @new
  (scoped_type_identifier (type_identifier) @new .)
  (generic_type . [(type_identifier) @new (scoped_type_identifier (type_identifier) @new .)])])
(annotation name: [(identifier) @type (scoped_identifier name: (_) @type)])
(marker_annotation name: [(identifier) @type (scoped_identifier name: (_) @type)])
(superclass [
  (type_identifier) @inherit
  (scoped_type_identifier (type_identifier) @inherit .)
  (generic_type . [(type_identifier) @inherit (scoped_type_identifier (type_identifier) @inherit .)])])
(extends_interfaces (type_list [
  (type_identifier) @inherit
  (scoped_type_identifier (type_identifier) @inherit .)
  (generic_type . [(type_identifier) @inherit (scoped_type_identifier (type_identifier) @inherit .)])]))
(super_interfaces (type_list [
  (type_identifier) @implement
  (scoped_type_identifier (type_identifier) @implement .)
  (generic_type . [(type_identifier) @implement (scoped_type_identifier (type_identifier) @implement .)])]))
(argument_list [(identifier) @pass (field_access field: (_) @pass)])
(method_reference (_) (identifier) @pass .)
(array_initializer [(identifier) @table (field_access field: (_) @table)])

((type_identifier) @ignore (#eq? @ignore "var"))
(element_value_pair key: (_) @ignore)
(labeled_statement . (identifier) @ignore)
(break_statement (identifier) @ignore)
(continue_statement (identifier) @ignore)

(formal_parameter name: (_) @local)
(spread_parameter (variable_declarator name: (_) @local))
(local_variable_declaration declarator: (variable_declarator name: (_) @local))
(enhanced_for_statement name: (_) @local)
(resource name: (_) @local)
(catch_formal_parameter name: (_) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(instanceof_expression name: (_) @local)
(type_pattern (identifier) @local)
(record_pattern_component (identifier) @local)
(type_parameter (type_identifier) @generic)
