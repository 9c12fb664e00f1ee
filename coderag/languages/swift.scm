; Types

(class_declaration declaration_kind: _ @maker name: (_) @name body: (_) @body) @made
(protocol_declaration name: _ @name body: _ @body) @definition.interface
(class_declaration name: _ @name (inheritance_specifier inherits_from: (_) @base))
(protocol_declaration name: _ @name (inheritance_specifier inherits_from: (_) @base))
(enum_entry name: _ @name) @definition.enum_member
(typealias_declaration name: (type_identifier) @name (_) @type .) @definition.type_alias
(associatedtype_declaration name: (type_identifier) @name) @definition.type_alias

; Functions: what has the field `name` after the parameters is the return type

(function_declaration "func" name: _ @name "(") @definition.function
(protocol_function_declaration "func" name: _ @name "(") @definition.function
(_ "func" name: _ @name "(" [("->" . (_) @type) body: _ @body])
(init_declaration "init" @name) @definition.function
(deinit_declaration "deinit" @name) @definition.function
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.function
(macro_declaration (simple_identifier) @name) @definition.macro

; Properties

(source_file (_ name: (_ bound_identifier: (_) @name) . value: (lambda_literal) @body) @definition.function)
(class_body (_ name: (_ bound_identifier: (_) @name) . value: (lambda_literal) @body) @definition.function)
(enum_class_body (_ name: (_ bound_identifier: (_) @name) . value: (lambda_literal) @body) @definition.function)
(statements (_ name: (_ bound_identifier: (_) @name) . value: (lambda_literal) @body) @definition.function)
(source_file (_ (_ "let") name: (_ bound_identifier: (_) @name)) @definition.constant)
(property_declaration (_ (property_modifier) @static) (_ "let") name: (_ bound_identifier: (_) @name)
  (#any-of? @static "static" "class")) @definition.constant
(source_file (_ name: (_ bound_identifier: (_) @name) computed_value: _? @body) @definition.variable)
(class_body (_ name: (_ bound_identifier: (_) @name) computed_value: _? @body) @definition.field)
(enum_class_body (_ name: (_ bound_identifier: (_) @name) computed_value: _? @body) @definition.field)
(protocol_property_declaration name: (_ bound_identifier: (_) @name)) @definition.field
(protocol_property_declaration name: (_ bound_identifier: (_) @name) (type_annotation (_) @type))
(source_file (_ name: (_ bound_identifier: (_) @name) . [
  (type_annotation (_) @type)
  value: (_ . (simple_identifier) @type (call_suffix))]))
(class_body (_ name: (_ bound_identifier: (_) @name) . [
  (type_annotation (_) @type)
  value: (_ . (simple_identifier) @type (call_suffix))]))
(enum_class_body (_ name: (_ bound_identifier: (_) @name) . [
  (type_annotation (_) @type)
  value: (_ . (simple_identifier) @type (call_suffix))]))

; Visibility and attributes

(_ (modifiers [
  (visibility_modifier "private") @private
  (visibility_modifier "fileprivate") @file
  (attribute) @decorator]) name: [(simple_identifier) (type_identifier)] @name)
(property_declaration (_ [
  (visibility_modifier "private") @private
  (visibility_modifier "fileprivate") @file
  (attribute) @decorator]) name: (_ bound_identifier: (_) @name))

; Imports

(import_declaration (identifier) @import.module @import.all) @import

; Types of names

(parameter name: (simple_identifier) @binding.name [(user_type) (optional_type) (array_type)] @binding.type)
(lambda_parameter name: (simple_identifier) @binding.name [(user_type) (optional_type) (array_type)] @binding.type)
(statements (_ name: (_ bound_identifier: (_) @binding.name) . [
  (type_annotation (_) @binding.type)
  value: (_ . [(simple_identifier) (_ target: (simple_identifier) suffix: _)] @binding.type (call_suffix))
  value: (_ expr: _ name: (user_type) @binding.type)]))
(_ bound_identifier: (simple_identifier) @binding.name . condition: (_ expr: _ name: (user_type) @binding.type))

; Leaves

(comment) @comment
(multiline_comment) @comment
(simple_identifier) @read
(type_identifier) @type
(call_expression . [
  (simple_identifier) @call
  (_ suffix: (_ suffix: (simple_identifier) @call))
  (_ operation: _ target: (simple_identifier) @call)])
(constructor_expression constructed_type: (user_type (type_identifier) @new))
(attribute (user_type (type_identifier) @call))
(macro_invocation (simple_identifier) @call)
(class_declaration ["struct" "enum" "extension"] (_ inherits_from: (_ (type_identifier) @implement)))
(class_declaration ["class" "actor"] (_ inherits_from: (_ (type_identifier) @inherit)))
(protocol_declaration (_ inherits_from: (_ (type_identifier) @inherit)))
(value_argument value: [(simple_identifier) @pass (_ suffix: (_ suffix: (simple_identifier) @pass))])
(selector_expression [
  (simple_identifier) @pass
  (_ suffix: (_ suffix: (simple_identifier) @pass))
  (call_expression . (simple_identifier) @pass)])
(_ "[" [
  element: (simple_identifier) @table
  element: (_ suffix: (_ suffix: (simple_identifier) @table))
  value: (simple_identifier) @table
  value: (_ suffix: (_ suffix: (simple_identifier) @table))])

(value_argument_label (simple_identifier) @ignore)
(parameter external_name: (simple_identifier) @ignore)
(import_declaration (identifier (simple_identifier) @ignore))
(directive) @silent
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
