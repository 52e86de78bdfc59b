# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""README's table of requirements says what CMake asks for: check_requirements.py <source folder>

Each row has a package, its oldest version or "any", the options that ask for it, and Debian's package.

check_requirements.py <source folder> --packages [option...] prints Debian's packages that the table names for these
options.
"""

import json
import re
import sys
from pathlib import Path

CALL = re.compile(r"^\s*(if|elseif|else|endif|find_package|upsweep_find_\w+)\((.*)\)")


def wanted(source):
    """What CMake asks for: {package: (oldest version, options)}."""
    top = (source / "CMakeLists.txt").read_text()
    text = (source / "cmake/UpsweepDependencies.cmake").read_text()
    found = {"CMake": (re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", top)[1], set())}
    for preset in json.loads((source / "CMakePresets.json").read_text())["configurePresets"]:
        if "generator" in preset:
            found[preset["generator"]] = ("any", set())
    conditions = []
    for line in text.splitlines():
        if not (call := CALL.match(line)):
            continue
        name, arguments = call.groups()
        if name == "if":
            conditions.append(arguments)
        elif name in ("elseif", "else"):
            conditions[-1] = arguments
        elif name == "endif":
            conditions.pop()
        else:
            package = arguments.split()[0] if name == "find_package" else name.removeprefix("upsweep_find_").upper()
            lowest = re.search(rf"set\(UPSWEEP_{package.upper()}_MINIMUM ([\d.]+)\)", text)
            options = set(re.findall(r"Upsweep_\w+", " ".join(conditions)))
            found[package] = (lowest[1] if lowest else "any", options)
    return found


def rows_of(source):
    page = (source / "README.md").read_text()
    table = page.split("| CMake's name |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def promised(source):
    """What the table says."""
    return {row[0].strip("`"): (row[1], set(re.findall(r"Upsweep_\w+", row[2]))) for row in rows_of(source)}


def print_packages(source, given):
    for _, _, options, packages in rows_of(source):
        asked = set(re.findall(r"Upsweep_\w+", options))
        names = re.findall(r"`([^`]+)`", packages.split(" or ")[0])
        if names and (not asked or asked & given):
            print("\n".join(names))


def main():
    source = Path(sys.argv[1])
    if "--packages" in sys.argv:
        print_packages(source, set(sys.argv[3:]))
        return 0
    asked, said = wanted(source), promised(source)
    mistakes = [
        f"{name}: CMake asks for {asked.get(name, 'no such package')}, README says {said.get(name, 'nothing')}"
        for name in sorted(asked.keys() | said.keys())
        if asked.get(name) != said.get(name)
    ]
    version = json.loads((source / "CMakePresets.json").read_text())["cmakeMinimumRequired"]
    if f"{version['major']}.{version['minor']}" != asked["CMake"][0]:
        mistakes.append(f"CMakePresets.json asks for CMake {version}, CMakeLists.txt for {asked['CMake'][0]}")
    print("\n".join(mistakes) or f"{len(asked)} requirements agree")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
