# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks tools/rewrite_callers.py: check_rewrite_callers.py <source folder>

Each case is a text of a user's, what becomes of it, and how much is left to do by hand. What came out is not changed
again, and every rule is used by a case.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "tools"))
import rewrite_callers as tool  # noqa: E402

LIST = "#include <upsweep/neighbors/neighbor_list.hpp>\n"
PACK = "#include <upsweep/pack/pack_lists.hpp>\n"

# before, after (None: the same), pieces of what is said of work by hand
CASES = [
    (
        "auto n = upsweep::emit_lists(space, plan, first, plan.rows_within(space, 4096, first), piece, functor);",
        "auto n = upsweep::emit_lists_into(space, plan, first, plan.rows_within(space, 4096, first), piece, functor);",
        [],
    ),
    ("emit_lists(s, p, 0, 3, v,\n  f, {});", "emit_lists_into(s, p, 0, 3, v,\n  f, {});", []),
    ("auto l = upsweep::emit_lists(space, plan, functor, {.workspace = &w});", None, []),
    ("emit_lists(s, p, f<int, double, 7>{}, std::max(1, std::min(2, 3)));", None, []),
    ("other::emit_lists(s, p, 0, 3, v, f); mine.emit_lists(s, p, 0, 3, v, f);", None, []),
    ("// emit_lists(s, p, 0, 3, v, f)\nauto t = \"emit_lists(s, p, 0, 3, v, f)\";", None, []),
    (
        "upsweep::compact(s, in, out, p, upsweep::basic_scan_options<upsweep::engine::look_back>{.workspace = &w});",
        "upsweep::compact(s, in, out, p, {.workspace = &w});",
        [],
    ),
    ("partition(s, in, out, p, scan_options{});", "partition(s, in, out, p, {});", []),
    (
        "upsweep::mpi::compact(comm, s, in, out, p, upsweep::scan_options{.label = \"a\"});",
        "upsweep::mpi::compact(comm, s, in, out, p, {.label = \"a\"});",
        [],
    ),
    ("upsweep::exclusive_scan(s, in, out, m, upsweep::scan_options{.workspace = &w});", None, []),
    ("compact(s, in, out, p, {.workspace = &w});", None, []),
    ("o.strategy = upsweep::pack_strategy::one_pass_buffer;\no.buffer_records = 3;", None, ["two_pass", "two_pass"]),
    ("study::scan_options{.workspace = &w, .engine = study::engine_name::chained}", None, ["is a type", "is a type"]),
    ("#if defined(UPSWEEP_COUNT_ACCESSES)\n", None, ["study::access_count"]),
    ("neighbor_run<int, 1> a; neighbor_run<T, 4> b;", "neighbor_run<int> a; neighbor_run<T, 4> b;", []),
    ("upsweep::sliced_list l;", None, ["reduce_rows"]),
    ("upsweep::narrowed_list l;", None, ["exact cutoff"]),
    ("auto p = upsweep::mpi::start_exclusive_scan(c, s, in, out);", None, ["mpi::exclusive_scan"]),
    ("upsweep::team::segmented_scan<inner>::inclusive_scan(m, v, h, op, s, t);", None, ["Inner::inclusive_scan"]),
    (LIST + "upsweep::pack_lists<int>(s, n, f);\n", LIST + PACK + "upsweep::pack_lists<int>(s, n, f);\n", []),
    (LIST + PACK + "auto l = upsweep::pack_lists<int>(s, n, f);\n", None, []),
    (LIST + "upsweep::neighbor_list l(s, x, b, 1.0);\n", None, []),
    (
        LIST + "upsweep::for_each_neighbor(r, i, f);\n",
        LIST + "#include <upsweep/neighbors/for_each_neighbor.hpp>\nupsweep::for_each_neighbor(r, i, f);\n",
        [],
    ),
    (
        "#include <upsweep/neighbors/for_each_pair.hpp>\r\nauto l = upsweep::neighbor_list(s, x, b, 1.0);\r\n",
        "#include <upsweep/neighbors/for_each_pair.hpp>\r\n#include <upsweep/neighbors/neighbor_list.hpp>\r\n"
        "auto l = upsweep::neighbor_list(s, x, b, 1.0);\r\n",
        [],
    ),
    (
        PACK + "exclusive_scan(s, a, b);\n",
        PACK + "#include <upsweep/scan/exclusive_scan.hpp>\nexclusive_scan(s, a, b);\n",
        [],
    ),
    (PACK + "reduce<int>(s, n, f);\n", PACK + "#include <upsweep/scan/reduce.hpp>\nreduce<int>(s, n, f);\n", []),
    ("#include <upsweep/upsweep.hpp>\n" + LIST + "pack_lists<int>(s, n, f);\n", None, []),
    (
        "upsweep::exclusive_scan(s, in, out, total, 3, upsweep::plus<>{});",
        "upsweep::exclusive_scan(s, in, out, upsweep::into{total}, 3, upsweep::plus<>{});",
        [],
    ),
    (
        "inclusive_scan(s, in, out, t, 3, m, {.workspace = &w}); inclusive_scan(s, in, out, 3, m, options);",
        "inclusive_scan(s, in, out, upsweep::into{t}, 3, m, {.workspace = &w}); "
        "inclusive_scan(s, in, out, 3, m, options);",
        [],
    ),
    (
        "exclusive_scan_for_each(s, in, f, t, 3, max<>{}); exclusive_scan_for_each(s, n, g, f, t, 3, max<>{});",
        "exclusive_scan_for_each(s, in, f, upsweep::into{t}, 3, max<>{}); "
        "exclusive_scan_for_each(s, n, g, f, upsweep::into{t}, 3, max<>{});",
        [],
    ),
    (
        "counts_to_offsets(s, c, o, total); counts_to_offsets(s, c, o, {.workspace = &w});",
        "counts_to_offsets(s, c, o, upsweep::into{total}); counts_to_offsets(s, c, o, {.workspace = &w});",
        [],
    ),
    (
        "segmented_inclusive_scan(s, in, flags, out); segmented_exclusive_scan(s, in, flags, out, m, options);\n"
        "segmented_inclusive_scan(s, in, upsweep::segment_offsets{o}, out);",
        "segmented_inclusive_scan(s, in, upsweep::head_flags{flags}, out); "
        "segmented_exclusive_scan(s, in, upsweep::head_flags{flags}, out, m, options);\n"
        "segmented_inclusive_scan(s, in, upsweep::segment_offsets{o}, out);",
        [],
    ),
    (
        "if (upsweep::needs_rebuild(s, x, x0, box, box0, 2.5, 0.3)) {} needs_rebuild(s, x, x0, b, b0, 2, 1, {});",
        "if (upsweep::needs_rebuild(s, upsweep::now{x, box}, upsweep::at_build{x0, box0}, 2.5, 0.3)) {} "
        "needs_rebuild(s, upsweep::now{x, b}, upsweep::at_build{x0, b0}, 2, 1, {});",
        [],
    ),
    (
        "needs_rebuild(moved, box, box0, cutoff, skin);",
        "needs_rebuild(moved, upsweep::now{box}, upsweep::at_build{box0}, cutoff, skin);",
        [],
    ),
    (
        "two_largest_displacements(s, x, x0);",
        "two_largest_displacements(s, upsweep::now{x}, upsweep::at_build{x0});",
        [],
    ),
    (
        "upsweep::neighbor_list l(s, x, box, 2.5, {.rows = f(a, b), .ids = ids,\n  .half = true});",
        "upsweep::neighbor_list l(s, x, box, 2.5, {.half = true, .rows = f(a, b),\n  .ids = ids});",
        [],
    ),
    ("scan_options{.workspace = &w, .label = \"a\"}; {.half = true, .ids = ids};", None, []),
    ("upsweep::exclusive_scan(s, in, out, init, upsweep::plus<>{}, upsweep::scan_options{.label = a});", None, []),
    ("upsweep::exclusive_scan(s, in, out, init, m, upsweep::basic_scan_options<E>{});", None, []),
    ("upsweep::exclusive_scan(s, in, out, upsweep::from{init}, m, options_);", None, []),
    ("exclusive_scan(s, in, out, a, b, c);", None, ["if c is no options"]),
    ("counts_to_offsets(s, c, o, upsweep::scan_options{.workspace = &w});", None, []),
    ("upsweep::mpi::counts_to_offsets(comm, s, c, o); mpi::exclusive_scan(comm, s, in, out, m, options);", None, []),
    (
        "upsweep::mpi::segmented_inclusive_scan(comm, s, in, flags, out);",
        "upsweep::mpi::segmented_inclusive_scan(comm, s, in, upsweep::head_flags{flags}, out);",
        [],
    ),
    ("upsweep::reduce(s, in, result, m); upsweep::reduce(s, f(in), m);", None, ["into{...}"]),
    (
        "two_largest_displacements(s, x, x0, {}); largest_displacement_squared(s, x, x0); "
        "largest_displacement_squared(s, x, x0, o);",
        "two_largest_displacements(s, upsweep::now{x}, upsweep::at_build{x0}, {}); "
        "largest_displacement_squared(s, upsweep::now{x}, upsweep::at_build{x0}); "
        "largest_displacement_squared(s, upsweep::now{x}, upsweep::at_build{x0}, o);",
        [],
    ),
    ("upsweep::neighbor_options o{.rows = -1}; o.rows = - 1; o.rows = -n; o.rows = 1;", None, ["leave it out"] * 2),
    ("neighbor_list l(s, x, b, 1., {.rows = n, // ghosts behind\n .half = true});", None, ["stand in this order"]),
]


def what_is_wrong():
    used = set()
    for before, expected, advice in CASES:
        after, edits, left = tool.rewrite(before)
        if after != (before if expected is None else expected):
            yield f"{before!r} became {after!r}"
        if bool(edits) != (expected is not None):
            yield f"{before!r}: {len(edits)} edits are reported"
        said = [text for _, text in left]
        if len(said) != len(advice) or any(a not in s for a, s in zip(advice, said)):
            yield f"{before!r}: by hand {said}"
        if tool.rewrite(after)[0] != after:
            yield f"{after!r} is changed again"
        code = tool.without_comments(before)
        used |= {k for k, rule in enumerate(tool.RULES) if rule.apply(code, before)}
    for k, rule in enumerate(tool.RULES):
        if k not in used:
            yield f"no case for {rule}"

    # A kind of rule that the table may have no row of.
    rule = tool.Reordered("needs", (3,), "needs({0}, {space}now{{{2}, {1}}})")
    text, _, _ = tool.rewrite("if (upsweep::needs(s, f(a, b), x[i])) needs(1);", [rule])
    if text != "if (upsweep::needs(s, upsweep::now{x[i], f(a, b)})) needs(1);":
        yield f"reordered arguments: {text}"

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sub" / "caller.cpp"
        file.parent.mkdir()
        old = "int a;\nemit_lists(s, p, 0, 3, v, f);\nsliced_list l;\n"
        file.write_text(old)
        (file.parent / "notes.txt").write_text(old)

        def run(*arguments):
            command = [sys.executable, str(SOURCE / "tools/rewrite_callers.py"), *arguments, folder]
            done = subprocess.run(command, capture_output=True, text=True)
            return done.returncode, done.stdout

        code, said = run("--check")
        if code != 1 or f"{file}:2: emit_lists -> emit_lists_into\n" not in said or file.read_text() != old:
            yield f"--check: {code}, {said}"
        code, said = run()
        if code != 1 or f"{file}:3: by hand: sliced lists are gone" not in said:
            yield f"with work by hand: {code}, {said}"
        if file.read_text() != old.replace("emit_lists(", "emit_lists_into("):
            yield f"the file is {file.read_text()!r}"
        if (file.parent / "notes.txt").read_text() != old:
            yield "a file that is no source was changed"
        file.write_text("emit_lists_into(s, p, 0, 3, v, f);\n")
        if run("--check") != (0, "0 to change, 0 by hand\n"):
            yield f"nothing to do: {run('--check')}"


def main():
    wrong = list(what_is_wrong())
    for line in wrong:
        print(line)
    print(f"{len(CASES)} cases, {len(wrong)} wrong")
    return 1 if wrong else 0


sys.exit(main())
