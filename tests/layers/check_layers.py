# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that includes only point down the layers: check_layers.py <source folder>

A file includes public headers of its own and of lower layers, and detail/ of its own layer only. What is for study
(study/) is included by study/ and by programs only, so that no call compiles it unasked. Only the layers mpi and
io/mpi, the programs and upsweep/mpi.hpp know <mpi.h>.
"""

import re
import sys
import tempfile
from pathlib import Path

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


def check(source):
    """Returns the violations and how many includes of our own headers were looked at."""
    source = source.resolve()
    roots = [source / "include" / "upsweep", source / "src"]
    violations, seen = [], 0
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
    "include/upsweep/mpi.hpp": "#include <mpi.h>\n#include <upsweep/upsweep.hpp>\n",
    "src/io/mpi/a.cpp": "#include <mpi.h>\n#include <upsweep/io/a.hpp>\n#include <upsweep/mpi/a.hpp>\n",
    "src/apps/x/a.cpp": '#include "own.hpp"\n#include <upsweep/mpi.hpp>\n#include <upsweep/scan/study/a.hpp>\n',
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
    "src/apps/x/a.cpp": '#include "../../io/a.hpp"\n',
    "src/apps/x/b.cpp": "#include <upsweep/mpi/detail/a.hpp>\n",
}


def check_example(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check(Path(folder))[0]


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
