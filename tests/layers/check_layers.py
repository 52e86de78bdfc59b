# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that includes only point down the layers: check_layers.py <source folder>

A file includes public headers of its own and of lower layers, and detail/ of its own layer only. So it is with names:
a layer's namespace detail is upsweep::<layer>::detail, and no other layer names it. What layers share lies in
internal/, namespace upsweep::internal; programs, examples, the code of pages and the two collections of all headers do
without it. What is for study (study/) is included by study/ and by programs only, so that no call compiles it unasked.
Only the layers mpi and io/mpi, the programs and upsweep/mpi.hpp know <mpi.h>. Texts of the library name no program and
no option of one.

The folders of a layer's detail/ or internal/, and of apps/support, have an order, too (ROOMS), and a file includes
files of its own folder and of folders before it. What perf uses of the programs is in apps/support.
"""

import re
from pathlib import Path

from examples import tree_of
from report import run

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

# The folders of detail/, internal/ and apps/support from below to above; "" is what lies beside them.
ROOMS = {
    "base/internal": ["arguments", "memory", "cpu", "gpu", "monoids", ""],
    "scan/detail": [
        "problem", "hand_over", "segments", "tiles", "cpu", "portable", "one_pass", "persistent", "calls", "reduce"
    ],
    "pack/detail": ["lists", "moving", "histogram", "sort", "unique_rows"],
    "mpi/detail": ["agree_and_scan", "messages", "rows", "bricks", "sort"],
    "neighbors/detail": [
        "box", "options", "grid", "rules", "pairs", "few_particles", "masks", "masks/cpu", "masks/gpu", "small_systems",
        "builders", "loops", "special"
    ],
    "apps/support": ["cpu", "cli11", "options", "outputs", "points", "", "groups", "mpi"],
}  # fmt: skip

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
OPENS_DETAIL = re.compile(r"\bnamespace\s+(?:\w+\s*::\s*)*detail\s*\{")
NAMES_ROOMS = re.compile(r"<upsweep/[\w/]*(?:internal|detail)/|\b(?:internal|detail)\s*::")
OF_PROGRAMS = re.compile(r'"[^"\n]*((?<![\w-])--[a-z][\w-]*|upsweep-(?:nbody|clusters|surface|interpolate|study|perf))')
CODE_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def layer_of(parts):
    """The layer of a path below include/upsweep or src, or from apps on, or None where it is none that we know."""
    if len(parts) == 1:
        return TOP_HEADERS.get(parts[0])
    if parts[:2] == ("io", "mpi") and len(parts) > 2:
        return "io/mpi"
    return parts[0] if parts[0] in BELOW else None


def target_of(file, name, quoted, roots):
    """The path that an include means, as layer_of() takes it, or None for a header that is not ours."""
    if name.startswith("upsweep/"):
        return Path(name).relative_to("upsweep").parts
    if quoted:
        beside = (file.parent / name).resolve()
        for root, start in roots.items():
            if beside.is_relative_to(root):
                return beside.relative_to(start).parts
    return None


def room_of(parts):
    """(a room of ROOMS, folder in it) of a path that layer_of() takes, or (None, None) for a file elsewhere."""
    for place in range(1, len(parts) - 1):
        room = "/".join(parts[: place + 1])
        if room in ROOMS:
            return room, "/".join(parts[place + 1 : -1])
    return None, None


def check_rooms(where, parts, name, target):
    """An include from one folder of a room to one that is above it."""
    room, folder = room_of(parts)
    target_room, target_folder = room_of(target)
    if room is None or room != target_room:
        return
    order = ROOMS[room]
    if folder not in order:
        yield f"{where}: the folder {folder or room} has no place in the order of {room} (ROOMS in check_layers.py)"
    elif target_folder in order and order.index(target_folder) > order.index(folder):
        yield f"{where}: {folder} must not include {name}: {target_folder} is above it in {room}"


def check_perf(source):
    """Programs of perf share apps/support with the others, and include no program's own folder."""
    for file in sorted((source / "perf").rglob("*.[hc]pp")):
        for angled, quoted in INCLUDE.findall(COMMENT.sub("", file.read_text())):
            beside = (file.parent / (quoted or angled)).resolve()
            apps = source / "apps"
            if quoted and beside.is_relative_to(apps) and not beside.is_relative_to(apps / "support"):
                yield f"{file.relative_to(source)}: includes {quoted}, which is of one program"


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
    if layer != "apps" and (found := OF_PROGRAMS.search(code)):
        yield f"{where}: a text of the library names {found[1]}, which is of a program"
    if "internal" in where.parts and OPENS_DETAIL.search(code):
        yield f"{where}: what is in a namespace detail has a header in detail/"
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
    # Where our files lie, and what their paths are relative to.
    below = source / "include" / "upsweep"
    roots = {below: below, source / "src": source / "src", source / "apps": source}
    violations, seen = [*check_readers(source), *check_perf(source)], 0
    for root, start in roots.items():
        for file in sorted(root.rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".h"):
                continue
            where = file.relative_to(source)
            parts = file.relative_to(start).parts
            layer = layer_of(parts)
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
                violations += check_rooms(where, parts, name, target)
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
    "include/upsweep/scan/detail/tiles/a.hpp": "#include <upsweep/scan/detail/problem/a.hpp>\n",
    "perf/a.cpp": '#include "../apps/support/a.hpp"\n',
    "src/io/a.cpp": 'int x = n--; // --force\nfail("a -- b");\n',
    "apps/x/b.cpp": 'fail("--force");\n',
    "apps/support/points/a.hpp": '#include "../options/a.hpp"\n',
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
    "include/upsweep/pack/internal/h.hpp": "namespace upsweep::pack::detail { struct x; }\n",
    "include/upsweep/scan/detail/tiles/a.hpp": "#include <upsweep/scan/detail/reduce/a.hpp>\n",
    "include/upsweep/scan/detail/other/a.hpp": "#include <upsweep/scan/detail/problem/a.hpp>\n",
    "perf/a.cpp": '#include "../apps/nbody/a.hpp"\n',
    "apps/support/options/a.hpp": '#include "../outputs/a.hpp"\n',
    "apps/support/other/a.hpp": '#include "../options/a.hpp"\n',
    "include/upsweep/pack/g.hpp": "namespace upsweep::internal { struct x; }\n",
    "src/pack/a.cpp": "using namespace upsweep::pack::detail;\n",
    "src/io/mpi/a.cpp": "int x = upsweep::mpi::detail::x;\n",
    "src/io/b.cpp": 'fail("or as --atom-style full");\n',
    "include/upsweep/io/b.hpp": 'char const* name = "of upsweep-nbody";\n',
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


run(check, check_the_check, 10, "includes")
