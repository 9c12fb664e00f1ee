; Keys down to the third level

(document (block_node (block_mapping (block_mapping_pair
  key: (_) @name value: [(block_node) @body (flow_node)]) @definition.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair
  key: (_) @name value: [(block_node) @body (flow_node)]) @definition.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair
  value: (block_node (block_mapping (block_mapping_pair
    key: (_) @name value: [(block_node) @body (flow_node)]) @definition.key)))))))))
(document (block_node (block_mapping (block_mapping_pair key: (_) @name !value) @definition.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name !value) @definition.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (flow_node (flow_mapping (flow_pair key: (_) @name) @definition.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair
  value: (flow_node (flow_mapping (flow_pair key: (_) @name) @definition.key)))))))))
(document (flow_node (flow_mapping (flow_pair key: (_) @name) @definition.key)))
(document (flow_node (flow_mapping (flow_pair value: (flow_node (flow_mapping (flow_pair key: (_) @name) @definition.key))))))

; Leaves

(comment) @comment
