"""Names that say nothing about who defines them: what each language brings along, and members of its built-in types.

Data alone. The lists are small on purpose: a name belongs here when real code of the language uses it for built-in values all the time.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, parted by white space."""
    return frozenset(text.split())


PYTHON_BUILTINS = words(
    """
    __doc__ __file__ __import__ __name__ abs aiter all anext any ArithmeticError ascii AssertionError AttributeError
    BaseException bin BlockingIOError bool breakpoint BrokenPipeError BufferError bytearray bytes callable
    ChildProcessError chr classmethod compile complex ConnectionError delattr DeprecationWarning dict dir divmod
    Ellipsis enumerate EOFError eval Exception exec exit False FileExistsError FileNotFoundError filter float format
    frozenset FutureWarning getattr globals hasattr hash help hex id ImportError ImportWarning IndexError input int
    InterruptedError IOError IsADirectoryError isinstance issubclass iter KeyboardInterrupt KeyError len list locals
    LookupError map max MemoryError memoryview min ModuleNotFoundError NameError next None NotADirectoryError
    NotImplemented NotImplementedError object oct open ord OSError OverflowError PendingDeprecationWarning
    PermissionError pow print ProcessLookupError property quit range RecursionError ReferenceError repr
    ResourceWarning reversed round RuntimeError RuntimeWarning set setattr slice sorted staticmethod
    StopAsyncIteration StopIteration str sum super SyntaxError SystemError SystemExit TimeoutError True tuple type
    TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError vars Warning
    ZeroDivisionError zip
    """
)

PYTHON_MEMBERS = words(
    """
    acquire add append appendleft as_posix cancel capitalize casefold center clear close commit connect copy count
    critical cursor debug decode difference discard done encode endswith error exception execute exists expandtabs
    expanduser extend extendleft fetchall fetchone fileno find findall finditer flush format format_map fromkeys get
    group groups hex index info insert intersection is_dir is_file isalnum isalpha isatty isdecimal isdigit
    isidentifier islower isnumeric isoformat isprintable isspace istitle isupper items join keys ljust log lower
    lstrip match mkdir most_common move_to_end name notify open parent partition path pop popitem popleft put read
    read_bytes read_text readable readline readlines release remove removeprefix removesuffix replace resolve result
    reverse rfind rindex rjust rollback rpartition rsplit rstrip run search seek send setdefault shutdown sort split
    splitlines start startswith stem strftime strip sub submit subn suffix swapcase symmetric_difference tell throw
    title total_seconds translate truncate union unlink update upper values wait warning write write_bytes
    write_text writelines zfill
    """
)

SCRIPT_BUILTINS = words(
    """
    AbortController afterAll afterEach alert any Array ArrayBuffer AsyncGenerator AsyncIterable atob Awaited
    beforeAll beforeEach BigInt bigint Boolean boolean btoa Buffer clearInterval clearTimeout console Date
    decodeURIComponent describe document Element encodeURIComponent Error eval Event EventTarget Exclude expect
    exports Extract fetch Function Generator globalThis HTMLElement Infinity InstanceType Intl isFinite isNaN it
    Iterable Iterator jest JSON localStorage Map Math module NaN navigator never Node NonNullable Number number
    Object object Omit Parameters parseFloat parseInt Partial Pick process Promise PromiseLike Proxy queueMicrotask
    RangeError Readonly ReadonlyArray Record Reflect RegExp Request require Required Response ReturnType Set
    setImmediate setInterval setTimeout String string structuredClone Symbol SyntaxError test TextDecoder
    TextEncoder TypeError Uint8Array undefined unknown URL URLSearchParams void WeakMap WeakRef WeakSet window
    """
)

SCRIPT_MEMBERS = words(
    """
    add addEventListener all appendChild apply assign at bind call catch charAt charCodeAt clear close concat
    constructor create createElement data default delete dispatchEvent emit end endsWith entries error every exec
    fill filter finally find findIndex flat flatMap forEach freeze from get getAttribute getElementById getTime has
    hasOwnProperty includes indexOf info isArray join json keys lastIndexOf length log map match message name next
    now off on once padEnd padStart parse pipe pop preventDefault prototype push querySelector race read reduce
    reject remove removeEventListener repeat replace replaceAll resolve reverse search send set setAttribute shift
    size slice some sort splice split stack startsWith stringify substr substring test text then throw toBe toEqual
    toFixed toISOString toLowerCase toString toUpperCase trim type unshift value valueOf values warn write
    """
)

GO_BUILTINS = words(
    """
    any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32
    float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune
    string true uint uint16 uint32 uint64 uint8 uintptr
    """
)

GO_MEMBERS = words(
    """
    Add After Before Bytes Cancel Close Context Done Elem Err Error Errorf Fatal Fatalf Field Flush Format Get
    Header Helper Index Int Interface IsNil Kind Len Less Load Lock Log Logf Name New Next Now Parse Path Print
    Printf Println Read ReadAll RLock Run RUnlock Scan Seek Set Skip Sleep Stop Store String Sub Swap Time Type
    Unlock Unwrap Value Wait Write WriteString
    """
)

RUST_BUILTINS = words(
    """
    Arc assert assert_eq assert_ne bool Box BTreeMap BTreeSet Cell cfg char Clone Copy dbg Debug debug_assert
    Default Drop drop eprintln Eq Err f32 f64 Fn FnMut FnOnce format From Hash HashMap HashSet i128 i16 i32 i64 i8
    include_str Into IntoIterator isize Iterator matches Mutex None Ok Option Ord panic PartialEq PartialOrd print
    println Rc RefCell Result Self Send Sized Some str String Sync todo ToString u128 u16 u32 u64 u8 unimplemented
    unreachable usize Vec vec write writeln
    """
)

RUST_MEMBERS = words(
    """
    and_then as_bytes as_deref as_mut as_ref as_slice as_str borrow borrow_mut bytes chain chars clear clone cloned
    cmp collect contains contains_key copied count default deref drain drop entry enumerate eq err expect extend
    filter filter_map find first flat_map flatten flush fmt fold for_each from get get_mut get_or_insert_with hash
    insert into into_iter is_empty is_err is_none is_ok is_some iter iter_mut join keys last len lines lock map
    map_err max min new next ok ok_or ok_or_else or_else or_insert parse peek pop position push push_str read remove
    replace retain rev send size skip sort sort_by split starts_with step_by sum swap take to_owned to_string to_vec
    trim try_from try_into unwrap unwrap_or unwrap_or_default unwrap_or_else values windows with_capacity
    wrapping_add write write_all zip
    """
)

JVM_BUILTINS = words(
    """
    also Any apply Array ArrayList Boolean boolean Byte byte char Character check Class Collection Collections
    Double double Either emptyList error Exception Float float Future HashMap HashSet Int int Integer Iterable
    Iterator lazy let List listOf Long long Map mapOf Math MutableList mutableListOf MutableMap mutableMapOf None
    Nothing Number Object Option Optional Override Pair print println require run Runnable RuntimeException Seq
    Sequence Set setOf Short short Some String StringBuilder System Thread Throwable Unit var Void void with
    """
)

JVM_MEMBERS = words(
    """
    accept add addAll all also and any append apply asList build charAt clear close collect collectList contains
    containsKey copy count create delete drop equals error execute exists filter find first flatMap fold forEach
    foreach format from get getClass getId getKey getMessage getName getOrDefault getOrElse getType getValue groupBy
    hashCode hasNext head id indexOf info init isEmpty isPresent iterator join joinToString keySet last length let
    list log map mapValues match matches max min mkString name next nonEmpty of orElse parse peek poll print println
    push put putAll read reduce remove replace reset reverse run send set size sort sortBy sorted split start
    startsWith stop stream sub substring sum tail take test toArray toInt toList toLowerCase toMap toSeq toSet
    toString trim type update use value valueOf values warn write zip
    """
)

C_BUILTINS = words(
    """
    abort assert atoi atol bool calloc close const_cast dynamic_cast errno exit false fclose fflush fgets FILE fopen
    fprintf fputs fread free fseek fwrite getenv int16_t int32_t int64_t int8_t isdigit isspace main make_shared
    make_unique malloc map memchr memcmp memcpy memmove memset move NULL nullptr off_t offsetof open perror pid_t
    printf putchar puts qsort rand read realloc reinterpret_cast size_t sizeof snprintf sprintf srand sscanf ssize_t
    static_cast std stderr stdin stdout strcasecmp strcat strchr strcmp strcpy strdup strerror string strlen strncmp
    strncpy strrchr strstr strtol strtoll strtoul time tolower toupper true uint16_t uint32_t uint64_t uint8_t
    uintptr_t va_arg va_end va_list va_start vector vsnprintf write
    """
)

C_MEMBERS = words(
    """
    at back begin buf c_str capacity clear close count data emplace emplace_back empty end erase find first flags
    front get id insert join len length lock lower name next open pop pop_back prev ptr push push_back read release
    reserve reset resize second size str substr swap top type unlock value write
    """
)

CSHARP_BUILTINS = words(
    """
    Action ArgumentException ArgumentNullException Array bool Boolean byte char Console Convert DateTime decimal
    Dictionary double dynamic Enum Environment Exception float Func Guid HashSet IDisposable IEnumerable IList int
    Int32 InvalidOperationException List long Math nameof Nullable Object object Random sbyte short String string
    StringBuilder Task Thread TimeSpan Tuple Type typeof uint ulong ushort var void
    """
)

CSHARP_MEMBERS = words(
    """
    Add AddRange Any Append AppendLine Clear Close Compare CompareTo Concat ConfigureAwait Contains ContainsKey
    Count Create Dispose Equals Error First FirstOrDefault Flush Format Get GetEnumerator GetHashCode GetType
    GetValue Id IndexOf Insert Invoke IsNullOrEmpty Join Key Length Message Name Next Open OrderBy Parse Pop Push
    Read Remove Replace Reset Resolve Result Run Select Send Set Single SingleOrDefault Sort Split Start StartsWith
    Stop Substring Sum ToArray ToList ToLower ToString ToUpper Trim TryGetValue Type Update Value Values Where Write
    WriteLine
    """
)

RUBY_BUILTINS = words(
    """
    abort alias_method ArgumentError Array at_exit attr_accessor attr_reader attr_writer binding block_given? caller
    catch Class Comparable define_method Enumerable eval Exception exit extend fail false File Float format gem Hash
    include initialize Integer Kernel lambda loop Module module_function new nil NotImplementedError Object p
    prepend print private private_constant Proc proc protected public puts raise rand require require_relative
    RuntimeError sleep sprintf StandardError String Struct Symbol system Thread throw Time true warn
    """
)

RUBY_MEMBERS = words(
    """
    all? any? append bytes bytesize call chars chomp class clear close collect compact concat count delete detect
    dig downcase dup each each_char each_with_index each_with_object empty? encode encoding end_with? eql? fetch
    filter find find_all first flatten force_encoding format freeze get group_by gsub hash id include? index inject
    inspect instance_of? instance_variable_get is_a? join key key? keys kind_of? last length lines map match match?
    max merge merge! message min name new nil? none? open parse pop present? push puts raise read reduce reject
    replace respond_to? reverse run save scan select send set shift size slice sort sort_by split start start_with?
    strip sub sum tap test then times to_a to_h to_i to_json to_s to_sym type uniq unshift upcase update value
    values write zip
    """
)

PHP_BUILTINS = words(
    """
    array array_filter array_key_exists array_keys array_map array_merge array_values ArrayAccess bool callable
    class_exists Closure count Countable date DateTime define defined die empty Exception explode false file_exists
    file_get_contents float function_exists implode in_array int intval InvalidArgumentException is_array
    is_callable is_int is_null is_numeric is_object is_string isset iterable Iterator IteratorAggregate json_decode
    json_encode max method_exists min mixed null preg_match preg_replace print printf RuntimeException sprintf
    stdClass str_replace string strlen strpos strtolower substr Throwable time trim true unset var_dump void
    """
)

PHP_MEMBERS = words(
    """
    add all append bind build call clear close count create current delete each end execute exists fetch filter find
    first format get getCode getId getMessage getName getValue handle has init isEmpty item key keys last load log
    make map merge name next offsetGet open parse pop push put query read remove render replace reset rewind run
    save send set setName size sort start toArray toString type update valid value values where with write
    """
)

SWIFT_BUILTINS = words(
    """
    Any AnyObject Array assert Bool Character Codable Comparable Data Date debugPrint Decodable Dictionary Double
    Encodable Equatable Error fatalError Float Hashable Identifiable Int Int64 max min Never Optional precondition
    preconditionFailure print Range Result Self Set stride String Substring Task type UInt URL UUID Void zip
    """
)

SWIFT_MEMBERS = words(
    """
    add append async await cancel close compactMap contains count data decode description disabled dropFirst encode
    filter first flatMap forEach format frame get hash id index init insert isEmpty joined last load lowercased map
    max min name next padding parse path prefix print read reduce remove removeAll replace reset resume reversed run
    save send set shared size sleep sort sorted split start stop store sync text title type update uppercased url
    value values write
    """
)

LUA_BUILTINS = words(
    """
    assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile loadstring math module
    next os package pairs pcall print rawequal rawget rawlen rawset require select self setmetatable string table
    tonumber tostring type unpack utf8 xpcall
    """
)

LUA_MEMBERS = words(
    """
    byte char close concat find format get gmatch gsub init insert len lower match new open read remove rep reverse
    set sort sub upper write
    """
)

ELIXIR_BUILTINS = words(
    """
    abs Agent alias apply Atom case cond def defdelegate defexception defguard defimpl defmacro defmacrop defmodule
    defp defprotocol defstruct elem Enum File for GenServer hd if import in inspect Integer IO is_atom is_binary
    is_function is_integer is_list is_map is_nil is_tuple Kernel Keyword length List Logger Map map_size MapSet max
    min Module node not Process quote raise receive Regex require reraise rescue round self send spawn Stream String
    super Supervisor System Task throw tl to_string trunc try unless unquote use with
    """
)

HASKELL_BUILTINS = words(
    """
    all and any Bool Char concat concatMap const div Double drop Either elem Eq error False filter flip Float fmap
    foldl foldr fromIntegral fst Functor head id Int Integer IO Just Left length lookup map mapM mapM_ max Maybe
    maybe min mod Monad not Nothing null Num or Ord otherwise print pure putStrLn Read read return reverse Right
    sequence Show show snd span String sum tail take True uncurry undefined unlines unwords words zip zipWith
    """
)

ZIG_BUILTINS = words(
    """
    anyerror anytype bool f32 f64 false i16 i32 i64 i8 isize noreturn null std true type u16 u32 u64 u8 undefined
    usize void
    """
)

ZIG_MEMBERS = words(
    """
    alloc append create deinit destroy expect format free get init items len next print ptr put read write
    """
)

BASH_BUILTINS = words(
    """
    alias awk basename bg break builtin cat cd chmod chown command continue cp curl cut date declare dirname docker
    echo eval exec exit export false fg find getopts git grep hash head jobs kill let ln local ls make mkdir mktemp
    mv popd printf pushd pwd python python3 read readonly return rm rmdir sed set shift sleep sort source sudo tail
    tar tee test touch tr trap true type uname uniq unset wait wc which xargs
    """
)

PYTHON_STANDARD_MODULES = words(
    """
    abc argparse array ast asyncio base64 bisect calendar cmath code codecs collections concurrent contextlib contextvars copy csv
    ctypes curses dataclasses datetime decimal difflib dis email encodings enum errno functools gc getpass glob gzip hashlib heapq hmac
    html http importlib inspect io ipaddress itertools json keyword linecache locale logging math mimetypes multiprocessing numbers
    operator os pathlib pickle platform pprint profile queue random re sched secrets select shelve shlex shutil signal site socket
    sqlite3 ssl stat statistics string struct subprocess symtable sys sysconfig tempfile test textwrap threading time timeit token
    tokenize tomllib trace traceback types typing unittest urllib uuid warnings weakref xml xmlrpc zipfile zlib zoneinfo
    """
)

GO_STANDARD_MODULES = words(
    """
    archive arena bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html
    image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall
    testing text time unicode unique unsafe weak
    """
)
