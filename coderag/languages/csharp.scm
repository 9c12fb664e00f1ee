; Types

(class_declaration name: (identifier) @name) @definition.class
(record_declaration "struct" name: (identifier) @name) @definition.struct
(record_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.enum_member
(delegate_declaration type: (_) @type name: (identifier) @name) @definition.type_alias
(_ name: (identifier) @name (base_list [(identifier) (generic_name) (qualified_name)] @base))
(_ name: (identifier) @name (base_list (_ type: (_) @base)))
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name) @definition.field))
(_ (attribute_list) @decorator name: (identifier) @name)
(_ (modifier "private") name: (identifier) @name) @private
(field_declaration (modifier "private") (variable_declaration (variable_declarator name: (identifier) @name))) @private

; Members

(method_declaration returns: (_) @type name: (identifier) @name) @definition.function
(method_declaration name: (identifier) @name !body) @declaration
(constructor_declaration name: (identifier) @name) @definition.function
(destructor_declaration name: (identifier) @name) @definition.function
(operator_declaration type: (_) @type operator: _ @name) @definition.function
(conversion_operator_declaration "operator" @name type: (_) @type) @definition.function
(indexer_declaration type: (_) @type "this" @name accessors: (_)? @body) @definition.function
(local_function_statement type: (_) @type name: (identifier) @name) @definition.function
(property_declaration type: (_) @type name: (identifier) @name
  [(accessor_list) @body (arrow_expression_clause) @body]) @definition.field
(event_declaration type: (_) @type name: (identifier) @name) @definition.field
(event_field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration (modifier "static") (modifier "readonly")
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @definition.field
(global_statement (local_declaration_statement (modifier "const")
  (variable_declaration (variable_declarator name: (identifier) @name)))) @definition.constant
(global_statement (local_declaration_statement
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name)))) @definition.variable

; Namespace and imports

(file_scoped_namespace_declaration name: (_) @module)
(namespace_declaration name: (_) @module)
(using_directive !name [(identifier) (qualified_name)] @import.module @import.all) @import
(using_directive name: (identifier) @import.alias "=" . [(identifier) (qualified_name) (generic_name)] @import.module) @import

; Types of names

(parameter type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @binding.type name: (identifier) @binding.name)
(local_declaration_statement (variable_declaration
  type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type)] @binding.type
  (variable_declarator name: (identifier) @binding.name)))
(using_statement (variable_declaration type: [(identifier) (qualified_name) (generic_name)] @binding.type
  (variable_declarator name: (identifier) @binding.name)))
(variable_declarator name: (identifier) @binding.name (object_creation_expression type: (_) @binding.type))
(variable_declarator name: (identifier) @binding.name (as_expression right: (_) @binding.type))
(variable_declarator name: (identifier) @binding.name (cast_expression type: (_) @binding.type))
(variable_declarator name: (identifier) @binding.name (_ function: [
  (identifier) @binding.type
  (_ expression: (identifier)) @binding.type]))
(variable_declarator name: (identifier) @binding.name (await_expression (_ function: [
  (identifier) @binding.type
  (_ expression: (identifier)) @binding.type])))
(foreach_statement type: [(identifier) (qualified_name) (generic_name)] @binding.type left: (identifier) @binding.name)
(declaration_pattern type: [(identifier) (qualified_name) (generic_name)] @binding.type name: (identifier) @binding.name)
(declaration_expression type: [(identifier) (qualified_name) (generic_name)] @binding.type name: (identifier) @binding.name)
(catch_declaration type: [(identifier) (qualified_name)] @binding.type name: (identifier) @binding.name)

; Leaves

(comment) @comment
(identifier) @read
(_ type: [
  (identifier) @type
  (_ name: (identifier) @type)
  (_ name: (generic_name (identifier) @type))])
(method_declaration returns: [(identifier) @type (_ name: (identifier) @type)])
(generic_name (identifier) @type)
(type_argument_list [(identifier) @type (_ name: (identifier) @type)])
(as_expression right: (identifier) @type)
(is_expression right: (identifier) @type)
(constant_pattern (identifier) @type)
(type_parameter_constraint (_ (identifier) @type))
(typeof_expression type: (identifier) @type)
(invocation_expression function: [
  (identifier) @call
  (generic_name (identifier) @call)
  (_ name: [(identifier) @call (generic_name (identifier) @call)])
  (conditional_access_expression [
    (member_binding_expression name: [(identifier) @call (generic_name (identifier) @call)])
    (_ name: [(identifier) @call (generic_name (identifier) @call)])])])
(attribute name: [(identifier) @call (_ name: (identifier) @call)])
(object_creation_expression type: [
  (identifier) @new
  (generic_name (identifier) @new)
  (_ name: [(identifier) @new (generic_name (identifier) @new)])])
(base_list [
  (identifier) @inherit
  (generic_name (identifier) @inherit)
  (_ name: [(identifier) @inherit (generic_name (identifier) @inherit)])
  (_ type: [(identifier) @inherit (generic_name (identifier) @inherit)])]
  (#not-match? @inherit "^I[A-Z]"))
(base_list [
  (identifier) @implement
  (generic_name (identifier) @implement)
  (_ name: [(identifier) @implement (generic_name (identifier) @implement)])]
  (#match? @implement "^I[A-Z]"))
(argument [(identifier) @pass (_ name: (identifier) @pass)])
(initializer_expression [
  (identifier) @table
  (_ name: (identifier) @table)
  (assignment_expression left: (element_binding_expression) right: [
    (identifier) @table (_ name: (identifier) @table)])])
(expression_element [(identifier) @table (_ name: (identifier) @table)])
(assignment_expression "+=" right: (identifier) @pass)

(argument name: (identifier) @ignore)
(attribute_argument name: (identifier) @ignore)
(using_directive) @silent
(labeled_statement (identifier) @ignore)
(namespace_declaration name: (_) @silent)
(file_scoped_namespace_declaration name: (_) @silent)
(explicit_interface_specifier (identifier) @ignore)
(type_parameter name: (identifier) @generic @ignore)
(type_parameter_constraints_clause . (identifier) @ignore)
(parameter name: (identifier) @local @ignore)
(implicit_parameter) @local
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(using_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(for_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(var_pattern name: (identifier) @local)
(recursive_pattern name: (identifier) @local)
(catch_declaration name: (identifier) @local)
(tuple_pattern (identifier) @local)
(from_clause name: (identifier) @local)
