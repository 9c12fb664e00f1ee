; Symbols. What has no `pub` is private, except for what belongs to a trait or an enum.

(function_item name: (_) @name body: (_) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(function_item name: (_) @name return_type: (_) @type)
(function_signature_item name: (_) @name return_type: (_) @type)
(macro_definition name: (identifier) @name . (_) @body) @definition.macro @public
(let_declaration pattern: (identifier) @name value: (closure_expression body: (_) @body)) @definition.function

(struct_item name: (_) @name) @definition.struct
(struct_item name: (_) @name body: (_) @body)
(union_item name: (_) @name body: (_) @body) @definition.struct
(enum_item name: (_) @name body: (_) @body) @definition.enum
(enum_variant name: (_) @name) @definition.enum_member @public
(field_declaration name: (_) @name type: (_) @type) @definition.field
(trait_item name: (_) @name body: (_) @body) @definition.trait
(trait_item name: (_) @name bounds: (trait_bounds [
  (type_identifier) @base (scoped_type_identifier) @base (generic_type type: (_) @base)]))
(associated_type name: (_) @name) @definition.type_alias @public
(type_item name: (_) @name) @definition.type_alias
((const_item name: (_) @name type: (_) @type) @definition.constant (#not-eq? @name "_"))
(static_item name: (_) @name type: (_) @type) @definition.variable
(mod_item name: (_) @name body: (_) @body) @definition.module

(impl_item type: [
  (generic_type type: [(type_identifier) @name @owner (scoped_type_identifier name: (_) @name @owner)])
  (scoped_type_identifier name: (_) @name @owner)
  (type_identifier) @name @owner
  (reference_type type: (type_identifier) @name @owner)
  (reference_type type: (generic_type type: (_) @name @owner))
  (primitive_type) @name @owner
  (dynamic_type trait: (_) @name @owner)
  (array_type) @name (tuple_type) @name (function_type) @name (unit_type) @name (pointer_type) @name (never_type) @name
  (macro_invocation) @name]
  body: (_) @body) @definition.extension @public
(impl_item trait: [(type_identifier) @base (scoped_type_identifier) @base (generic_type type: (_) @base)] type: [
  (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (_) @name)])
  (scoped_type_identifier name: (_) @name)
  (type_identifier) @name
  (reference_type type: (type_identifier) @name)
  (reference_type type: (generic_type type: (_) @name))
  (primitive_type) @name
  (dynamic_type trait: (_) @name)
  (array_type) @name (tuple_type) @name (function_type) @name (unit_type) @name (pointer_type) @name (never_type) @name
  (macro_invocation) @name])

(_ (visibility_modifier) @public name: (_) @name)
(trait_item body: (declaration_list (_ name: (_) @name @public)))
(enum_variant body: (field_declaration_list (_ name: (_) @name @public)))
(impl_item trait: (_) body: (declaration_list (_ name: (_) @name @public)))
((attribute_item)+ @decorator . (_ name: (_) @name))

; Imports

(use_declaration . argument: (_) @import.tree) @import
(use_declaration (visibility_modifier) @import.reexport argument: (_) @import.tree) @import
(extern_crate_declaration name: (_) @import.module !alias) @import
(extern_crate_declaration name: (_) @import.module alias: (_) @import.alias) @import
(mod_item name: (_) @import.module !body) @import

; Types of names

(parameter pattern: (identifier) @binding.name type: (_) @binding.type)
(let_declaration pattern: (identifier) @binding.name type: (_) @binding.type)
(let_declaration pattern: (identifier) @binding.name !type value: [
  (call_expression function: [(identifier) (scoped_identifier)] @binding.type)
  (try_expression (call_expression function: [(identifier) (scoped_identifier)] @binding.type))
  (try_expression (await_expression (call_expression function: [(identifier) (scoped_identifier)] @binding.type)))
  (await_expression (call_expression function: [(identifier) (scoped_identifier)] @binding.type))
  (reference_expression value: (call_expression function: [(identifier) (scoped_identifier)] @binding.type))
  (struct_expression name: (_) @binding.type)])
(let_declaration pattern: (identifier) @binding.name value: (identifier) @binding.same)
(let_declaration pattern: (identifier) @binding.name value: (reference_expression value: (identifier) @binding.same))

; Leaves

(line_comment) @comment
(block_comment) @comment
(attribute_item) @attached
(use_declaration) @silent
(extern_crate_declaration) @silent
(mod_item name: (_) @ignore)
(lifetime (identifier) @ignore)
(label (identifier) @ignore)
(token_tree_pattern (identifier) @ignore)
(inner_attribute_item) @silent
((attribute (identifier) @ignore) (#eq? @ignore "derive"))
((attribute_item (attribute (identifier) @_attribute)) @silent (#any-of? @_attribute "allow" "cfg" "cfg_attr" "default" "deny" "doc"
  "expect" "ignore" "inline" "must_use" "non_exhaustive" "repr" "serde" "should_panic" "test" "warn"))

(identifier) @read
(type_identifier) @type
(field_expression field: (field_identifier) @read)
(call_expression function: [
  (identifier) @call
  (field_expression field: (_) @call)
  (scoped_identifier name: (_) @call)
  (generic_function function: [(identifier) @call (field_expression field: (_) @call) (scoped_identifier name: (_) @call)])])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (_) @call)])
(token_tree (identifier) @call . (token_tree "("))
((attribute (identifier) @call) (#not-eq? @call "derive"))
(attribute (scoped_identifier name: (_) @call))
((attribute (identifier) @_derive arguments: (token_tree (identifier) @type)) (#eq? @_derive "derive"))
(struct_expression name: [
  (type_identifier) @new
  (scoped_type_identifier name: (_) @new)
  (generic_type_with_turbofish type: [(type_identifier) @new (scoped_identifier name: (_) @new)])])
(trait_item bounds: (trait_bounds [
  (type_identifier) @inherit
  (scoped_type_identifier name: (_) @inherit)
  (generic_type type: [(type_identifier) @inherit (scoped_type_identifier name: (_) @inherit)])]))
(impl_item trait: [
  (type_identifier) @implement
  (scoped_type_identifier name: (_) @implement)
  (generic_type type: [(type_identifier) @implement (scoped_type_identifier name: (_) @implement)])])
(arguments [(identifier) @pass (field_expression field: (_) @pass) (scoped_identifier name: (_) @pass)])
(arguments (reference_expression value: [(identifier) @pass (field_expression field: (_) @pass)]))
(array_expression [(identifier) @table (scoped_identifier name: (_) @table)])
(tuple_expression [(identifier) @table (scoped_identifier name: (_) @table)])

(parameter pattern: (identifier) @local)
(let_declaration pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(let_condition pattern: (identifier) @local)
(mut_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
(shorthand_field_identifier) @local
((field_pattern pattern: (identifier) @local) (#match? @local "^[a-z_]"))
((tuple_pattern (identifier) @local) (#match? @local "^[a-z_]"))
((tuple_struct_pattern type: (_) (identifier) @local) (#match? @local "^[a-z_]"))
((slice_pattern (identifier) @local) (#match? @local "^[a-z_]"))
((match_pattern (identifier) @local) (#match? @local "^[a-z_]"))
((or_pattern (identifier) @local) (#match? @local "^[a-z_]"))
(type_parameter name: (_) @generic)
(const_parameter name: (_) @generic)
