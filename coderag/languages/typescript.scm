; What TypeScript adds to `ecmascript.scm`.

; Functions and classes

(function_signature name: (identifier) @name) @definition.function @declaration
[
  (_ name: [
    (identifier) (property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name return_type: (type_annotation (_) @type))
  (variable_declarator name: (identifier) @name value: (_ return_type: (type_annotation (_) @type)))
]
(lexical_declaration . (variable_declarator name: (identifier) @name value: [
  (satisfies_expression (parenthesized_expression (_ [parameters: _ parameter: _] body: _ @body)))
  (as_expression (parenthesized_expression (_ [parameters: _ parameter: _] body: _ @body)))]) .)
  @definition.function
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(class_body (method_signature name: (_) @name) @definition.method @declaration)
(abstract_method_signature name: (_) @name) @definition.method
(class_body (decorator)+ @decorator @span . (method_definition name: (_) @name))
(class_declaration (decorator) @decorator name: (_) @name)
(abstract_class_declaration (decorator) @decorator name: (_) @name)
(public_field_definition name: (_) @name value: (_ [parameters: _ parameter: _] body: _ @body)) @definition.method
(public_field_definition name: (_) @name type: (_ (_) @type)?) @definition.field
(public_field_definition name: (_) @name value: (_ constructor: (_) @type))
(public_field_definition (decorator) @decorator name: (_) @name)
[
  (class_declaration name: (_) @owner body: (_ (_ name: _ parameters: (_
    (_ [(accessibility_modifier) "readonly"] pattern: (identifier) @name type: (_ (_) @type)?) @definition.field) body: _)))
  (abstract_class_declaration name: (_) @owner body: (_ (_ name: _ parameters: (_
    (_ [(accessibility_modifier) "readonly"] pattern: (identifier) @name type: (_ (_) @type)?) @definition.field) body: _)))
]
((_ (accessibility_modifier) @private @_modifier name: (_) @name) (#any-of? @_modifier "private" "protected"))
((_ (accessibility_modifier) @private @_modifier pattern: (identifier) @name) (#any-of? @_modifier "private" "protected"))

[
  (class_declaration name: (_) @name (class_heritage (extends_clause value: [(identifier) (member_expression)] @base)))
  (class_declaration name: (_) @name (class_heritage (implements_clause [
    (type_identifier) @base (nested_type_identifier) @base (generic_type name: (_) @base)])))
  (abstract_class_declaration name: (_) @name (class_heritage (extends_clause value: [(identifier) (member_expression)] @base)))
  (abstract_class_declaration name: (_) @name (class_heritage (implements_clause [
    (type_identifier) @base (nested_type_identifier) @base (generic_type name: (_) @base)])))
  (variable_declarator name: (identifier) @name
    value: (class (class_heritage (extends_clause value: [(identifier) (member_expression)] @base))))
  (export_statement "default" @name
    value: (class (class_heritage (extends_clause value: [(identifier) (member_expression)] @base))))
]

; Types

(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(interface_declaration name: (_) @name (extends_type_clause [
  (type_identifier) @base (nested_type_identifier) @base (generic_type name: (_) @base)]))
(interface_body (property_signature name: (_) @name type: (_ (_) @type)?) @definition.field)
(interface_body (method_signature name: (_) @name) @definition.method)
(type_alias_declaration name: (_) @name) @definition.type_alias
(type_alias_declaration value: [
  (object_type [
    (property_signature name: (_) @name type: (_ (_) @type)?) @definition.field
    (method_signature name: (_) @name) @definition.method])
  (intersection_type (object_type [
    (property_signature name: (_) @name type: (_ (_) @type)?) @definition.field
    (method_signature name: (_) @name) @definition.method]))])
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_body (property_identifier) @name @definition.enum_member)
(enum_body (enum_assignment name: (_) @name) @definition.enum_member)
(internal_module name: (_) @name body: (_) @body) @definition.module
(module name: (_) @name body: (_) @body) @definition.module
(export_statement declaration: (internal_module name: (_) @name)) @span @public
(ambient_declaration (_ name: (_) @name)) @span @public
(ambient_declaration (statement_block (_ name: (_) @name @public)))
(export_statement declaration: (ambient_declaration (_ name: (_) @name))) @span @public

; Variables of a namespace, and declared ones

[
  (internal_module body: (_ (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name))
    @definition.constant))
  (ambient_declaration (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name @public))) @definition.constant
]
[
  (internal_module body: (_ (_ (variable_declarator name: (identifier) @name)) @definition.variable))
  (ambient_declaration (_ (variable_declarator name: (identifier) @name @public))) @definition.variable
]
(export_statement declaration: (ambient_declaration (_ (variable_declarator name: (identifier) @name)))) @span @public
(variable_declarator name: (identifier) @name @binding.name type: (_ (_) @type @binding.type))
(export_statement "default" @name value: [(satisfies_expression) (as_expression)]) @definition.constant @public
[
  (variable_declarator value: [(satisfies_expression (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method)) (as_expression (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method))])
  (export_statement value: [(satisfies_expression (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method)) (as_expression (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method))])
]

; Imports and exports of its own

(import_statement (import_require_clause (identifier) @import.alias source: (string) @import.module)) @import
(import_alias (identifier) @import.alias [(nested_identifier) (identifier)] @import.module) @import
(export_statement "=" @export.default (identifier) @export.local)

; Types of names

(required_parameter pattern: [(identifier) (this)] @binding.name type: (_ (_) @binding.type))
(optional_parameter pattern: (identifier) @binding.name type: (_ (_) @binding.type))
(variable_declarator name: (identifier) @binding.name value: (as_expression (_) [(type_identifier) (generic_type)] @binding.type))

; Leaves

(type_identifier) @type
(nested_identifier property: (property_identifier) @read)
(extends_clause value: [(identifier) @inherit (_ property: (_) @inherit)])
(extends_type_clause [
  (type_identifier) @inherit
  (nested_type_identifier name: (_) @inherit)
  (generic_type name: [(type_identifier) @inherit (nested_type_identifier name: (_) @inherit)])])
(implements_clause [
  (type_identifier) @implement
  (nested_type_identifier name: (_) @implement)
  (generic_type name: [(type_identifier) @implement (nested_type_identifier name: (_) @implement)])])
(class_body (decorator) @attached)

(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(index_signature name: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
(import_require_clause (identifier) @ignore)
(import_alias . (identifier) @ignore)
(internal_module name: (nested_identifier property: (_) @ignore))
