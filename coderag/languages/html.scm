; Elements with an id, headings with what stands below them, scripts and styles

((element (start_tag
    (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]) ">" @body))
  @definition.element (#eq? @_id "id"))
((self_closing_tag
    (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  @definition.element (#eq? @_id "id"))
((element (start_tag (tag_name) @reach.digit)) @name @definition.element @inside (#match? @reach.digit "^[hH][1-6]$"))
((script_element (start_tag (tag_name) @name) (raw_text) @_text) @definition.element (#match? @_text "\\S"))
((style_element (start_tag (tag_name) @name) (raw_text) @_text) @definition.element (#match? @_text "\\S"))
((document (element (start_tag (tag_name) @name)) @definition.element) (#eq? @name "template"))

; Leaves

(comment) @comment
