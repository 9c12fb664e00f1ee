; Elements with an id, headings with what stands below them, scripts and styles

((element [
  (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  (self_closing_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))])
  @definition.element (#eq? @_id "id"))
((element (element (start_tag (tag_name) @_heading)) @name @definition.element @reach.1) @until
  (#match? @_heading "^[hH]1$"))
((element (element (start_tag (tag_name) @_heading)) @name @definition.element @reach.2) @until
  (#match? @_heading "^[hH]2$"))
((element (element (start_tag (tag_name) @_heading)) @name @definition.element @reach.3) @until
  (#match? @_heading "^[hH]3$"))
((element (element (start_tag (tag_name) @_heading)) @name @definition.element @reach.4) @until
  (#match? @_heading "^[hH][456]$"))
((script_element (start_tag (tag_name) @name) (raw_text) @_text) @definition.element (#match? @_text "\\S"))
((style_element (start_tag (tag_name) @name) (raw_text) @_text) @definition.element (#match? @_text "\\S"))
((document (element (start_tag (tag_name) @name)) @definition.element) (#eq? @name "template"))

; Leaves

(comment) @comment
