; What the grammar of JavaScript names in its own way; the rest is in `ecmascript.scm` and `jsx.scm`.

(field_definition property: (_) @name value: (_ [parameters: _ parameter: _] body: _ @body)) @definition.method
(field_definition property: (_) @name) @definition.field
(field_definition property: (_) @name value: (_ constructor: (_) @type))
(method_definition (decorator) @decorator name: (_) @name)
(field_definition (decorator) @decorator property: (_) @name)
(class_declaration (decorator) @decorator name: (_) @name)

(class_declaration name: (_) @name (class_heritage [(identifier) (member_expression)] @base))
(variable_declarator name: (identifier) @name value: (class (class_heritage [(identifier) (member_expression)] @base)))
(export_statement "default" @name value: (class (class_heritage [(identifier) (member_expression)] @base)))

(class_heritage [(identifier) @inherit (_ property: (_) @inherit)])
(formal_parameters (identifier) @local)
