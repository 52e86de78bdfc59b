# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Checks that words mean what docs/glossary.md says: check_words.py <source folder> [--write]

A word that the glossary replaces is refused in comments, pages and names. words_to_do.txt lists the files that still
have one. A hit that is not listed is a violation, and so is an entry without a hit: the list only gets shorter.
--write makes the list of what there is now.
"""

import re
import sys
from pathlib import Path

from report import report

FOLDERS = ["include", "src", "apps", "tests", "perf", "examples", "docs", "cmake", "tools"]
TOP_FILES = ["CMakeLists.txt", "README.md", "dev"]
SUFFIXES = {".hpp", ".cpp", ".h", ".cmake", ".in", ".py", ".sh", ".md", ".txt", ""}
# They hold the words themselves.
LEFT_OUT = {"docs/glossary.md", "tests/layers/words_to_do.txt", "tests/layers/check_words.py"}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
SCRIPT_COMMENT = re.compile(r"(?<!\S)#[^\n]*")
CODE_BLOCK = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)

COUNTED = (
    "bytes|words|bits?|keys?|rows|elements|tiles|items|states?|sums?|counts?|records?|lanes?|threads?|teams?"
    "|entry|warp|message|write|element|buffer|line|one|two|three"
)
PER = "warp|thread|lane|team|tile|row|element|group|particle|key|digit|bin|cell|pair|block|bit|segment|run|column|slice"
# Name, what to say, the pattern in comments and pages, and the pattern in names; where one is None, only the other.
WORDS = [
    ("survey", "check, count, summary", r"\bsurvey(s|ed)?\b", r"\w*survey\w*"),
    ("settle", "store, decide", r"\bsettle[sd]?\b", r"\w*settle\w*"),
    ("doubt", "undecided, error bound", r"\b(doubts?|foretell)\b", r"\b(doubts?|distance_doubt)\b"),
    ("perhaps", "possible, certain", None, r"\b(perhaps|maybe|sure)\b(?!\"|-uninitialized)"),
    ("silent", "stalled tile, invalid word", r"\b(silent|silence)\b", r"\b(silent|silence)\b"),
    ("stand in", "fall back for", r"\bstand(s|ing)? in\b(?! (a|the|front)\b)", r"\bstand_in\b"),
    ("tell", "publish, pass, know", r"\b(tell|tells|told|telling)\b(?! (apart|to)\b)",
     r"\b(told|has_told|told_group|tells?)\b"),
    ("says nothing", "is invalid, is not published", r"\bsays? nothing\b", r"\b(may_say|news)\b"),
    ("help", "fall back, fallback", r"\b(helpers?(?! packages)|helped|(to|they|others|who|that) helps?)\b",
     r"(?<!-)\b(helped|helper|no_help|check_help)\b"),
    ("walker", "look-back warp, copy warp", r"\b(walkers?|movers?)\b", r"\b([Ww]alkers?|movers?)\b"),
    ("host", "CPU", r"\bthreads? of (the|a) hosts?\b|\bhosts\b",
     r"\b(host_(kernels|tiles|tuning|reduction|hits)|(?!(to|on|Xarch)_host\b)\w+_host)\b"),
    ("vote", "ballot", r"\bvot(e|es|ed|ing)\b", None),
    ("indivisible", "atomic", r"\bindivisibl[ey]\b", None),
    ("on its way", "in flight", r"\bon (its|their) way\b", None),
    ("turn round", "transpose, reverse", r"\bturn(s|ed|ing)? (\w+ ){0,5}round\b", r"\b(turned_row|turn_round\w*)\b"),
    ("in the mean", "on average", r"\bin the mean\b", None),
    ("crowd", "dense cell", r"\b(crowds?|crowded)\b", r"\w*crowd\w*"),
    ("wish", "prefetch", r"\bwish(es)?\b", r"\bwill_(read|write|settle|store|stream)\b"),
    ("spoil", "poison, invalidate", r"\bspoils?\b", r"\bspoil\b"),
    ("board", "buffers", None, r"\b(board|sort_board|tally)\b"),
    ("large pages", "huge pages", r"\blarge pages?\b", r"\bprefer_large_pages\b"),
    ("teams that stay", "persistent teams", r"\bteams that stay\b|\bteams? stays?\b", None),
    ("but for", "except", r"\bbut for\b", None),
    ("anew", "again, from scratch", r"\banew\b", None),
    ("in vain", "without result", r"\b(for want of|in vain|as a rule|gives? out)\b", None),
    ("told apart", "distinguished", r"\b(told|tells?|telling) (\w+ )?apart\b", None),
    ("in the place of", "instead of", r"\bin the place of\b", None),
    ("hand on", "pass on", r"\bhand(s|ed|ing)? (\w+ )?on\b", None),
    ("whoever", "the thread that", r"\bwhoever\b", None),
    ("X a Y", "X per Y", rf"\b({COUNTED}) an? ({PER})\b(?! (has|have|holds|may|can)\b)", None),
]


def parts_of(path, text):
    """The text of comments or pages, and the names."""
    if path.suffix == ".md":
        # A line may end within what a pattern looks for.
        return re.sub(r"\s+", " ", CODE_BLOCK.sub("", text)), ""
    comment = COMMENT if path.suffix in (".hpp", ".cpp", ".h", ".in") else SCRIPT_COMMENT
    # A comment's line may end within what a pattern looks for.
    comments = re.sub(r"\s*\n?\s*(//[/<]?|#)\s*", " ", "\n".join(m.group(0) for m in comment.finditer(text)))
    return comments, comment.sub("", text)


def words_in(path, text):
    comments, names = parts_of(path, text)
    for word, _, in_comments, in_names in WORDS:
        if in_comments and re.search(in_comments, comments, re.IGNORECASE) or in_names and re.search(in_names, names):
            yield word


def check(source):
    found, seen = set(), 0
    files = [f for folder in FOLDERS for f in (source / folder).rglob("*")] + [source / name for name in TOP_FILES]
    for file in sorted(files):
        where = file.relative_to(source).as_posix()
        if not file.is_file() or file.suffix not in SUFFIXES or where in LEFT_OUT or "__pycache__" in file.parts:
            continue
        seen += 1
        found |= {(where, word) for word in words_in(file, file.read_text(errors="replace"))}
    return found, seen


def check_the_check():
    examples = {
        "a.hpp": ("// A sum a warp.\n", {"X a Y"}),
        "b.hpp": ("// A sum per warp, in front of\n", set()),
        "c.cpp": ("int survey_columns;\n", {"survey"}),
        "d.cpp": ("// What the host\n// told it.\n", {"tell"}),
        "e.md": ("`told` is a name\n", set()),
        "f.md": ("Nobody votes, but\nfor one.\n", {"vote", "but for"}),
        "g.cmake": ("set(a hosts) # a crowd\n", {"crowd"}),
        "i.hpp": ("/// How many rows a thread has, which a warp may hold.\n", set()),
        "j.cpp": ("float sure; run(\"--warnings=maybe\");\n", {"perhaps"}),
        "k.cpp": ("run(\"--warnings=maybe\");\n", set()),
        "l.cmake": ("set(options -Xarch_host -O0)\n", set()),
        "n.sh": ("# A compiler that is told to stop.\n", set()),
        "o.hpp": (
            "// A thread that helps, in the place of its owner, a warp a group, one group a team.\n",
            {"help", "in the place of", "X a Y"},
        ),
        "p.sh": ("apt-helper download # what --help prints, and its two helper packages\n", set()),
        "m.hpp": ("void count_host();\n", {"host"}),
        "h.cpp": ("auto x = std::numeric_limits<int>::max(); to_host(y);\n", set()),
    }
    wrong = []
    for name, (text, expected) in examples.items():
        found = set(words_in(Path(name), text))
        if found != expected:
            wrong.append(f"the example {name} gives {sorted(found)}, not {sorted(expected)}")
    return wrong


def main():
    source = Path(sys.argv[1]).resolve()
    listed_in = source / "tests/layers/words_to_do.txt"
    found, seen = check(source)
    if "--write" in sys.argv:
        listed_in.write_text("".join(f"{where}\t{word}\n" for where, word in sorted(found)))
    listed = {tuple(line.split("\t")) for line in listed_in.read_text().splitlines() if line}
    say = {word: instead for word, instead, _, _ in WORDS}
    violations = [f"{where}: '{word}' (docs/glossary.md: {say[word]})" for where, word in sorted(found - listed)]
    violations += [f"words_to_do.txt: {where} has no '{word}' any more" for where, word in sorted(listed - found)]
    return report(check_the_check(), violations, seen, 100, "files")


sys.exit(main())
