; Rules, and the names that they define

(stylesheet (rule_set (selectors) @name (block) @body) @definition.rule)
(media_statement (block (rule_set (selectors) @name (block) @body) @definition.rule))
(supports_statement (block (rule_set (selectors) @name (block) @body) @definition.rule))
(at_rule (block (rule_set (selectors) @name (block) @body) @definition.rule))
(media_statement (block) @body) @name @definition.rule
(supports_statement (block) @body) @name @definition.rule
(keyframes_statement (keyframe_block_list) @body) @name @definition.rule
(at_rule (block) @body) @name @definition.rule
(stylesheet (declaration (property_name) @name) @definition.constant)
((block (declaration (property_name) @name) @definition.constant) (#match? @name "^(--|\\$)"))

; Imports

(import_statement [
  (string_value (string_content) @import.module)
  (call_expression (arguments [(string_value (string_content) @import.module) (plain_value) @import.module]))]) @import @import.all
; Leaves

(comment) @comment
(js_comment) @comment
