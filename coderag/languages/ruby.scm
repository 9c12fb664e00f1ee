; Symbols

(module name: (_) @name body: (body_statement) @body) @definition.module
(class name: (_) @name) @definition.class
(class name: (_) @name superclass: (superclass (_) @base))
(module name: (_) @name) @definition.module
([
  (class name: (_) @name body: (_ (_ method: (identifier) @_mixin arguments: (_ (_) @base))))
  (module name: (_) @name body: (_ (_ method: (identifier) @_mixin arguments: (_ (_) @base))))]
  (#any-of? @_mixin "include" "extend" "prepend"))

(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.method
(singleton_method object: (constant) @owner name: (_) @name)
((_ method: (identifier) @_hide arguments: (_ [
  (method name: (_) @name @private)
  (singleton_method name: (_) @name @private)])) @span
  (#any-of? @_hide "private" "private_class_method" "protected"))
((body_statement (identifier) @_hide (method name: (_) @name @private)) (#any-of? @_hide "private" "protected"))
(alias name: (_) @name) @definition.method

((_ method: (identifier) @maker arguments: (_ . [
  (simple_symbol) @name (string) @name (constant) @name (scope_resolution) @name
  (_ key: [(hash_key_symbol) (simple_symbol) (string)] @name)]) block: (_)? @body) @made
  (#any-of? @maker
    "alias_method" "define_method" "define_singleton_method" "scope" "let" "let!" "subject" "describe" "context" "feature"
    "shared_examples" "shared_context" "shared_examples_for" "it" "specify" "example" "scenario" "test" "should" "task"
    "multitask" "file" "namespace")
  (#match? @made "^(RSpec\\.)?\\w+!?[^.\\w]"))
((_ method: (identifier) @maker arguments: (_ [(simple_symbol) (string)] @name)) @made
  (#any-of? @maker
    "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "mattr_accessor" "class_attribute" "attribute" "has_many"
    "has_one" "belongs_to" "delegate" "def_delegators" "def_instance_delegators")
  (#not-match? @name "^:@"))

((assignment left: (constant) @name right: (_ receiver: (constant) @maker method: (identifier) @_new
  arguments: (_ . [(constant) (scope_resolution)] @base)? block: [(do_block) (block)]? @body)) @made
  (#any-of? @maker "Struct" "Data" "Class" "Module") (#any-of? @_new "new" "define"))
((assignment left: (constant) right: (_ receiver: (constant) @_struct
  arguments: (_ (simple_symbol) @name @definition.field))) (#any-of? @_struct "Struct" "Data"))

(assignment left: (constant) @name right: (lambda)? @body) @definition.constant
(assignment left: (_ scope: (_) @owner name: (constant) @name)) @definition.constant
(operator_assignment left: (constant) @name) @definition.constant
(assignment left: (left_assignment_list (constant) @name)) @definition.constant
(program (_ left: (identifier) @name right: (lambda body: (_) @body)) @definition.function)
(program (_ left: [(identifier) (global_variable)] @name) @definition.variable)
(program (_ left: (left_assignment_list (identifier) @name)) @definition.variable)
(class body: (_ (_ left: (class_variable) @name) @definition.field))
(module body: (_ (_ left: (class_variable) @name) @definition.field))

; Imports

((call !receiver method: (identifier) @import.all arguments: (_ . (string (string_content) @import.module) .)) @import
  (#any-of? @import.all "require" "load"))
((call !receiver method: (identifier) @import.relative @import.all
  arguments: (_ . (string (string_content) @import.module) .)) @import
  (#eq? @import.relative "require_relative"))
((_ method: (identifier) @_autoload
  arguments: (_ . (simple_symbol) @import.name . (string (string_content) @import.module) .)) @import
  (#eq? @_autoload "autoload"))

; Types of names

((assignment left: [(identifier) (instance_variable) (class_variable)] @binding.name
  right: (_ receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new)) (#eq? @_new "new"))
((operator_assignment left: [(identifier) (instance_variable)] @binding.name
  right: (_ receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new)) (#eq? @_new "new"))
(assignment left: [(identifier) (instance_variable)] @binding.name right: (identifier) @binding.same)
(rescue (exceptions . [(constant) (scope_resolution)] @binding.type .) (exception_variable (identifier) @binding.name))

; Leaves

(comment) @comment
((_ method: (identifier) @_above) @attached (#any-of? @_above "desc" "sig"))
(identifier) @call
(constant) @read
(instance_variable) @read
(class_variable) @read
(global_variable) @read
(call method: [(identifier) (constant)] @call)
((call receiver: [(constant) @new (_ name: (constant) @new)] method: (identifier) @ignore) (#eq? @ignore "new"))
(superclass [(constant) @inherit (_ name: (constant) @inherit)])
((call !receiver method: (identifier) @_mixin
  arguments: (_ [(constant) @inherit (_ name: (constant) @inherit)]))
  (#any-of? @_mixin "include" "extend" "prepend"))
(exceptions [(constant) @type (_ name: (constant) @type)])
(argument_list [(identifier) (constant) (simple_symbol)] @pass)
(argument_list (_ name: (constant) @pass))
(block_argument (_) @pass)
(pair value: [(identifier) (constant) (simple_symbol)] @table)
(pair value: (_ name: (constant) @table))
(array [(identifier) (constant) (simple_symbol)] @table)
(array (_ name: (constant) @table))

(method name: (_) @ignore)
(singleton_method name: (_) @ignore)
(alias name: (_) @ignore)
(keyword_parameter name: (identifier) @ignore @local)
((_ method: (identifier) @ignore) (#any-of? @ignore
  "attr_accessor" "attr_reader" "attr_writer" "require" "require_relative" "include" "extend" "prepend" "private" "raise"
  "puts" "lambda" "proc" "loop" "private_constant"))
((body_statement (identifier) @ignore) (#any-of? @ignore "private" "protected" "public" "module_function"))

(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(optional_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(destructured_parameter (identifier) @local)
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(rest_assignment (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(for pattern: (left_assignment_list (identifier) @local))
(super) @call
