#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Rewrites sources that use Upsweep from the spellings of revision 8650f4e to today's.

    tools/rewrite_callers.py src include       # rewrites, and prints file:line of what is left to do by hand
    tools/rewrite_callers.py --check src       # only says what it would do; exit code 1 where that is something

Comments and strings stay as they are. What was rewritten is not touched again. docs/changes.md has every change with
its reason; RULES below is the same as a table, and what it cannot know from the text of one file it says.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".ipp", ".c", ".cc", ".cpp", ".cxx", ".cu", ".hip"}
OPEN, CLOSE = "([{", ")]}"
TEMPLATE_ARGUMENTS = re.compile(r"[\w\s:,*&<>()]*")


@dataclass(frozen=True)
class Edit:
    begin: int
    end: int
    text: str


@dataclass(frozen=True)
class ByHand:
    at: int
    advice: str


def without_comments(text):
    """The text with blanks for the characters of comments and of strings; every place stays where it is."""
    token = re.compile(
        r'//[^\n]*|/\*.*?\*/|(?:u8|[uUL])?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'",
        re.DOTALL,
    )

    def blank(match):
        # A file that is included keeps its name.
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if match.group().startswith('"') and line.lstrip().startswith("#"):
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())

    return token.sub(blank, text)


def end_of_template_arguments(code, at):
    """The place behind the > that belongs to the < at `at`, or None where that is an operator."""
    if at == 0 or not (code[at - 1].isalnum() or code[at - 1] == "_"):
        return None
    depth = 0
    for k in range(at, TEMPLATE_ARGUMENTS.match(code, at).end()):
        depth += {"<": 1, ">": -1}.get(code[k], 0)
        if depth == 0:
            return k + 1
    return None


def arguments_of(code, at):
    """(begin, end) of each argument of the call whose parenthesis opens at `at`, without blanks around, and the place
    behind the call; None where the parenthesis does not close."""
    pieces, depth, begin, k = [], 0, at + 1, at
    while k < len(code):
        if code[k] == "<":
            k = end_of_template_arguments(code, k) or k + 1
            continue
        if code[k] in OPEN:
            depth += 1
        elif code[k] in CLOSE:
            depth -= 1
        if depth == 0 or depth == 1 and code[k] == ",":
            piece = code[begin:k]
            if piece.strip() or pieces:
                start = begin + len(piece) - len(piece.lstrip())
                pieces.append((start, start + len(piece.strip())))
            begin = k + 1
        k += 1
        if depth == 0:
            return pieces, k
    return None


def calls_of(code, names):
    """(match of the name, arguments, end) of every call of a function of these names: not of members, and not of names
    of other namespaces."""
    space = r"(?<![\w.>])(?P<space>(?:::)?(?:upsweep::)?(?:mpi::)?)"
    name = re.compile(rf"{space}(?P<name>{names})\b(?:\s*<[^;(){{}}]*>)?\s*\(")
    for match in name.finditer(code):
        if not match["space"] and code[: match.start()].endswith("::"):
            continue
        found = arguments_of(code, match.end() - 1)
        if found:
            yield match, *found


@dataclass(frozen=True)
class Word:
    """A regular expression for code, and what stands for it; groups as in re.sub."""

    old: str
    new: str

    def apply(self, code, text):
        return [Edit(m.start(), m.end(), m.expand(self.new)) for m in re.finditer(self.old, code)]


@dataclass(frozen=True)
class Hand:
    """A regular expression for code that a person must change."""

    old: str
    advice: str

    def apply(self, code, text):
        return [ByHand(m.start(), self.advice) for m in re.finditer(self.old, code)]


@dataclass(frozen=True)
class Renamed:
    """A call with so many arguments has another name."""

    name: str
    counts: tuple
    new: str

    def apply(self, code, text):
        return [
            Edit(m.start("name"), m.end("name"), self.new)
            for m, arguments, _ in calls_of(code, self.name)
            if len(arguments) in self.counts
        ]


@dataclass(frozen=True)
class Reordered:
    """A call with so many arguments is written in another way: {0} is the first argument, {space} the namespace in
    front of the call. Not where the second argument begins with `mark`: then it is today's."""

    name: str
    counts: tuple
    new: str
    mark: str = ""

    def apply(self, code, text):
        edits = []
        for match, arguments, end in calls_of(code, self.name):
            if len(arguments) not in self.counts:
                continue
            if self.mark and re.match(rf"(?:::)?(?:upsweep::)?{self.mark}\b", code[slice(*arguments[1])]):
                continue
            new = self.new.format(*(text[a:b] for a, b in arguments), space=match["space"])
            edits.append(Edit(match.start("name"), end, new))
        return edits


# What stands for options as a last argument: braces, a class of options, or a variable that is named so.
OPTIONS = re.compile(r"\{|(?:::)?(?:\w+\s*::\s*)*\w*options?_?\b")


@dataclass(frozen=True)
class Marked:
    """The argument at `place` of calls with so many arguments, options not counted, says what it is. Arguments that
    begin with one of `marks` do. Calls across ranks have a communicator in front. Where nobody knows whether a
    last variable is options or one argument more, a person decides."""

    name: str
    count: int
    place: int
    mark: str
    marks: str
    is_last_unknown: bool = False

    def apply(self, code, text):
        edits = []
        for match, arguments, _ in calls_of(code, self.name):
            if match["space"].endswith("mpi::"):
                arguments = arguments[1:]
            if any(re.match(rf"(?:::)?(?:upsweep::)?(?:{self.marks})\b", code[slice(*a)]) for a in arguments):
                continue
            last = code[slice(*arguments[-1])] if arguments else ""
            if OPTIONS.match(last):
                arguments = arguments[:-1]
            if len(arguments) != self.count:
                continue
            begin, end = arguments[self.place]
            if self.is_last_unknown and not OPTIONS.match(last) and re.fullmatch(r"[\w.]+", last):
                edits.append(ByHand(begin, f"if {last} is no options, {text[begin:end]} is {self.mark}{{...}} now"))
            else:
                edits.append(Edit(begin, end, f"{self.mark}{{{text[begin:end]}}}"))
        return edits


@dataclass(frozen=True)
class Designators:
    """Designated initialisers of a class whose members stand in another order now."""

    members: tuple

    def apply(self, code, text):
        edits = []
        for match in re.finditer(r"\{(?=\s*\.\w+\s*=)", code):
            found = arguments_of(code, match.start())
            if not found:
                continue
            arguments, _ = found
            names = [re.match(r"\.(\w+)\s*=", code[slice(*a)]) for a in arguments]
            if any(n is None or n[1] not in self.members for n in names):
                continue
            if any("//" in g or "/*" in g for g in (text[a[1] : b[0]] for a, b in zip(arguments, arguments[1:]))):
                advice = f"these options stand in this order now: {', '.join(self.members)}"
                edits.append(ByHand(arguments[0][0], advice))
                continue
            order = sorted(range(len(names)), key=lambda k: self.members.index(names[k][1]))
            if order == list(range(len(names))):
                continue
            begin, end = arguments[0][0], arguments[-1][1]
            gaps = [text[arguments[k][1] : arguments[k + 1][0]] for k in range(len(names) - 1)] + [""]
            new = "".join(text[slice(*arguments[k])] + gap for k, gap in zip(order, gaps))
            edits.append(Edit(begin, end, new))
        return edits


@dataclass(frozen=True)
class Options:
    """The last argument of calls names a class of options that they do not take any more: braces alone do."""

    names: str
    classes: str

    def apply(self, code, text):
        edits = []
        for _, arguments, _ in calls_of(code, self.names):
            begin, end = arguments[-1] if arguments else (0, 0)
            named = re.match(rf"(?:::)?(?:upsweep::)?(?:{self.classes})\s*(?=\{{)", code[begin:end])
            if named:
                edits.append(Edit(begin, begin + named.end(), ""))
        return edits


@dataclass(frozen=True)
class Include:
    """A header brings another one no longer: who calls these functions includes that."""

    brought_by: str
    calls: str
    header: str

    def apply(self, code, text):
        include = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](upsweep/[^>"]*)[>"]', re.MULTILINE)
        included = {m[1]: m for m in include.finditer(code)}
        by = included.get(self.brought_by)
        if by is None or self.header in included or "upsweep/upsweep.hpp" in included:
            return []
        if not any(True for _ in calls_of(code, self.calls)):
            return []
        line_end = text.find("\n", by.start())
        newline = "\r\n" if text[line_end - 1 : line_end] == "\r" else "\n"
        at = line_end + 1 if line_end >= 0 else len(text)
        return [Edit(at, at, f"#include <{self.header}>{newline}")]


PACKING = (
    "compact|compact_in_place|compact_indices|partition|partition_in_place|partition_rest_reversed"
    "|partition_three_way|partition_copy|unique|unique_in_place|run_length|reduce_by_key|load_balance|histogram"
)

NEIGHBOR_OPTIONS = (
    "types", "type_cutoffs", "radii", "half", "newton", "include_cutoff", "max_neighbors", "pair_images",
    "first_indices", "unwrapped_images", "displacements", "distances", "order", "rows", "ids", "images", "exclusions",
    "builder", "memory_budget",
)  # fmt: skip
SCANS = "exclusive_scan|inclusive_scan"
FOR_EACH = "exclusive_scan_for_each|inclusive_scan_for_each"
SEGMENTED = "segmented_exclusive_scan|segmented_inclusive_scan"

# Old spellings and today's, in the order of docs/changes.md. A new spelling matches no rule.
RULES = [
    Marked(SCANS, 6, 3, "upsweep::into", "into|from", True),
    Marked(FOR_EACH, 6, 3, "upsweep::into", "into|from", True),
    Marked(FOR_EACH, 7, 4, "upsweep::into", "into|from", True),
    Marked("counts_to_offsets", 4, 3, "upsweep::into", "into"),
    Hand(
        r"(?<![\w.>])upsweep::reduce(?:<[^;(){}]*>)?\((?=[^()]*(?:\([^()]*\)[^()]*)*, *(?:result|total|sum|found)\b)",
        "a result of reduce that goes to a View or a variable is into{...} now",
    ),
    Marked(SEGMENTED, 4, 2, "upsweep::head_flags", "head_flags|segment_offsets"),
    Marked(SEGMENTED, 5, 2, "upsweep::head_flags", "head_flags|segment_offsets"),
    Reordered(
        "needs_rebuild",
        (5,),
        "needs_rebuild({0}, upsweep::now{{{1}}}, upsweep::at_build{{{2}}}, {3}, {4})",
        "now",
    ),
    Reordered(
        "needs_rebuild",
        (7,),
        "needs_rebuild({0}, upsweep::now{{{1}, {3}}}, upsweep::at_build{{{2}, {4}}}, {5}, {6})",
        "now",
    ),
    Reordered(
        "needs_rebuild",
        (8,),
        "needs_rebuild({0}, upsweep::now{{{1}, {3}}}, upsweep::at_build{{{2}, {4}}}, {5}, {6}, {7})",
        "now",
    ),
    Reordered(
        "two_largest_displacements",
        (3,),
        "two_largest_displacements({0}, upsweep::now{{{1}}}, upsweep::at_build{{{2}}})",
        "now",
    ),
    Reordered(
        "two_largest_displacements",
        (4,),
        "two_largest_displacements({0}, upsweep::now{{{1}}}, upsweep::at_build{{{2}}}, {3})",
        "now",
    ),
    Reordered(
        "largest_displacement_squared",
        (3,),
        "largest_displacement_squared({0}, upsweep::now{{{1}}}, upsweep::at_build{{{2}}})",
        "now",
    ),
    Reordered(
        "largest_displacement_squared",
        (4,),
        "largest_displacement_squared({0}, upsweep::now{{{1}}}, upsweep::at_build{{{2}}}, {3})",
        "now",
    ),
    Designators(NEIGHBOR_OPTIONS),
    Renamed("emit_lists", (6, 7), "emit_lists_into"),
    Options(PACKING, r"scan_options|basic_scan_options\s*<[^{}]*>"),
    Hand(
        r"\bone_pass_buffer\b|\bbuffer_records\b",
        "one_pass_buffer is gone: take two_pass, or give a bound where the functor is costly",
    ),
    Hand(
        r"\bstudy::engine_name::|\.engine\s*=",
        "an engine is a type: basic_scan_options<study::chained>{...}, or study::with_engine for a name that is read",
    ),
    Hand(
        r"\bUPSWEEP_COUNT_ACCESSES\b|\bupsweep::access_count\b",
        "study::access_count of scan/study/access_count.hpp counts elements whose type says so",
    ),
    Word(r"\bneighbor_run<\s*([^<>,]+?)\s*,\s*1\s*>", r"neighbor_run<\1>"),
    Hand(r"\.rows\s*=\s*-\s*1\b", "all particles have rows where neighbor_options::rows is not given: leave it out"),
    Hand(r"\bsliced_(?:list|rows)\b", "sliced lists are gone: reduce_rows(space, list.view(), f, finish)"),
    Hand(r"\bnarrow(?:ed_list|_options)\b", "narrowed lists are gone: neighbor_list::update at the exact cutoff"),
    Hand(
        r"\bstart_(?:exclusive|inclusive)_scan\b",
        "scans in two steps are gone: mpi::exclusive_scan or mpi::inclusive_scan, where the result is needed",
    ),
    Hand(
        r"\bsegmented_scan\s*<",
        "team::segmented_scan is gone: Inner::inclusive_scan(m, {value, head}, segmented<Monoid>{op}, scratch, total)"
        ".value",
    ),
    Include("upsweep/neighbors/neighbor_list.hpp", "pack_lists|count_lists|emit_lists", "upsweep/pack/pack_lists.hpp"),
    Include("upsweep/neighbors/neighbor_list.hpp", "for_each_neighbor", "upsweep/neighbors/for_each_neighbor.hpp"),
    Include("upsweep/neighbors/for_each_pair.hpp", "neighbor_list", "upsweep/neighbors/neighbor_list.hpp"),
    Include("upsweep/pack/pack_lists.hpp", "exclusive_scan", "upsweep/scan/exclusive_scan.hpp"),
    Include("upsweep/pack/pack_lists.hpp", "reduce", "upsweep/scan/reduce.hpp"),
]


def rewrite(text, rules=None):
    """The new text, the edits in it and what is left to do, as [(line, old, new)] and [(line, advice)]."""
    edits, left = [], []
    for rule in RULES if rules is None else rules:
        code = without_comments(text)
        found = rule.apply(code, text)
        left += [(text.count("\n", 0, f.at) + 1, f.advice) for f in found if isinstance(f, ByHand)]
        # From the end on, so that places before stay; of calls within calls the inner ones in this round.
        begin = len(text) + 1
        for edit in sorted((f for f in found if isinstance(f, Edit)), key=lambda f: f.begin, reverse=True):
            if edit.end > begin:
                continue
            begin = edit.begin
            edits.append((text.count("\n", 0, begin) + 1, text[begin : edit.end], edit.text))
            text = text[:begin] + edit.text + text[edit.end :]
    return text, edits, left


def sources_of(paths):
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES and p.is_file())
        else:
            yield path


def one_line(text):
    return " ".join(text.split()) or "nothing"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+", help="sources, or folders with sources")
    parser.add_argument("--check", action="store_true", help="say what would change, and change nothing")
    options = parser.parse_args()
    changed = by_hand = 0
    for path in sources_of(options.paths):
        try:
            with open(path, encoding="utf-8", newline="") as file:
                old = file.read()
        except (OSError, UnicodeDecodeError) as e:
            parser.error(f"{path}: {e}")
        new, edits, left = rewrite(old)
        changed += len(edits)
        by_hand += len(left)
        for line, before, after in sorted(edits):
            print(f"{path}:{line}: {one_line(before)} -> {one_line(after)}")
        for line, advice in sorted(set(left)):
            print(f"{path}:{line}: by hand: {advice}")
        if new != old and not options.check:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(new)
    print(f"{changed} {'to change' if options.check else 'changed'}, {by_hand} by hand")
    return 1 if by_hand or (options.check and changed) else 0


if __name__ == "__main__":
    sys.exit(main())
