; Types

(class_declaration "struct" name: (type_identifier) @name body: (_) @body) @definition.struct
(class_declaration "enum" name: (type_identifier) @name body: (_) @body) @definition.enum
(class_declaration ["class" "actor"] name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration "extension" name: (_) @name body: (_) @body) @definition.extension
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(class_declaration name: (_) @name (inheritance_specifier inherits_from: (_) @base))
(protocol_declaration name: (_) @name (inheritance_specifier inherits_from: (_) @base))
(enum_entry name: (simple_identifier) @name) @definition.enum_member
(typealias_declaration name: (type_identifier) @name (_) @type .) @definition.type_alias
(associatedtype_declaration name: (type_identifier) @name) @definition.type_alias

; Functions

(function_declaration
  name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name
  ("->" . (_) @type)? body: (_)? @body) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name "->" . (_) @type)
(init_declaration "init" @name body: (_)? @body) @definition.function
(deinit_declaration "deinit" @name body: (_)? @body) @definition.function
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.function
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) . value: (lambda_literal) @body) @definition.function
(macro_declaration (simple_identifier) @name) @definition.macro

; Properties

(source_file (property_declaration (value_binding_pattern "let") name: (pattern bound_identifier: (simple_identifier) @name)
  .) @definition.constant)
(source_file (property_declaration (value_binding_pattern "let") name: (pattern bound_identifier: (simple_identifier) @name)
  . value: (_)) @definition.constant)
(source_file (property_declaration (value_binding_pattern "let") name: (pattern bound_identifier: (simple_identifier) @name)
  . (type_annotation)) @definition.constant)
(property_declaration (modifiers (property_modifier) @static) (value_binding_pattern "let")
  name: (pattern bound_identifier: (simple_identifier) @name) (#match? @static "^(static|class)$")) @definition.constant
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @body) @definition.variable)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @body) @definition.field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @body) @definition.field)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) . (type_annotation (_) @type))
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @type))
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) . value: (call_expression . (simple_identifier) @type))

; Visibility and attributes

(class_declaration (modifiers [
  (visibility_modifier "private") @private
  (visibility_modifier "fileprivate") @file
  (attribute) @decorator]) name: (type_identifier) @name)
(function_declaration (modifiers [
  (visibility_modifier "private") @private
  (visibility_modifier "fileprivate") @file
  (attribute) @decorator]) name: (simple_identifier) @name)
(property_declaration (modifiers [
  (visibility_modifier "private") @private
  (visibility_modifier "fileprivate") @file
  (attribute) @decorator]) name: (pattern bound_identifier: (simple_identifier) @name))

; Imports

(import_declaration (identifier) @import.module @import.all) @import

; Types of names

(parameter name: (simple_identifier) @binding.name [(user_type) (optional_type) (array_type)] @binding.type)
(lambda_parameter name: (simple_identifier) @binding.name [(user_type) (optional_type) (array_type)] @binding.type)
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @binding.name)
  . (type_annotation (_) @binding.type)))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @binding.name) . value: (call_expression . [
  (simple_identifier) @binding.type
  (navigation_expression target: (simple_identifier)) @binding.type])))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @binding.name)
  . value: (as_expression (user_type) @binding.type)))
(_ bound_identifier: (simple_identifier) @binding.name . condition: (as_expression (user_type) @binding.type))

; Leaves

(comment) @comment
(multiline_comment) @comment
(simple_identifier) @read
(type_identifier) @type
(call_expression . [
  (simple_identifier) @call
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call))
  (prefix_expression target: (simple_identifier) @call)])
(constructor_expression constructed_type: (user_type (type_identifier) @new))
(attribute (user_type (type_identifier) @call))
(macro_invocation (simple_identifier) @call)
(class_declaration ["struct" "enum" "extension"] (inheritance_specifier inherits_from: (user_type (type_identifier) @implement)))
(class_declaration ["class" "actor"] (inheritance_specifier inherits_from: (user_type (type_identifier) @inherit)))
(protocol_declaration (inheritance_specifier inherits_from: (user_type (type_identifier) @inherit)))
(value_argument value: [
  (simple_identifier) @pass
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @pass))])
(selector_expression [
  (simple_identifier) @pass
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @pass))
  (call_expression . (simple_identifier) @pass)])
(array_literal element: [
  (simple_identifier) @table
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @table))])
(dictionary_literal value: [
  (simple_identifier) @table
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @table))])

(value_argument_label (simple_identifier) @ignore)
(parameter external_name: (simple_identifier) @ignore)
(import_declaration (identifier (simple_identifier) @ignore))
(directive (simple_identifier) @ignore)
(attribute (simple_identifier) @ignore)
(availability_condition (identifier (simple_identifier) @ignore))
(statement_label) @ignore
(precedence_group_declaration (simple_identifier) @ignore)
(operator_declaration (simple_identifier) @ignore)
(ERROR (simple_identifier) @ignore)
(type_parameter . (type_identifier) @generic @ignore)
(parameter name: (simple_identifier) @local @ignore)
(lambda_parameter name: (simple_identifier) @local @ignore)
(_ bound_identifier: (simple_identifier) @local)
(capture_list_item name: (simple_identifier) @local)
