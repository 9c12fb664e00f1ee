; Symbols

((declarations (signature name: [(variable) @name (prefix_id (operator) @name)] type: (_) @type) @definition.constant @declaration)
  (#match? @type "^\\[?[A-Z][\\w.']*\\]?$"))
((declarations (signature name: [(variable) @name (prefix_id (operator) @name)] type: (_) @type) @definition.function @declaration)
  (#not-match? @type "^\\[?[A-Z][\\w.']*\\]?$"))
(declarations (signature names: (_ name: (variable) @name) type: (_) @type) @definition.function @declaration)
(foreign_import signature: (signature name: (variable) @name)) @definition.function
(class_declarations (signature name: [(variable) @name (prefix_id (operator) @name)]) @definition.method @declaration)
(class_declarations (signature names: (_ name: (variable) @name)) @definition.method @declaration)
(function name: [(variable) @name (prefix_id (operator) @name)] match: (match) @body) @definition.function
(function (_ operator: [(operator) @name (infix_id (variable) @name)]) match: (match) @body) @definition.function
((declarations (bind name: (variable) @name match: (match) @body) @definition.constant) (#match? @body "^=\\s*[\\[\"'0-9-]"))
((declarations (bind name: (variable) @name match: (match) @body) @definition.function) (#not-match? @body "^=\\s*[\\[\"'0-9-]"))
(instance_declarations (bind name: (variable) @name match: (match) @body) @definition.method)
(class_declarations (bind name: (variable) @name match: (match) @body) @definition.method)

(data_type name: (_) @name constructors: (_ . (data_constructor) .)) @definition.struct
(data_type name: (_) @name) @definition.enum
(newtype name: (_) @name) @definition.struct
(data_type name: (_) @name deriving: (deriving classes: [(name) @base (tuple (name) @base)]))
(newtype name: (_) @name deriving: (deriving classes: [(name) @base (tuple (name) @base)]))
(data_constructor [
  (_ name: (_) @name)
  (_ name: (_) @name)
  (_ operator: (_) @name)]) @definition.enum_member
(newtype_constructor name: (constructor) @name) @definition.enum_member
(gadt_constructor name: (constructor) @name) @definition.enum_member
(data_type name: (_) @owner constructors: (_ (data_constructor (_ fields: (_
  (_ name: (_ (variable) @name) type: (_) @type) @definition.field)))))
(newtype name: (_) @owner constructor: (newtype_constructor field: (record
  (_ name: (_ (variable) @name) type: (_) @type) @definition.field)))

(class name: (_) @name declarations: (class_declarations)? @body) @definition.trait
(class context: (context context: (_ constructor: (name) @base)) name: (_) @name)
(instance name: (_) @base patterns: (type_patterns . (_) @name) declarations: (instance_declarations)? @body) @definition.extension
(type_synonym name: (_) @name) @definition.type_alias
(type_family name: (_) @name) @definition.type_alias
(data_family name: (_) @name) @definition.type_alias
(pattern_synonym (equation synonym: [(_ function: (constructor) @name) (constructor) @name])) @definition.function

; Imports and exports

(header module: (module) @module)
((import module: (module) @import.module names: (_ name: (import_name . (_) @import.name))) @import
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
(apply function: [(variable) @call (_ id: (variable) @call)])
(infix [
  operator: (infix_id [(variable) @call (_ id: (variable) @call)])
  right_operand: (variable) @pass])
((infix operator: (operator) @call)
  (#not-match? @call "^([-+*/$.&|<>=:!^]|>>=?|=<<|<>|<\\$>?|\\$>|<\\*>?|\\*>|&&|\\|\\||==|/=|<=|>=|\\+\\+|\\$!|!!|<\\|>|&|>=>|\\.\\.)$"))
(apply argument: [(variable) @pass (_ id: (variable) @pass)])

(list element: [(variable) @table (_ id: (variable) @table)])
(tuple element: [(variable) @table (_ id: (variable) @table)])
(instance name: (name) @implement)
(deriving classes: [(name) @implement (tuple (name) @implement)])
(context (_ constructor: (name) @inherit))

(signature name: (variable) @ignore)
(signature names: (_ name: (variable) @ignore))
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

(patterns [(variable) @local (_ element: (variable) @local)])
(as bind: (variable) @local)
(_ pattern: (variable) @local)
(_ pattern: (tuple element: (variable) @local))
(_ pattern: (list element: (variable) @local))
(_ pattern: (apply [
  argument: (variable) @local
  function: (_ argument: (variable) @local)
  function: (_ function: (_ argument: (variable) @local))]))
(_ pattern: (infix [
  left_operand: (variable) @local
  right_operand: (variable) @local
  right_operand: (_ left_operand: (variable) @local)
  right_operand: (_ right_operand: (variable) @local)]))
(function (_ left_operand: (variable) @local))
(function (_ right_operand: (variable) @local))
(local_binds (bind name: (variable) @local))
