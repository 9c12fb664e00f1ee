; Headings, each with what stands below it

(section (atx_heading (atx_h1_marker) heading_content: (inline) @name) @definition.section @reach.1)
(section (atx_heading (atx_h2_marker) heading_content: (inline) @name) @definition.section @reach.2)
(section (atx_heading (atx_h3_marker) heading_content: (inline) @name) @definition.section @reach.3)
(section (atx_heading (atx_h4_marker) heading_content: (inline) @name) @definition.section @reach.4)
(section (atx_heading (atx_h5_marker) heading_content: (inline) @name) @definition.section @reach.5)
(section (atx_heading (atx_h6_marker) heading_content: (inline) @name) @definition.section @reach.6)
(section (setext_heading heading_content: (paragraph (inline) @name) (setext_h1_underline)) @definition.section @reach.1)
(section (setext_heading heading_content: (paragraph (inline) @name) (setext_h2_underline)) @definition.section @reach.2)
