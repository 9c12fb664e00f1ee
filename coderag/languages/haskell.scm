; Symbols

((declarations (signature name: [(variable) @name (prefix_id (operator) @name)] type: (_) @type) @definition.constant @declaration)
  (#match? @type "^\\[?[A-Z][\\w.']*\\]?$"))
((declarations (signature name: [(variable) @name (prefix_id (operator) @name)] type: (_) @type) @definition.function @declaration)
  (#not-match? @type "^\\[?[A-Z][\\w.']*\\]?$"))
(declarations (signature names: (binding_list name: (variable) @name) type: (_) @type) @definition.function @declaration)
(foreign_import signature: (signature name: (variable) @name)) @definition.function
(class_declarations (signature name: [(variable) @name (prefix_id (operator) @name)]) @definition.method @declaration)
(class_declarations (signature names: (binding_list name: (variable) @name)) @definition.method @declaration)
(function name: [(variable) @name (prefix_id (operator) @name)] match: (match) @body) @definition.function
(function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (match) @body) @definition.function
((declarations (bind name: (variable) @name match: (match) @body) @definition.constant) (#match? @body "^=\\s*[\\[\"'0-9-]"))
((declarations (bind name: (variable) @name match: (match) @body) @definition.function) (#not-match? @body "^=\\s*[\\[\"'0-9-]"))
(instance_declarations (bind name: (variable) @name match: (match) @body) @definition.method)
(class_declarations (bind name: (variable) @name match: (match) @body) @definition.method)

(data_type name: (_) @name constructors: (data_constructors . (data_constructor) .)) @definition.struct
(data_type name: (_) @name) @definition.enum
(newtype name: (_) @name) @definition.struct
(data_type name: (_) @name deriving: (deriving classes: [(name) @base (tuple (name) @base)]))
(newtype name: (_) @name deriving: (deriving classes: [(name) @base (tuple (name) @base)]))
(data_constructor [
  (prefix name: (_) @name)
  (record name: (_) @name)
  (infix operator: (_) @name)]) @definition.enum_member
(newtype_constructor name: (constructor) @name) @definition.enum_member
(gadt_constructor name: (constructor) @name) @definition.enum_member
(data_type name: (_) @owner constructors: (data_constructors (data_constructor (record fields: (fields
  (field name: (field_name (variable) @name) type: (_) @type) @definition.field)))))
(newtype name: (_) @owner constructor: (newtype_constructor field: (record
  (field name: (field_name (variable) @name) type: (_) @type) @definition.field)))

(class name: (_) @name declarations: (class_declarations)? @body) @definition.trait
(class context: (context context: (apply constructor: (name) @base)) name: (_) @name)
(instance name: (_) @base patterns: (type_patterns . (_) @name) declarations: (instance_declarations)? @body) @definition.extension
(type_synonym name: (_) @name) @definition.type_alias
(type_family name: (_) @name) @definition.type_alias
(data_family name: (_) @name) @definition.type_alias
(pattern_synonym (equation synonym: [(apply function: (constructor) @name) (constructor) @name])) @definition.function

; Imports and exports

(header module: (module) @module)
((import module: (module) @import.module names: (import_list name: (import_name . (_) @import.name))) @import
  (#not-match? @import "\\bhiding\\b"))
((import module: (module) @import.module !names) @import @import.all (#not-match? @import "\\bqualified\\b"))
((import module: (module) @import.module) @import @import.all (#match? @import "\\bhiding\\b"))
(import module: (module) @import.module alias: (module) @import.alias) @import
((import module: (module) @import.module @import.alias !alias) @import (#match? @import "\\bqualified\\b"))
(exports (module_export module: (module) @import.module) @import @import.all @import.reexport)
(exports (export variable: (variable) @export.name))
(exports (export type: (name) @export.name))
(exports (export operator: (prefix_id (operator) @export.name)))

; Leaves

(comment) @comment
(haddock) @comment
(pragma) @attached
(local_binds (signature) @attached)
(instance_declarations (signature) @attached)
(variable) @read
(constructor) @read
(name) @type
(apply function: [(variable) @call (qualified id: (variable) @call)])
(infix operator: (infix_id [(variable) @call (qualified id: (variable) @call)]))
((infix operator: (operator) @call)
  (#not-match? @call "^([-+*/$.&|<>=:!^]|>>=?|=<<|<>|<\\$>?|\\$>|<\\*>?|\\*>|&&|\\|\\||==|/=|<=|>=|\\+\\+|\\$!|!!|<\\|>|&|>=>|\\.\\.)$"))
(apply argument: [(variable) @pass (qualified id: (variable) @pass)])
(infix right_operand: (variable) @pass)
(list element: [(variable) @table (qualified id: (variable) @table)])
(tuple element: [(variable) @table (qualified id: (variable) @table)])
(instance name: (name) @implement)
(deriving classes: [(name) @implement (tuple (name) @implement)])
(context (apply constructor: (name) @inherit))

(signature name: (variable) @ignore)
(signature names: (binding_list name: (variable) @ignore))
(field_name (variable) @ignore)
(function name: (variable) @ignore)
(data_type name: (_) @ignore)
(newtype name: (_) @ignore)
(class name: (_) @ignore)
(import_name (_) @ignore)
(export (_) @ignore)
(type_params bind: (variable) @ignore)
(apply constructor: (_) argument: (variable) @ignore)
(function parameter: (variable) @ignore)
(function result: (variable) @ignore)

(patterns [(variable) @local (tuple element: (variable) @local) (list element: (variable) @local)])
(as bind: (variable) @local)
(_ pattern: [
  (variable) @local
  (tuple element: (variable) @local)
  (list element: (variable) @local)
  (apply argument: (variable) @local)
  (apply function: (apply argument: (variable) @local))
  (apply function: (apply function: (apply argument: (variable) @local)))
  (infix left_operand: (variable) @local)
  (infix right_operand: (variable) @local)
  (infix right_operand: (infix [left_operand: (variable) @local right_operand: (variable) @local]))])
(function (infix left_operand: (variable) @local))
(function (infix right_operand: (variable) @local))
(local_binds (bind name: (variable) @local))
