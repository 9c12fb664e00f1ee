; Types

(class_declaration name: (identifier) @name (enum_class_body) @body) @definition.enum
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @definition.interface
(class_declaration "class" name: (identifier) @name (class_body)? @body) @definition.class
(object_declaration name: (identifier) @name (class_body)? @body) @definition.class
(enum_entry . (identifier) @name (class_body)? @body) @definition.enum_member
(enum_entry (modifiers) . (identifier) @name) @definition.enum_member
(type_alias type: (identifier) @name (_) @type .) @definition.type_alias
(_ name: (identifier) @name (delegation_specifiers (delegation_specifier [
  (user_type) @base
  (constructor_invocation (user_type) @base)
  (explicit_delegation . (user_type) @base)])))

; Functions

(function_declaration name: (identifier) @name (function_body)? @body) @definition.function
(function_declaration [(user_type) (nullable_type) (parenthesized_type)] @owner "." name: (identifier) @name)
(function_declaration name: (identifier) @name (function_value_parameters) . [(user_type) (nullable_type)] @type)
(secondary_constructor "constructor" @name (block)? @body) @definition.function
(property_declaration (variable_declaration . (identifier) @name) [(lambda_literal) (anonymous_function)] @body) @definition.function

; Properties

(property_declaration [(user_type) (nullable_type)] @owner "." (variable_declaration . (identifier) @name)) @definition.field
(source_file (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @definition.constant)
(class_body (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @definition.constant)
(source_file (property_declaration (variable_declaration . (identifier) @name)
  [(getter) (setter) (property_delegate)]? @body) @definition.variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)
  [(getter) (setter) (property_delegate)]? @body) @definition.variable)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)
(property_declaration (variable_declaration . (identifier) @name . [(user_type) (nullable_type)] @type))
(property_declaration (variable_declaration . (identifier) @name .) (call_expression . [(identifier) (navigation_expression)] @type))
(class_parameter ["val" "var"] . (identifier) @name . (_) @type) @definition.field

; Visibility and annotations

(_ (modifiers (visibility_modifier "private")) name: (identifier) @name) @private
(property_declaration (modifiers (visibility_modifier "private")) (variable_declaration . (identifier) @name)) @private
(class_parameter (modifiers (visibility_modifier "private")) (identifier) @name) @private
(_ (modifiers (annotation) @decorator) name: (identifier) @name)
(property_declaration (modifiers (annotation) @decorator) (variable_declaration . (identifier) @name))

; Package and imports

(package_header (qualified_identifier) @module)
((import (qualified_identifier) @import.path) @import (#not-match? @import " as |[*]"))
(import (qualified_identifier) @import.path "as" (identifier) @import.alias) @import
(import (qualified_identifier) @import.module "*" @import.all) @import

; Types of names

(parameter . (identifier) @binding.name . [(user_type) (nullable_type)] @binding.type)
(class_parameter (identifier) @binding.name . [(user_type) (nullable_type)] @binding.type)
(block (property_declaration (variable_declaration . (identifier) @binding.name . [(user_type) (nullable_type)] @binding.type)))
(property_declaration (variable_declaration . (identifier) @binding.name .)
  (call_expression . [(identifier) (navigation_expression . (identifier))] @binding.type))
(property_declaration (variable_declaration . (identifier) @binding.name .) (as_expression (user_type) @binding.type))
(lambda_parameters (variable_declaration . (identifier) @binding.name . [(user_type) (nullable_type)] @binding.type))
(catch_block . (identifier) @binding.name . (user_type) @binding.type)

; Leaves

(line_comment) @comment
(block_comment) @comment
(identifier) @read
(user_type (identifier) @type)
(call_expression . [(identifier) @call (navigation_expression (identifier) @call .)])
(infix_expression . (_) . (identifier) @call . (_) .)
(annotation [(user_type (identifier) @call .) (constructor_invocation (user_type (identifier) @call .))])
(delegation_specifier [
  (constructor_invocation (user_type (identifier) @inherit))
  (user_type (identifier) @implement)
  (explicit_delegation . (user_type (identifier) @implement))])
(value_argument . (identifier) @pass .)
(value_argument (identifier) "=" (identifier) @pass)
(value_argument (callable_reference (identifier) @pass .))
(value_argument (navigation_expression "::" (identifier) @pass .))
(infix_expression (identifier) . (identifier) @table .)
(infix_expression (identifier) . (callable_reference (identifier) @table .))
(collection_literal (identifier) @table)

(value_argument . (identifier) @ignore "=")
(import (qualified_identifier (identifier) @ignore))
(import (identifier) @ignore)
(package_header (qualified_identifier (identifier) @ignore))
(type_parameter (identifier) @generic @ignore)
(parameter . (identifier) @local @ignore)
(function_type_parameters (parameter . (identifier) @ignore))
(class_parameter (identifier) @local)
(variable_declaration . (identifier) @local)
(catch_block . (identifier) @local)
(setter (identifier) @local)
