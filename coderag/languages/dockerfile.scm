; Stages, and what they set

(from_instruction as: (image_alias) @name) @definition.stage @reach.1
(from_instruction (image_spec) @name !as) @definition.stage @reach.1
(arg_instruction name: (unquoted_string) @name) @definition.variable
(env_instruction (env_pair name: (unquoted_string) @name) @definition.variable)

; Leaves

(comment) @comment
(variable) @read
