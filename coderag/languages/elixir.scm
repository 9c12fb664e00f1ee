; Symbols

((call target: (identifier) @maker (arguments . [
    (_ target: (identifier) @name)
    (identifier) @name
    (_ left: [(_ target: (identifier) @name) (identifier) @name] operator: "when")
    (_ left: (_ target: (identifier) @name) operator: "when")
    (_ left: (identifier) operator: ["<>" "++" "|>" "+" "-" "*" "/" "==" "<=" ">=" "<" ">" "in" "and" "or" "&&" "||"] @name)
    (unary_operator operator: _ @name)])
  (do_block)? @body) @made
  (#any-of? @maker
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"))
((call target: (identifier) @private (arguments . [
    (_ target: (identifier) @name)
    (identifier) @name
    (_ left: [(_ target: (identifier) @name) (identifier) @name] operator: "when")]))
  (#any-of? @private "defp" "defmacrop" "defguardp" "defnp"))
((call target: (identifier) @maker (arguments . [(alias) (identifier)] @name) (do_block) @body) @made
  (#any-of? @maker "defmodule" "defprotocol"))
((call target: (identifier) @_implements
  (arguments . (alias) @base (keywords (_ value: [(alias) @name (list (alias) @name)]))) (do_block) @body) @definition.extension
  (#eq? @_implements "defimpl"))
((call target: (identifier) @_implements (arguments . (alias) @name .) (do_block) @body) @definition.extension
  (#eq? @_implements "defimpl"))
((call target: (identifier) @_module (arguments . (alias) @name)
  (do_block (_ operand: (_ target: (identifier) @_doc (arguments [(string) (sigil)] @doc)))))
  (#eq? @_doc "moduledoc"))
((call target: (identifier) @_module (arguments . (alias) @name)
  (do_block [
    (_ target: (identifier) @_uses (arguments . (alias) @base))
    (_ operand: (_ target: (identifier) @_uses (arguments . (alias) @base)))]))
  (#eq? @_module "defmodule") (#any-of? @_uses "use" "behaviour"))

((do_block (_ operator: "@" operand: (_ target: (identifier) @name (arguments (_)))) @definition.constant)
  (#not-match? @name
    "^((module|type|)doc|spec|(type|opaque)p?|(macro)?callback|optional_callbacks|impl|behaviour|deprecated|since|(module|describe)?tag|derive|enforce_keys|compile|dialyzer|on_load|(before|after)_compile|external_resource)$"))
((unary_operator operator: "@" operand: (_ target: (identifier) @maker (arguments (_
  left: [(identifier) @name (_ target: (identifier) @name)])))) @made
  (#any-of? @maker "type" "typep" "opaque" "callback" "macrocallback"))
((unary_operator operator: "@" operand: (_ target: (identifier) @declaration (arguments (_
  left: (_ target: (identifier) @name))))) (#any-of? @declaration "callback" "macrocallback"))
((call target: (identifier) @_struct (arguments [
  (list (atom) @name @definition.field)
  (list (keywords (_ key: (keyword) @name) @definition.field))
  (keywords (_ key: (keyword) @name) @definition.field)])) (#any-of? @_struct "defstruct" "defexception"))
((call target: (identifier) @maker (arguments . (atom) @name)) @made
  (#any-of? @maker "field" "has_many" "has_one" "belongs_to" "many_to_many" "embeds_one" "embeds_many"))
((call target: (identifier) @maker (arguments . (string) @name) (do_block) @body) @made
  (#any-of? @maker "describe" "test" "property"))

; Imports

((call target: (identifier) @_alias (arguments . (alias) @import.path .)) @import (#any-of? @_alias "alias" "require"))
((call target: (identifier) @_alias (arguments . (alias) @import.path (keywords (_ value: (alias) @import.alias)))) @import
  (#any-of? @_alias "alias" "require"))
((call target: (identifier) @_alias (arguments . (_ left: (_) @import.module right: (tuple (alias) @import.name)))) @import
  (#any-of? @_alias "alias" "require" "import" "use"))
((call target: (identifier) @import.all (arguments . (alias) @import.module)) @import (#any-of? @import.all "import" "use"))

; Types of names

(binary_operator left: (map (struct (alias) @binding.type)) operator: "=" right: (identifier) @binding.name)
(binary_operator left: (identifier) @binding.name operator: "=" right: (map (struct (alias) @binding.type)))

; Leaves

(comment) @comment
((unary_operator operator: "@" operand: (_ target: (identifier) @_doc)) @comment (#any-of? @_doc "doc" "typedoc"))
((unary_operator operator: "@" operand: (_ target: (identifier) @_above)) @attached
  (#any-of? @_above "spec" "impl" "deprecated" "since" "tag" "decorate"))
(alias) @read
(call target: (identifier) @call)
(call target: (_ right: (identifier) @call) (arguments))
(call target: (_ left: (alias) right: (identifier) @call))
(call target: (_ left: [(identifier) (call)] right: (identifier) @read) .)
(binary_operator operator: "|>" right: (identifier) @call)
(unary_operator operator: "@" operand: (identifier) @read)
(unary_operator operator: "&" operand: (_ left: [
  (identifier) @pass (_ target: (_ right: (identifier) @pass))] operator: "/"))
(struct (alias) @new)
(arguments (alias) @pass)
(tuple (alias) @table)
(list (alias) @table)
(pair value: (alias) @table)
((call target: (identifier) @_uses (arguments . (alias) @inherit)) (#any-of? @_uses "use" "behaviour"))
((call target: (identifier) @_implements (arguments . (alias) @implement)) (#eq? @_implements "defimpl"))
((call target: (identifier) @_ignores (arguments . [(alias) @ignore (_ left: (alias) @ignore right: (tuple (alias) @ignore))]))
  (#any-of? @_ignores "alias" "import" "require"))
((call target: (identifier) @_defines (arguments [
  (_ target: (identifier) @ignore) (_ left: (_ target: (identifier) @ignore))]))
  (#any-of? @_defines
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp" "spec" "callback" "macrocallback" "type"
    "typep" "opaque"))
((identifier) @ignore (#any-of? @ignore
  "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defmodule" "defprotocol" "defimpl" "defstruct"
  "defexception" "alias" "import" "require" "use" "if" "unless" "case" "cond" "with" "for" "fn" "raise" "quote" "unquote"
  "moduledoc" "doc" "typedoc" "spec" "type" "typep" "opaque" "callback" "behaviour" "impl" "describe" "test" "property" "receive" "try" "__MODULE__"))
