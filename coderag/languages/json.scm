; Keys down to the third level

(document (object (pair key: (string) @name value: [(object) @body (array) @body (_)]) @definition.key))
(document (object (pair value: (object (pair key: (string) @name value: [(object) @body (array) @body (_)]) @definition.key))))
(document (object (pair value: (object (pair value: (object (pair key: (string) @name) @definition.key))))))

; Leaves

(comment) @comment
