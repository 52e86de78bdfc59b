# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that headers include what they name of the standard library: check_includes.py <source folder>

A header that relies on what others include no longer compiles when they change, or with another standard library. This
sees only names of the standard library, but takes a second. That every public header compiles alone is shown by the
target all_verify_interface_header_sets, which takes minutes: `./dev test --all` builds it.
"""

import re
import sys
from pathlib import Path

from report import report

STD = r"\bstd::({})\b"
NAMES = {
    "algorithm": STD.format(
        r"(min|max|clamp|sort|stable_sort|find|find_if|copy|copy_n|count|count_if|fill|fill_n|any_of|all_of|none_of"
        r"|lower_bound|upper_bound|max_element|min_element|reverse|swap_ranges|equal|shuffle|unique|remove_if"
        r"|transform)(?=[<(])"
    ),
    "array": STD.format("array"),
    "atomic": STD.format("atomic|atomic_ref|atomic_thread_fence"),
    "bit": STD.format("bit_width|bit_floor|bit_ceil|countr_zero|countl_zero|popcount|has_single_bit|endian|bit_cast"),
    "chrono": STD.format("chrono"),
    "cmath": STD.format("sqrt|isfinite|isnormal|isnan|floor|ceil|fma|pow|log2|cbrt|exp|round|nextafter"),
    "concepts": STD.format(
        "floating_point|integral|signed_integral|unsigned_integral|same_as|convertible_to|derived_from|invocable"
        "|regular_invocable|predicate"
    ),
    "cstddef": STD.format("size_t|ptrdiff_t|byte|nullptr_t|max_align_t"),
    "cstdint": STD.format(r"u?int(8|16|32|64|ptr|max)_t"),
    "cstring": STD.format("memcpy|memcmp|memset|memmove"),
    "exception": STD.format("exception|current_exception|exception_ptr|rethrow_exception"),
    "filesystem": STD.format("filesystem"),
    "functional": STD.format("function|less|invoke|equal_to"),
    "initializer_list": STD.format("initializer_list"),
    "limits": STD.format("numeric_limits"),
    "map": STD.format("map"),
    "memory": STD.format("unique_ptr|shared_ptr|make_unique|make_shared"),
    "numeric": STD.format("accumulate|iota|gcd"),
    "optional": STD.format("optional|nullopt"),
    "random": STD.format("mt19937|mt19937_64|uniform_int_distribution"),
    "span": STD.format("span"),
    "stdexcept": STD.format("runtime_error|logic_error|invalid_argument|out_of_range"),
    "string": STD.format("string|to_string"),
    "string_view": STD.format("string_view"),
    "thread": STD.format("thread|this_thread"),
    "tuple": STD.format("tuple|tie|apply|make_tuple"),
    "type_traits": STD.format(
        r"is_\w+_v|conditional_t|remove_\w+_t|type_identity_t|invoke_result_t|make_(un)?signed_t|common_type_t|decay_t"
        r"|has_unique_object_representations_v|integral_constant|true_type|false_type|bool_constant|underlying_type_t"
    ),
    "utility": STD.format("move|forward|pair|in_range|exchange|swap|declval|(make_)?(index|integer)_sequence"),
    "variant": STD.format("variant|visit|monostate"),
    "vector": STD.format("vector"),
}
FOLDERS = ["include", "src", "apps", "tests", "perf", "examples"]
PATTERNS = {header: re.compile(pattern) for header, pattern in NAMES.items()}
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>", re.MULTILINE)


def missing(text):
    """The headers of the standard library that a file names something of and does not include: [(header, name), ...]"""
    included = set(INCLUDE.findall(text))
    code = COMMENT.sub("", text)
    found = ((header, pattern.search(code)) for header, pattern in PATTERNS.items() if header not in included)
    return [(header, match[0]) for header, match in found if match]


EXAMPLES = {
    "#include <cstddef>\nstd::size_t a;\n": [],
    "std::size_t a;\n": ["cstddef"],
    "// std::size_t\nauto b = \"std::vector\";\n": [],
    "#include <utility>\nstd::pair<std::uint8_t, my_std::string> a;\n": ["cstdint"],
    "auto a = std::max(1, 2), b = std::numeric_limits<int>::max();\n": ["algorithm", "limits"],
}


def main():
    wrong = []
    for text, expected in EXAMPLES.items():
        if (found := [header for header, _ in missing(text)]) != expected:
            wrong.append(f"in the example {text!r} {found} are missing, not {expected}")
    source = Path(sys.argv[1]).resolve()
    files = [f for folder in FOLDERS for f in sorted((source / folder).rglob("*.hpp"))]
    violations = []
    for file in files:
        where = file.relative_to(source)
        violations += [f"{where}: names {name} without <{header}>" for header, name in missing(file.read_text())]
    return report(wrong, violations, len(files), 100, "headers")


sys.exit(main())
