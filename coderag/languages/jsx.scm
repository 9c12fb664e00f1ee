; Elements: one whose name is no tag of HTML is a use of a component.

((jsx_opening_element name: (identifier) @call) (#match? @call "^[A-Z_$]"))
((jsx_self_closing_element name: (identifier) @call) (#match? @call "^[A-Z_$]"))
(jsx_opening_element name: (_ property: (_) @call))
(jsx_self_closing_element name: (_ property: (_) @call))
((jsx_opening_element name: (identifier) @ignore) (#match? @ignore "^[a-z]"))
((jsx_self_closing_element name: (identifier) @ignore) (#match? @ignore "^[a-z]"))
(jsx_closing_element name: [(identifier) @ignore (member_expression (_) @ignore)])
(jsx_attribute (jsx_expression [(identifier) @pass (_ property: (_) @pass)]))
(jsx_namespace_name (_) @ignore)
