# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""What the tables need and this machine has: programs, and what they were built with."""

import subprocess
from pathlib import Path
from typing import NamedTuple

from table_list import HOW


class Program(NamedTuple):
    path: Path
    machine: str  # the column of its rows
    revision: str


class Need(NamedTuple):
    build: str
    what: str
    missing: str  # why it is missing and how to get it; empty: it is there

    def __str__(self):
        return f"{self.build}: {self.what}" + (f": {self.missing}" if self.missing else "")


def facts_of(path):
    """What the program says of itself; None where it cannot be run."""
    try:
        done = subprocess.run([path, "--describe"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError:
        return None
    facts = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    return facts if done.returncode == 0 and {"machine", "revision", "implementations"} <= facts.keys() else None


def revision_need(build, own, given):
    """Of a program that says its revision, and what --git says."""
    if own != "unknown" and given not in (None, "unknown", own):
        return Need(build, f"revision {given}", f"the program is of {own}")
    revision = given if own == "unknown" else own
    if revision in (None, "unknown"):
        return Need(build, "its revision", "it was built outside of a checkout; say the revision by --git")
    if revision.endswith("-dirty"):
        return Need(build, f"one revision, not {revision}", "it has changes that no revision has; commit, build again")
    return Need(build, f"revision {revision}", "")


def look_at(build, path, given):
    """The program of one build, or None, and all that it needs."""
    facts = facts_of(path)
    needs = [Need(build.name, str(path), "" if facts else f"is not there, or does not run; {build.how}")]
    for name, words in build.facts.items():
        found = facts.get(name, "none") if facts else "no program"
        missing = "" if found in words else f"there is {found}; {HOW[name]}"
        needs.append(Need(build.name, f"{name} {' or '.join(words)}", missing))
    for peer in build.peers:
        there = facts and peer in facts["implementations"].split()
        needs.append(Need(build.name, peer, "" if there else HOW[peer]))
    if facts is None:
        return None, needs
    needs.append(revision_need(build.name, facts["revision"], given))
    revision = facts["revision"] if facts["revision"] != "unknown" else given
    return Program(path, build.machine.format(**facts), revision), needs


def look(builds, paths, given):
    """{name of a build: its program, or None}, and all needs."""
    programs, needs = {}, []
    for build in builds:
        programs[build.name], own = look_at(build, paths[build.name], given)
        needs += own
    revisions = {name: program.revision for name, program in programs.items() if program}
    if len(set(revisions.values())) > 1:
        found = ", ".join(f"{name} is of {revision}" for name, revision in revisions.items())
        needs.append(Need("all", "one revision", found))
    return programs, needs
