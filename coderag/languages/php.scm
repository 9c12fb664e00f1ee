; Types

(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.enum_member
(_ name: (name) @name (base_clause (_) @base))
(_ name: (name) @name (class_interface_clause (_) @base))
(_ name: (name) @name body: (declaration_list (use_declaration [(name) (qualified_name)] @base)))
(_ attributes: (attribute_list (attribute_group) @decorator) name: (name) @name)

; Members and functions

(function_definition name: (name) @name return_type: (_)? @type body: (_) @body) @definition.function
(method_declaration name: (name) @name return_type: (_)? @type) @definition.function
(method_declaration (visibility_modifier "private") name: (name) @name) @private
(assignment_expression left: (variable_name (name) @name)
  right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @name))) @definition.field
(property_declaration (visibility_modifier "private") (property_element name: (variable_name (name) @name))) @private
(_ name: (name) @owner body: (declaration_list (method_declaration parameters: (formal_parameters
  (property_promotion_parameter type: (_)? @type name: (variable_name (name) @name)) @definition.field))))
(property_promotion_parameter visibility: (visibility_modifier "private") name: (variable_name (name) @name)) @private
(const_declaration (const_element . (name) @name)) @definition.constant
(const_declaration (visibility_modifier "private") (const_element . (name) @name)) @private
(expression_statement (function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))) (#eq? @_define "define")) @definition.constant
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @definition.variable))
(program (expression_statement (assignment_expression left: (variable_name (name) @name)
  right: (object_creation_expression . (_) @type))))

; Namespace and imports

(namespace_definition name: (_) @module)
(namespace_use_declaration) @import @import.tree
(expression_statement [
  (require_expression [(string (string_content) @import.module) (_ (string (string_content) @import.module))])
  (require_once_expression [(string (string_content) @import.module) (_ (string (string_content) @import.module))])
  (include_expression [(string (string_content) @import.module) (_ (string (string_content) @import.module))])
  (include_once_expression [(string (string_content) @import.module) (_ (string (string_content) @import.module))])]
  @import.all) @import

; Types of names

(simple_parameter type: [(named_type) (optional_type)] @binding.type name: (variable_name) @binding.name)
(property_promotion_parameter type: [(named_type) (optional_type)] @binding.type name: (variable_name) @binding.name)
(assignment_expression left: [(variable_name) (member_access_expression)] @binding.name right: [
  (object_creation_expression . [(name) (qualified_name)] @binding.type)
  (function_call_expression function: [(name) (qualified_name)] @binding.type)
  (scoped_call_expression scope: [(name) (qualified_name) (relative_scope)]) @binding.type])
(assignment_expression left: (member_access_expression) @binding.name right: (variable_name) @binding.same)
(catch_clause type: (type_list . (named_type) @binding.type .) name: (variable_name) @binding.name)

; Leaves

(comment) @comment
(name) @read
(named_type [(name) @type (qualified_name (name) @type .)])
(function_call_expression function: [(name) @call (qualified_name (name) @call .)])
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(attribute . [(name) @call (qualified_name (name) @call .)])
(object_creation_expression . [(name) @new (qualified_name (name) @new .)])
(base_clause [(name) @inherit (qualified_name (name) @inherit .)])
(class_interface_clause [(name) @implement (qualified_name (name) @implement .)])
(use_declaration [(name) @inherit (qualified_name (name) @inherit .)])
(binary_expression "instanceof" right: [(name) @type (qualified_name (name) @type .)])
(argument [
  (name) @pass
  (qualified_name (name) @pass .)
  (class_constant_access_expression . [(name) @pass (qualified_name (name) @pass .)])])
(function_call_expression function: (name) @_function arguments: (arguments (argument (string (string_content) @pass)))
  (#match? @_function "^(array_(map|filter|walk|reduce)|u[ak]?sort|call_user_func(_array)?|is_callable|iterator_apply|preg_replace_callback|spl_autoload_register|register_shutdown_function|set_(error|exception)_handler|add_(action|filter))$"))
(array_creation_expression . (array_element_initializer (variable_name (name) @_this))
  . (array_element_initializer (string (string_content) @pass)) . (#eq? @_this "this"))
(array_creation_expression . (array_element_initializer (class_constant_access_expression (name) . (name) @_class))
  . (array_element_initializer (string (string_content) @pass)) . (#eq? @_class "class"))
(array_creation_expression . (array_element_initializer (class_constant_access_expression (relative_scope) (name) @_class))
  . (array_element_initializer (string (string_content) @pass)) . (#eq? @_class "class"))
(array_element_initializer [
  (name) @table
  (qualified_name (name) @table .)
  (class_constant_access_expression . [(name) @table (qualified_name (name) @table .)])
  (function_call_expression function: (name) @table arguments: (arguments (variadic_placeholder)))])

(variable_name (name) @ignore)
(namespace_name (name) @ignore)
(namespace_use_clause [(name) @ignore (qualified_name (name) @ignore)])
(class_constant_access_expression (_) (name) @ignore (#eq? @ignore "class"))
(use_list) @silent
(argument name: (name) @ignore)
(named_label_statement (name) @ignore)
(goto_statement (name) @ignore)
(declare_directive) @silent
(simple_parameter name: (variable_name) @local)
(variadic_parameter name: (variable_name) @local)
(assignment_expression left: (variable_name) @local)
(foreach_statement (variable_name) @local)
(foreach_statement (pair (variable_name) @local))
(list_literal (variable_name) @local)
(catch_clause name: (variable_name) @local)
(static_variable_declaration name: (variable_name) @local)
