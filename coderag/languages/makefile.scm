; Targets and variables

((rule (targets (word) @name) (recipe)? @body) @definition.target (#not-match? @name "^\\.[A-Z]"))
(rule (targets (variable_reference) @name)) @definition.target
(variable_assignment name: (word) @name) @definition.variable
(shell_assignment name: (word) @name) @definition.variable
(define_directive name: (word) @name) @definition.macro

; Imports

(include_directive filenames: (list (word) @import.module)) @import @import.all

; Leaves

(comment) @comment
(prerequisites (word) @call)
(variable_reference (word) @read)
