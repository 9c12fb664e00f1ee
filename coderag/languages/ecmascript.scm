; What JavaScript, TypeScript and TSX share.

; Functions

[
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
] @definition.function

[
  (lexical_declaration . (variable_declarator name: (identifier) @name value: (_ [parameters: _ parameter: _] body: _ @body)) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: (_ [parameters: _ parameter: _] body: _ @body)) .)
] @definition.function
(variable_declarator name: (identifier) @name value: (_ [parameters: _ parameter: _] body: _ @body)) @definition.function
([
  (lexical_declaration . (variable_declarator name: (identifier) @name value: (_
    function: [(identifier) @_wrapper (_ property: (property_identifier) @_wrapper)]
    arguments: (_ . (_ [parameters: _ parameter: _] body: _ @body)))) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: (_
    function: [(identifier) @_wrapper (_ property: (property_identifier) @_wrapper)]
    arguments: (_ . (_ [parameters: _ parameter: _] body: _ @body)))) .)
] @definition.function
  (#any-of? @_wrapper "memo" "forwardRef" "observer" "useCallback" "memoize" "memoizeOne" "once" "debounce" "throttle" "cache"
    "asyncHandler" "defineEventHandler" "wrap"))

(export_statement "default" @name value: [
  (arrow_function body: (_) @body) (function_expression !name body: (_) @body) (generator_function !name body: (_) @body)
]) @definition.function @public

; Functions that are assigned to where they are named

((assignment_expression left: (member_expression) @export.default @_exports right: [
    (function_expression name: (identifier) @name @export.local body: (_) @body)
    (generator_function name: (identifier) @name @export.local body: (_) @body)]) @definition.function @public
  (#eq? @_exports "module.exports"))
((assignment_expression left: (_ object: (identifier) property: (property_identifier) @name @export.local)
    @export.default @_exports
  right: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]) @definition.function @public
  (#eq? @_exports "module.exports"))
((assignment_expression left: (_ object: (_) @_exports property: (property_identifier) @name) right: (_ [parameters: _ parameter: _] body: _ @body))
  @definition.function @public
  (#any-of? @_exports "exports" "module.exports"))
((assignment_expression
  left: (_
    object: (_ object: (_) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: (_ [parameters: _ parameter: _] body: _ @body))
  @definition.method
  (#eq? @_prototype "prototype"))
(class_declaration name: (_) @owner body: (_ (method_definition body: (_ (expression_statement
  (assignment_expression left: (_ object: (this) property: (_) @name) right: [
    (arrow_function) (function_expression)]))))))
(assignment_expression left: (_ object: (this) property: (_) @name) right: (_ [parameters: _ parameter: _] body: _ @body)) @definition.method
((assignment_expression left: (_ object: (_) @owner property: (property_identifier) @name) right: (_ [parameters: _ parameter: _] body: _ @body))
  @definition.method
  (#not-match? @owner "^(exports|module|module\\.exports|this|window|globalThis|global|self)$|prototype$|[\\[({]"))
((assignment_expression left: (_ object: (identifier) @_global property: (property_identifier) @name) right: (_ [parameters: _ parameter: _] body: _ @body)) @definition.function
  (#any-of? @_global "window" "globalThis" "global" "self"))
(expression_statement (call_expression arguments: (_
  (function_expression name: (identifier) @name body: (_) @body) @definition.function)))

((assignment_expression left: (member_expression) @_exports
  right: (object (method_definition name: (_) @name) @definition.function @public))
  (#eq? @_exports "module.exports"))
((assignment_expression left: (member_expression) @_exports
  right: (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)]) @definition.function @public))
  (#eq? @_exports "module.exports"))

; Classes and their members

(class_declaration name: (_) @name body: (_) @body) @definition.class
[
  (lexical_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .)
] @definition.class
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class @public
(assignment_expression left: (_ object: (_) property: (property_identifier) @name) right: (class !name body: (_) @body))
  @definition.class @public
(assignment_expression left: (member_expression) right: (class name: (_) @name body: (_) @body)) @definition.class @public
(method_definition name: (_) @name) @definition.method

; Functions in literals: `api.get`

(pair key: [(property_identifier) (string)] @name value: (_ [parameters: _ parameter: _] body: _ @body))
((assignment_expression
  left: (_ object: (_) @owner property: (property_identifier) @_prototype)
  right: (object [
    (method_definition name: (_) @name) (_ key: (property_identifier) @name value: [(arrow_function) (function_expression)])]))
  (#eq? @_prototype "prototype"))
((assignment_expression left: [(identifier) (member_expression)] @owner
  right: (object [
    (method_definition name: (_) @name) (_ key: (property_identifier) @name value: [(arrow_function) (function_expression)])]))
  (#not-match? @owner "exports$|prototype$|^this\\b|[\\[({]"))
((call_expression
  function: (_ property: (property_identifier) @_mixin)
  arguments: (_ . (_ object: (_) @owner property: (property_identifier) @_prototype) (object [
    (method_definition name: (_) @name)
    (_ key: (property_identifier) @name value: [(arrow_function) (function_expression)])
      @definition.method])))
  (#any-of? @_mixin "assign" "extend" "mixin" "merge") (#eq? @_prototype "prototype"))
((call_expression
  function: (_ property: (property_identifier) @_mixin)
  arguments: (_ . [(identifier) (member_expression)] @owner (object [
    (method_definition name: (_) @name)
    (_ key: (property_identifier) @name value: [(arrow_function) (function_expression)])
      @definition.method])))
  (#any-of? @_mixin "assign" "extend" "mixin" "merge") (#not-match? @owner "prototype$"))
((expression_statement (_
    function: (_ object: [(identifier) (member_expression)] @owner property: (property_identifier) @_extend)
    arguments: (_ . (object [
      (method_definition name: (_) @name)
      (_ key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method]) .)))
  (#eq? @_extend "extend"))
(program (expression_statement (call_expression arguments: (_ (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
    @definition.method)))))
(program (_ (variable_declarator value: (call_expression arguments: (_ (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
    @definition.method))))))
(export_statement (_ (variable_declarator value: (call_expression arguments: (_ (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
    @definition.method))))))
[
  (variable_declarator value: (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method))
  (assignment_expression right: (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method))
  (pair value: (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method))
  (export_statement value: (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method))
  (export_statement value: (call_expression arguments: (_ (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method))))
  (return_statement (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method))
  (arrow_function body: (parenthesized_expression (object (_ key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])
      @definition.method)))
]

; Variables of a module

[
  (program (lexical_declaration kind: "const" . (variable_declarator name: (identifier) @name) .) @definition.constant)
  (export_statement declaration: (lexical_declaration kind: "const" . (variable_declarator name: (identifier) @name) .) @definition.constant)
]
[
  (program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant))
  (export_statement declaration: (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant))
]
[
  (program (_ . (variable_declarator name: (identifier) @name) .) @definition.variable)
  (export_statement declaration: (_ . (variable_declarator name: (identifier) @name) .) @definition.variable)
]
[
  (program (_ (variable_declarator name: (identifier) @name) @definition.variable))
  (export_statement declaration: (_ (variable_declarator name: (identifier) @name) @definition.variable))
]
[
  (program (_ (variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)]) @definition.variable)))
  (program (_ (variable_declarator name: (array_pattern (identifier) @name)) @definition.variable))
  (export_statement declaration: (_ (variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)]) @definition.variable)))
]
((program (_ (_
  left: (_ object: (_) @_exports property: (property_identifier) @name)
  right: [(number) (string) (template_string) (object) (array) (regex) (true) (false) (new_expression) (call_expression) (binary_expression)])
  @definition.constant @public))
  (#any-of? @_exports "exports" "module.exports"))
(export_statement "default" @name value: [(object) (array) (call_expression) (new_expression)]) @definition.constant @public

; What is exported

(export_statement declaration: (_ name: (_) @name)) @span @public
(export_statement declaration: (_ . (variable_declarator name: (identifier) @name) .)) @span
(export_statement declaration: (_ (variable_declarator name: (identifier) @name @public)))
(export_statement (decorator) @decorator declaration: (_ name: (_) @name)) @span
(export_statement "default" @export.default declaration: (_ name: (_) @name @export.local))
(export_statement "default" @export.default value: (identifier) @export.local)
(export_statement !source (export_clause (export_specifier name: _ @export.name !alias)))
(export_statement !source (export_clause (export_specifier name: _ @export.local alias: _ @export.name)))
((assignment_expression left: (member_expression) @export.default right: (identifier) @export.local)
  (#eq? @export.default "module.exports"))
((variable_declarator name: (identifier) @export.local value: (assignment_expression [
  left: (member_expression) @export.default
  right: (assignment_expression left: (member_expression) @export.default)]))
  (#eq? @export.default "module.exports"))
((assignment_expression left: (member_expression) @_exports right: (object [
    (shorthand_property_identifier) @export.name
    (_ key: (property_identifier) @export.name value: (identifier) @export.local)]))
  (#eq? @_exports "module.exports"))
((assignment_expression
  left: (_ object: (_) @_exports property: (property_identifier) @export.name) right: (identifier) @export.local)
  (#any-of? @_exports "exports" "module.exports"))

; Imports

(import_statement (import_clause (identifier) @import.alias @import.default) source: (string) @import.module) @import
(import_statement (import_clause (namespace_import (identifier) @import.alias)) source: (string) @import.module) @import
(import_statement (import_clause (named_imports (import_specifier name: _ @import.name !alias))) source: (string) @import.module) @import
(import_statement (import_clause (named_imports (import_specifier name: _ @import.name alias: (identifier) @import.alias)))
  source: (string) @import.module) @import
(import_statement . source: (string) @import.module @import.bare) @import
(export_statement (export_clause (export_specifier name: _ @import.name !alias)) source: (string) @import.module @import.reexport) @import
(export_statement (export_clause (export_specifier name: _ @import.name alias: _ @import.alias))
  source: (string) @import.module @import.reexport) @import
(export_statement (namespace_export (identifier) @import.alias) source: (string) @import.module @import.reexport) @import
(export_statement "*" @import.all source: (string) @import.module @import.reexport) @import

((variable_declarator name: (identifier) @import.alias
  value: (_ function: (identifier) @_require arguments: (_ . (string) @import.module .))) @import
  (#eq? @_require "require"))
((variable_declarator name: (identifier) @import.alias
  value: (_
    object: (_ function: (identifier) @_require arguments: (_ . (string) @import.module .))
    property: (property_identifier) @import.name)) @import
  (#eq? @_require "require"))
((variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)])
  value: (_ function: (identifier) @_require arguments: (_ . (string) @import.module .))) @import
  (#eq? @_require "require"))
((assignment_expression left: (member_expression) @import.all @_exports
  right: (_ function: (identifier) @_require arguments: (_ . (string) @import.module @import.reexport .))) @import
  (#eq? @_require "require") (#eq? @_exports "module.exports"))
((assignment_expression left: (_ property: (_) @import.alias @import.default) @_exports
  right: (_ function: (identifier) @_require arguments: (_ . (string) @import.module @import.reexport .))) @import
  (#eq? @_require "require") (#eq? @_exports "module.exports"))
((assignment_expression left: (_ object: (_) @_exports property: (property_identifier) @import.alias)
  right: (_ function: (identifier) @_require arguments: (_ . (string) @import.module @import.reexport .))) @import
  (#eq? @_require "require") (#any-of? @_exports "exports" "module.exports"))
((assignment_expression left: (member_expression) @_exports right: (object (spread_element (_
    function: (identifier) @_require arguments: (_ . (string) @import.module @import.all @import.reexport .))))) @import
  (#eq? @_require "require") (#eq? @_exports "module.exports"))
((expression_statement (_ function: (identifier) @_require
  arguments: (_ . (string) @import.module @import.bare .))) @import
  (#eq? @_require "require"))

(variable_declarator name: (identifier) @import.alias value: (await_expression
  (_ function: (import) arguments: (_ . (string) @import.module)))) @import
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)])
  value: (await_expression (_ function: (import) arguments: (_ . (string) @import.module)))) @import
(variable_declarator name: (identifier) @import.alias @import.default value: (call_expression arguments: (_ .
  (arrow_function body: (_ function: (import) arguments: (_ . (string) @import.module)))))) @import
(call_expression function: (import) arguments: (_ . (string) @import.module @import.bare)) @import

; Types of names

(variable_declarator name: (identifier) @name @binding.name value: (_ constructor: (_) @type @binding.type))
(variable_declarator name: (identifier) @binding.name value: (_ function: [
  (identifier) (_ object: [(identifier) (this)])] @binding.type))
(variable_declarator name: (identifier) @binding.name value: (await_expression (_ function: [
  (identifier) (_ object: [(identifier) (this)])] @binding.type)))
(variable_declarator name: (identifier) @binding.name value: [(identifier) (this)] @binding.same)
(assignment_expression left: [(identifier) (_ object: (this))] @binding.name
  right: (_ constructor: (_) @binding.type))
(assignment_expression left: (_ object: (this)) @binding.name right: (identifier) @binding.same)
(assignment_expression left: (_ object: (this)) @binding.name
  right: (_ function: [(identifier) (_ object: (identifier))] @binding.type))
(assignment_expression left: (_ object: (this)) @binding.name
  right: (_ left: (identifier) right: (_ constructor: (_) @binding.type)))

; Leaves

(comment) @comment
(identifier) @read
(member_expression property: [(property_identifier) (private_property_identifier)] @read)
(call_expression function: [(identifier) @call (_ property: (_) @call)])
(new_expression constructor: [(identifier) @new (_ property: (_) @new)])
(decorator [(identifier) @call (_ property: (_) @call)])
(arguments [(identifier) @pass (_ property: (_) @pass)])
(pair value: [(identifier) @table (_ property: (_) @table)])
(array [(identifier) @table (_ property: (_) @table)])
(object (shorthand_property_identifier) @table)

(import_clause (identifier) @ignore)
(namespace_import (identifier) @ignore)
(import_specifier (identifier) @ignore)
(namespace_export (identifier) @ignore)
(export_specifier alias: (_) @ignore)
(export_statement (export_clause (export_specifier name: (_) @ignore)) source: (_))
((identifier) @ignore (#eq? @ignore "undefined"))

(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(variable_declarator name: (identifier) @local)
(for_in_statement left: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(class name: (_) @local)
(variable_declarator name: (identifier) @global value: [(arrow_function) (function_expression) (generator_function) (class)])
(call_expression function: (super) @call)
