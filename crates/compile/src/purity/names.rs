//! The tables of what may be named.

/// The macros of the language that compute.
pub(super) const MACROS: &[&str] = &[
    "assert",
    "format",
    "matches",
    "panic",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// The traits that may be derived.
pub(super) const DERIVES: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// The attributes that change no meaning.
pub(super) const ATTRIBUTES: &[&str] = &["allow", "default", "expect", "inline", "must_use", "warn"];

/// The modules of the runtime that drive checkers: a checker has no business there.
pub(super) const RUNTIME_PRIVATE: &[&str] = &["cases", "executable", "pack", "Entry", "Pack", "VERSION"];

/// The types that the language has without an import.
pub(super) const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16", "u32",
    "u64", "u128", "usize",
];

/// What every file has without an import, and what paths may begin with.
pub(super) const PRELUDE: &[&str] = &[
    "AsRef",
    "Box",
    "Clone",
    "Default",
    "DoubleEndedIterator",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "From",
    "FromIterator",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Self",
    "Some",
    "String",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Vec",
];

/// Names that nothing may take: what they mean is decided here.
pub(super) const TAKEN: &[&str] = &["alloc", "core", "polc_checker", "std"];

/// Names, of functions and methods, that lead out of what an outcome may depend on.
pub(super) const BANNED: &[&str] = &[
    "addr",
    "as_mut_ptr",
    "as_mut_ptr_range",
    "as_ptr",
    "as_ptr_range",
    "debug_list",
    "debug_map",
    "debug_set",
    "debug_struct",
    "debug_tuple",
    "expose_provenance",
    "forget",
    "from_raw",
    "from_raw_parts",
    "into_raw",
    "into_raw_parts",
    "leak",
    "to_socket_addrs",
    "transmute",
    "type_id",
    "type_name",
    "type_name_of_val",
];

/// What the standard library leaves to each system: how it rounds.
pub(super) const ROUNDED: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "exp2",
    "exp_m1", "hypot", "ln", "ln_1p", "log", "log10", "log2", "powf", "powi", "sin", "sin_cos", "sinh",
    "tan", "tanh",
];

/// The modules of the standard library that only compute, with what may be taken from each.
pub(super) const STANDARD: &[(&str, &[&str])] = &[
    ("ascii", &["AsciiExt", "escape_default"]),
    ("borrow", &["Borrow", "BorrowMut", "Cow", "ToOwned"]),
    ("char", &["from_digit", "from_u32"]),
    ("clone", &["Clone"]),
    ("cmp", &["Eq", "Ord", "Ordering", "PartialEq", "PartialOrd", "Reverse", "max", "min"]),
    ("collections", &["BTreeMap", "BTreeSet", "BinaryHeap", "VecDeque"]),
    ("collections::btree_map", &["BTreeMap", "Entry", "OccupiedEntry", "VacantEntry"]),
    ("collections::btree_set", &["BTreeSet"]),
    ("convert", &["AsMut", "AsRef", "From", "Infallible", "Into", "TryFrom", "TryInto"]),
    ("default", &["Default"]),
    ("f64::consts", &["E", "LN_2", "PI", "TAU"]),
    ("fmt", &["Display", "Error", "Formatter", "Result", "Write"]),
    (
        "iter",
        &[
            "Chain",
            "Cloned",
            "Copied",
            "Cycle",
            "DoubleEndedIterator",
            "Empty",
            "Enumerate",
            "ExactSizeIterator",
            "Extend",
            "Filter",
            "FilterMap",
            "FlatMap",
            "Flatten",
            "FromIterator",
            "Fuse",
            "FusedIterator",
            "IntoIterator",
            "Iterator",
            "Map",
            "Once",
            "Peekable",
            "Product",
            "Repeat",
            "Rev",
            "Scan",
            "Skip",
            "SkipWhile",
            "StepBy",
            "Sum",
            "Take",
            "TakeWhile",
            "Zip",
            "chain",
            "empty",
            "from_fn",
            "once",
            "once_with",
            "repeat",
            "repeat_n",
            "repeat_with",
            "successors",
            "zip",
        ],
    ),
    ("marker", &["Copy", "PhantomData", "Sized"]),
    ("mem", &["replace", "swap", "take"]),
    (
        "num",
        &[
            "IntErrorKind",
            "NonZero",
            "NonZeroU8",
            "NonZeroU16",
            "NonZeroU32",
            "NonZeroU64",
            "NonZeroUsize",
            "ParseFloatError",
            "ParseIntError",
            "Saturating",
            "TryFromIntError",
            "Wrapping",
        ],
    ),
    (
        "ops",
        &[
            "Add",
            "AddAssign",
            "BitAnd",
            "BitAndAssign",
            "BitOr",
            "BitOrAssign",
            "BitXor",
            "Bound",
            "ControlFlow",
            "Deref",
            "Div",
            "DivAssign",
            "Fn",
            "FnMut",
            "FnOnce",
            "Index",
            "IndexMut",
            "Mul",
            "MulAssign",
            "Neg",
            "Not",
            "Range",
            "RangeBounds",
            "RangeFrom",
            "RangeFull",
            "RangeInclusive",
            "RangeTo",
            "RangeToInclusive",
            "Rem",
            "Shl",
            "Shr",
            "Sub",
            "SubAssign",
        ],
    ),
    ("option", &["IntoIter", "Iter", "Option"]),
    ("result", &["IntoIter", "Iter", "Result"]),
    ("slice", &["Chunks", "Iter", "IterMut", "SliceIndex", "Windows"]),
    (
        "str",
        &[
            "Bytes",
            "CharIndices",
            "Chars",
            "FromStr",
            "Lines",
            "MatchIndices",
            "Matches",
            "ParseBoolError",
            "Split",
            "SplitAsciiWhitespace",
            "SplitInclusive",
            "SplitN",
            "SplitWhitespace",
            "Utf8Error",
            "from_utf8",
        ],
    ),
    ("string", &["FromUtf8Error", "String", "ToString"]),
    ("vec", &["Drain", "IntoIter", "Vec"]),
];

/// Whether a path that begins in the standard library names what only computes: `std::fmt::Display`, without the `std`.
pub(super) fn is_standard(path: &[String]) -> bool {
    // A module by itself, to be named by its last segment.
    let whole = path.join("::");
    if path.is_empty() || STANDARD.iter().any(|(module, _)| *module == whole) {
        return true;
    }
    STANDARD.iter().any(|(module, items)| {
        let depth = module.split("::").count();
        path.len() > depth && path[..depth].join("::") == *module && items.contains(&path[depth].as_str())
    })
}
