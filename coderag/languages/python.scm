; Symbols

(function_definition name: (identifier) @name return_type: (type)? @type body: (block) @body) @definition.function
(function_definition name: (identifier) @name body: (block . (expression_statement (string) @doc)))
(decorated_definition (decorator) @decorator definition: (_ name: (identifier) @name)) @span

(class_definition name: (identifier) @name body: (block) @body) @definition.class
(class_definition name: (identifier) @name body: (block . (expression_statement (string) @doc)))
(class_definition name: (identifier) @name superclasses: (argument_list [(identifier) (attribute) (subscript)] @base))

(expression_statement (assignment left: (identifier) @name right: (lambda body: (_) @body))) @definition.function
(expression_statement (assignment left: (identifier) @name type: (type)? @type)) @definition.variable
(expression_statement (assignment left: (identifier) @name right: (call function: [(identifier) (attribute)] @type)))
(expression_statement (assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)])) @definition.variable
(type_alias_statement left: (type (identifier) @name)) @definition.type_alias

; Imports

(import_statement name: (dotted_name) @import.module) @import
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name) @import
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.all) @import

((assignment left: (identifier) @_all right: [(list (string) @export.name) (tuple (string) @export.name)]) (#eq? @_all "__all__"))
((augmented_assignment left: (identifier) @_all right: [(list (string) @export.name) (tuple (string) @export.name)])
  (#eq? @_all "__all__"))

; Types of names

(typed_parameter . (identifier) @binding.name type: (type) @binding.type)
(typed_default_parameter name: (identifier) @binding.name type: (type) @binding.type)
(assignment left: [(identifier) (attribute)] @binding.name type: (type) @binding.type)
(assignment left: [(identifier) (attribute)] @binding.name right: (call function: [(identifier) (attribute)] @binding.type))
(assignment left: [(identifier) (attribute)] @binding.name right: (await (call function: [(identifier) (attribute)] @binding.type)))
(assignment left: [(identifier) (attribute)] @binding.name right: (identifier) @binding.same)
(assignment left: (attribute) @binding.name
  right: (boolean_operator left: (identifier) right: (call function: [(identifier) (attribute)] @binding.type)))
(as_pattern (call function: [(identifier) (attribute)] @binding.type) alias: (as_pattern_target (identifier) @binding.name))

; Leaves

(comment) @comment
(identifier) @read
(call function: [(identifier) @call (attribute attribute: (identifier) @call)])
(decorator [(identifier) @call (attribute attribute: (identifier) @call)])
(class_definition superclasses: (argument_list [
  (identifier) @inherit
  (attribute attribute: (identifier) @inherit)
  (subscript value: [(identifier) @inherit (attribute attribute: (identifier) @inherit)])]))
(type (identifier) @type)
(type (attribute attribute: (identifier) @type))
(type (generic_type (identifier) @type))
(type (subscript value: (identifier) @type))
(type (binary_operator [(identifier) @type (attribute attribute: (identifier) @type)]))
(generic_type (type_parameter (type (identifier) @type)))
(argument_list [(identifier) @pass (attribute attribute: (identifier) @pass)])
(keyword_argument value: [(identifier) @pass (attribute attribute: (identifier) @pass)])
(pair value: [(identifier) @table (attribute attribute: (identifier) @table)])
(list [(identifier) @table (attribute attribute: (identifier) @table)])
(tuple [(identifier) @table (attribute attribute: (identifier) @table)])
(set [(identifier) @table (attribute attribute: (identifier) @table)])

(function_definition name: (identifier) @ignore)
(class_definition name: (identifier) @ignore)
(keyword_argument name: (identifier) @ignore)
(dotted_name (identifier) @ignore)
(aliased_import alias: (identifier) @ignore)

(parameters [(identifier) @local (typed_parameter . (identifier) @local)
  (default_parameter name: (identifier) @local) (typed_default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)
  (typed_parameter [(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])])
(lambda_parameters [(identifier) @local (default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(assignment left: (identifier) @local)
(augmented_assignment left: (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(named_expression name: (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)
(except_clause (as_pattern alias: (as_pattern_target (identifier) @local)))
(case_pattern (dotted_name . (identifier) @local .))
(global_statement (identifier) @global)
(nonlocal_statement (identifier) @global)
