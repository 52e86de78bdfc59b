# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that includes only point down the layers: check_layers.py <source folder>

A file includes public headers of its own and of lower layers, and detail/ of its own layer only. So it is with names:
a layer's namespace detail is upsweep::<layer>::detail, and no other layer names it. What layers share lies in
internal/, namespace upsweep::internal; programs, examples, the code of pages and the two collections of all headers do
without it. What is for study (study/) is included by study/ and by programs only, so that no call compiles it unasked.
Only the layers mpi and io/mpi, the programs and upsweep/mpi.hpp know <mpi.h>.
"""

import re
import sys
from pathlib import Path

from examples import tree_of
from report import report

STACK = ["base", "team", "scan", "pack", "neighbors"]
BELOW = {layer: set(STACK[: i + 1]) for i, layer in enumerate(STACK)}
BELOW["upsweep.hpp"] = set(STACK) | {"upsweep.hpp"}
BELOW["io"] = {"base", "io"}
BELOW["mpi"] = set(STACK) | {"upsweep.hpp", "mpi"}
BELOW["mpi.hpp"] = BELOW["mpi"] | {"mpi.hpp"}
BELOW["io/mpi"] = BELOW["mpi.hpp"] | {"io", "io/mpi"}
BELOW["apps"] = BELOW["io/mpi"] | {"apps"}

KNOWS_MPI = {"mpi", "mpi.hpp", "io/mpi", "apps"}
# Headers of include/upsweep itself. The two collections are layers of their own: nothing that they collect
# may include them.
TOP_HEADERS = {"upsweep.hpp": "upsweep.hpp", "mpi.hpp": "mpi.hpp", "version.hpp": "base"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.DOTALL)
# A layer's namespace detail, used or opened by its qualified name.
DETAIL = re.compile(
    r"(?<![\w:])(?:::\s*)?(?:upsweep\s*::\s*)?(base|team|scan|pack|neighbors|mpi|io)\s*::\s*detail\b"
)
# Namespaces that belong to no layer. Within upsweep::mpi and upsweep::team `namespace detail` is the layer's own.
NO_LAYERS = re.compile(r"\bupsweep\s*::\s*detail\b|\bio_detail\b")
BARE_DETAIL = re.compile(r"\bnamespace\s+detail\s*\{")
WHOLE_ROOM = re.compile(r"\busing\s+namespace\s+[\w:\s]*\b(detail|internal)\s*;")
INTERNAL = re.compile(r"\binternal\s*::")
OPENS_INTERNAL = re.compile(r"\bnamespace\s+(?:upsweep\s*::\s*)?internal\s*\{")
NAMES_ROOMS = re.compile(r"<upsweep/[\w/]*(?:internal|detail)/|\b(?:internal|detail)\s*::")
CODE_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def layer_of(parts):
    """The layer of a path below include/upsweep or src, or None where it is none that we know."""
    if len(parts) == 1:
        return TOP_HEADERS.get(parts[0])
    if parts[:2] == ("io", "mpi") and len(parts) > 2:
        return "io/mpi"
    return parts[0] if parts[0] in BELOW else None


def target_of(file, name, quoted, roots):
    """The path below include/upsweep or src that an include means, or None for a header that is not ours."""
    if name.startswith("upsweep/"):
        return Path(name).relative_to("upsweep").parts
    if quoted:
        beside = (file.parent / name).resolve()
        for root in roots:
            if beside.is_relative_to(root):
                return beside.relative_to(root).parts
    return None


def check_names(where, layer, code):
    """Namespaces of other layers, and rooms opened where they do not belong."""
    for owner in sorted(set(DETAIL.findall(code))):
        if owner != layer:
            yield f"{where}: upsweep::{owner}::detail is private to the layer {owner}"
    if NO_LAYERS.search(code) or BARE_DETAIL.search(code) and layer not in ("mpi", "team"):
        yield f"{where}: a namespace detail belongs to a layer: upsweep::<layer>::detail"
    if WHOLE_ROOM.search(code):
        yield f"{where}: names of a detail or internal namespace are used one by one, not by a directive"
    if INTERNAL.search(code) and layer == "apps":
        yield f"{where}: programs use public names only, not upsweep::internal"
    if OPENS_INTERNAL.search(code) and where.parts[0] == "include" and "internal" not in where.parts:
        yield f"{where}: what is in upsweep::internal has a header in internal/"


def check_readers(source):
    """Pages and examples show what users may write."""
    files = [source / "README.md", *sorted((source / "docs").rglob("*.md")), *sorted((source / "examples").rglob("*"))]
    for file in files:
        if not file.is_file() or file.suffix not in (".md", ".hpp", ".cpp"):
            continue
        text = file.read_text()
        code = "\n".join(CODE_BLOCK.findall(text)) if file.suffix == ".md" else text
        if found := NAMES_ROOMS.search(COMMENT.sub("", code)):
            yield f"{file.relative_to(source)}: shows {found[0]}, which is not for users"


def check(source):
    """Returns the violations and how many includes of our own headers were looked at."""
    source = source.resolve()
    roots = [source / "include" / "upsweep", source / "src", source / "apps"]
    violations, seen = list(check_readers(source)), 0
    for root in roots:
        for file in sorted(root.rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".h"):
                continue
            where = file.relative_to(source)
            layer = layer_of(file.relative_to(root).parts)
            if layer is None:
                violations.append(f"{where}: belongs to no layer")
                continue
            text = COMMENT.sub("", file.read_text())
            violations += check_names(where, layer, text)
            for angled, quoted in INCLUDE.findall(text):
                name = angled or quoted
                if name == "mpi.h" and layer not in KNOWS_MPI:
                    violations.append(f"{where}: the layer {layer} must not know MPI")
                target = target_of(file, name, bool(quoted), roots)
                if target is None:
                    continue
                seen += 1
                target_layer = layer_of(target)
                if target_layer is None:
                    violations.append(f"{where}: includes {name}, which belongs to no layer")
                elif target_layer not in BELOW[layer]:
                    violations.append(f"{where}: the layer {layer} must not include {name} of the layer {target_layer}")
                elif "detail" in target and target_layer != layer:
                    violations.append(f"{where}: {name} is private to the layer {target_layer}")
                elif "internal" in target and (layer == "apps" or layer in TOP_HEADERS):
                    violations.append(f"{where}: {name} is for the library's own layers")
                elif "study" in target[:-1] and "study" not in where.parts and layer != "apps":
                    violations.append(f"{where}: {name} is for study, which the library itself does without")
                elif layer == "apps" and target_layer != "apps" and not name.startswith("upsweep/"):
                    violations.append(f"{where}: programs use public headers only, not {name}")
    return violations, seen


GOOD = {
    "include/upsweep/base/a.hpp": "#include <vector>\n// #include <upsweep/scan/a.hpp>\n",
    "include/upsweep/scan/a.hpp": "#include <upsweep/team/a.hpp>\n#include <upsweep/scan/detail/a.hpp>\n",
    "include/upsweep/scan/detail/a.hpp": "#include <upsweep/base/a.hpp>\n",
    "include/upsweep/scan/study/a.hpp": "#include <upsweep/scan/study/b.hpp>\n#include <upsweep/scan/detail/a.hpp>\n",
    "include/upsweep/scan/b.hpp": "namespace upsweep::scan::detail { int x = internal::y; }\n",
    "include/upsweep/scan/internal/a.hpp": "#include <upsweep/base/internal/a.hpp>\n"
    "namespace upsweep::internal { using scan::detail::x; }\n",
    "include/upsweep/mpi/a.hpp": "namespace upsweep::mpi {\nnamespace detail { int x; }\n}\n// team::detail::x\n",
    "include/upsweep/mpi.hpp": "#include <mpi.h>\n#include <upsweep/upsweep.hpp>\n",
    "docs/a.md": "`scan/detail/a.hpp` has it.\n```cpp\n#include <upsweep/scan/a.hpp>\n```\n",
    "src/io/mpi/a.cpp": "#include <mpi.h>\n#include <upsweep/io/a.hpp>\n#include <upsweep/mpi/a.hpp>\n",
    "apps/x/a.cpp": '#include "own.hpp"\n#include <upsweep/mpi.hpp>\n#include <upsweep/scan/study/a.hpp>\n',
}
BAD = {
    "include/upsweep/team/a.hpp": "#include <upsweep/scan/a.hpp>\n",
    "include/upsweep/scan/b.hpp": "  # include <upsweep/upsweep.hpp>\n",
    "include/upsweep/scan/c.hpp": "#include <upsweep/scan/study/a.hpp>\n",
    "include/upsweep/upsweep.hpp": "#include <upsweep/scan/study/a.hpp>\n",
    "include/upsweep/pack/a.hpp": "#include <upsweep/scan/detail/a.hpp>\n",
    "include/upsweep/neighbors/a.hpp": "#include <mpi.h>\n",
    "include/upsweep/io/a.hpp": "#include <upsweep/mpi/a.hpp>\n",
    "include/upsweep/mpi/a.hpp": "#include <upsweep/io/mpi/a.hpp>\n",
    "include/upsweep/other/a.hpp": "\n",
    "src/io/a.cpp": '#include "../mpi/a.hpp"\n',
    "apps/x/a.cpp": '#include "../../src/io/a.hpp"\n',
    "apps/x/b.cpp": "#include <upsweep/mpi/detail/a.hpp>\n",
    "apps/x/c.cpp": "#include <upsweep/base/internal/a.hpp>\n",
    "apps/x/d.cpp": "int x = upsweep::internal::x;\n",
    "include/upsweep/mpi.hpp": "#include <upsweep/mpi/internal/a.hpp>\n",
    "include/upsweep/pack/b.hpp": "int x = upsweep::scan::detail::x;\n",
    "include/upsweep/pack/c.hpp": "namespace upsweep { int x = base :: detail::x; }\n",
    "include/upsweep/pack/d.hpp": "namespace upsweep::scan::detail { struct x; }\n",
    "include/upsweep/pack/e.hpp": "namespace upsweep::detail { struct x; }\n",
    "include/upsweep/pack/f.hpp": "namespace upsweep {\nnamespace detail {\n}\n}\n",
    "include/upsweep/pack/g.hpp": "namespace upsweep::internal { struct x; }\n",
    "src/pack/a.cpp": "using namespace upsweep::pack::detail;\n",
    "src/io/mpi/a.cpp": "int x = upsweep::mpi::detail::x;\n",
    "docs/b.md": "```cpp\nupsweep::internal::x();\n```\n",
    "examples/1/a.cpp": "#include <upsweep/scan/detail/a.hpp>\n",
}


def check_example(files):
    with tree_of(files) as folder:
        return check(folder)[0]


def check_the_check():
    """A check that finds nothing because its pattern matches nothing would look like a clean tree."""
    wrong = [f"the good example is rejected: {v}" for v in check_example(GOOD)]
    for name, text in BAD.items():
        found = check_example({name: text})
        if len(found) != 1:
            wrong.append(f"the bad example {name} ({text.strip()}) gives {len(found)} violations, not 1")
    return wrong


def main():
    violations, seen = check(Path(sys.argv[1]))
    return report(check_the_check(), violations, seen, 10, "includes")


sys.exit(main())
