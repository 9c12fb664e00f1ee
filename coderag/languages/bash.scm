; Symbols

(function_definition name: (word) @name body: (_) @body) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
((program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.constant)
  (#match? @definition.constant "^(readonly|(declare|typeset) -[a-zA-Z]*r)"))
(program [
  (list (variable_assignment name: (variable_name) @name) @definition.variable)
  (if_statement (variable_assignment name: (variable_name) @name) @definition.variable)
  (if_statement (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
  (if_statement (else_clause (variable_assignment name: (variable_name) @name) @definition.variable))])
((program (command name: (command_name) @_colon argument: (string (expansion . (variable_name) @name))) @definition.variable)
  (#eq? @_colon ":") (#match? @definition.variable "\\{\\w+:?="))
((program (command name: (command_name) @_alias argument: (concatenation . (word) @name)) @definition.function)
  (#eq? @_alias "alias"))

; Imports

((command name: (command_name) @import.all . argument: (_) @import.module) @import (#any-of? @import.all "source" "." "load"))

; Leaves

(comment) @comment
(command_name (word) @call)
(simple_expansion (variable_name) @read)
(expansion (variable_name) @read)
((simple_expansion (variable_name) @ignore) (#match? @ignore "^[0-9]"))
((expansion (variable_name) @ignore) (#match? @ignore "^[0-9]"))
((command name: (command_name) @_runs . argument: (word) @call)
  (#match? @call "^[A-Za-z_]") (#any-of? @_runs "run" "time" "exec" "command" "sudo" "nohup" "env" "xargs" "eval" "type"))
((command name: (command_name) @_takes argument: (word) @pass)
  (#any-of? @_takes "trap" "complete" "compdef" "add-zsh-hook" "zle" "export" "unset"))
((command argument: (word) @pass) (#match? @pass "^_*[a-z]\\w*(_|::)[\\w:]+$"))
(array (word) @table)
((command_name (word) @ignore) (#any-of? @ignore
  "echo" "printf" "cd" "return" "exit" "set" "shift" "source" "." ":" "true" "false" "eval" "trap" "test" "read" "break" "continue"
  "}" "@test" "alias" "shopt"))

(function_definition name: (word) @ignore)
(subscript name: (variable_name) @read)
(function_definition body: (compound_statement (declaration_command [
  (variable_name) @local (variable_assignment name: (variable_name) @local)])))
((declaration_command [(variable_name) @local (variable_assignment name: (variable_name) @local)] @_declared) @_declaration
  (#match? @_declaration "^(local|declare|typeset)\\s"))
(for_statement variable: (variable_name) @local)
