# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""What commands of pages may name: programs and their options, commands of ./dev, presets, targets and variables."""

import json
import re
import shlex
import shutil
import subprocess

# Commands of other people, with the options that pages use.
CMAKE = {
    "--preset": {"--preset", "-D"},
    "--build": {"--build", "--parallel", "--target"},
    "--install": {"--install", "--prefix"},
    "-S": {"-S", "-B", "-G", "-D"},
}
CTEST = {"--test-dir", "-LE", "-L", "-R"}
# Modules have other names at each site, as the page says.
NOT_LOOKED_AT = {"module"}
# Sources that have the options of what measures, and of programs which are built for long tests only.
SOURCES = {
    "upsweep-perf": "perf/options.cpp",
    "upsweep-autotune": "perf/autotune",
    "upsweep-perf-mpi": "perf/mpi",
    "perf/tables": "perf/tables",
}
RUN = ("python3", "tools/", "perf/")
INLINE = re.compile(r"`(?:[A-Z_]+=\S+ )*(?:mpiexec -n \w+ )?(upsweep-[a-z-]+) ([^`]*)`")


def option_names(words):
    return {word.split("=")[0] for word in words if re.match(r"--?[A-Za-z]", word)}


class Known:
    def __init__(self, source, build):
        self.source, self.build = source, build
        self.options_of = {}
        self.configured = {"dev"}  # folders below build/ that commands of the page have made
        self.presets = {
            preset["name"] for preset in json.loads((source / "CMakePresets.json").read_text())["configurePresets"]
        }
        self.variables = {"Upsweep_ROOT"} | set(
            re.findall(r"^(?:option|set)\((Upsweep_\w+)", (source / "CMakeLists.txt").read_text(), re.MULTILINE)
        )
        self.usage = subprocess.run([source / "dev", "--help"], capture_output=True, text=True, check=True).stdout
        rules = "".join((build / name).read_text() for name in ("build.ninja", "Makefile") if (build / name).exists())
        self.targets = {*SOURCES, *re.findall(r"^(?:build )?(?:\S*/)?([\w-]+):", rules, re.MULTILINE)}

    def options(self, program):
        """The options of a program of ours; None: there is no such program."""
        if program not in self.options_of:
            self.options_of[program] = self.read_options(program)
        return self.options_of[program]

    def read_options(self, program):
        if program in SOURCES:
            place = self.source / SOURCES[program]
            files = sorted(place.rglob("*.cpp")) if place.is_dir() else [place]
            text = "".join(file.read_text() for file in files)
            return {"--help", "--version", *re.findall(r'"(--[a-z][a-z-]+)"', text)}
        if not (self.build / "bin" / program).exists():
            return None
        help_text = subprocess.run([self.build / "bin" / program, "--help"], capture_output=True, text=True).stdout
        return set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", help_text))

    def check_options(self, program, words):
        options = self.options(program)
        if options is None:
            return [] if (self.source / "apps" / program.removeprefix("upsweep-")).is_dir() else [
                f"there is no program {program}"
            ]
        return [f"{program} has no option {name}" for name in sorted(option_names(words) - options)]

    def check_text(self, where, text):
        """Options of our programs, and variables of CMake, within sentences."""
        wrong = [f"{where}: there is no {name}" for name in sorted(
            set(re.findall(r"-D(Upsweep_\w+)", text)) - self.variables)]
        for program, options in INLINE.findall(text):
            wrong += [f"{where}: {what}" for what in self.check_options(program, options.split())]
        return wrong

    @staticmethod
    def runs(command):
        """Whether a command is run, and not only looked at."""
        if command.language == "python":
            return True
        words = [word for word in command.text.split() if not re.match(r"[A-Z_]+=", word)]
        if words[:2] in (["./dev", "run"], ["./dev", "mpirun"]):
            words = words[words.index("--") + 1 :]
        return words[0] not in SOURCES and words[0].startswith(("upsweep-", *RUN))

    def check(self, command):
        words = shlex.split(command.text)
        while re.match(r"[A-Z_]+=", words[0]):
            words = words[1:]
        if words[:2] == ["mpiexec", "-n"]:
            words = words[3:]
        first, rest = words[0], words[1:]
        if first in NOT_LOOKED_AT:
            return []
        if first == "./dev":
            return self.check_dev(rest)
        if first == "cmake":
            return self.check_cmake(rest)
        if first == "ctest":
            return self.check_words("ctest", rest, CTEST) + self.check_folder(rest[rest.index("--test-dir") + 1])
        if first in SOURCES:
            return self.check_options(first, rest)
        if built := re.fullmatch(r"(build/[\w-]+)/bin/(upsweep-[\w-]+)", first):
            return self.check_folder(built[1]) + self.check_options(built[2], rest)
        if example := re.fullmatch(r"(build/examples)/(\w+)", first):
            there = (self.source / "examples" / f"{example[2]}.cpp").exists()
            return self.check_folder(example[1]) + ([] if there else [f"there is no example {example[2]}"])
        return [f"'{first}' is a command that nobody looks at"]

    @staticmethod
    def check_words(what, words, allowed):
        names = {"-D" if name.startswith("-D") else name for name in option_names(words)}
        return [f"{what} with {name} is not looked at" for name in sorted(names - allowed)]

    def check_dev(self, words):
        usage = re.search(rf"^  {re.escape(words[0])}\b.*$", self.usage, re.MULTILINE)
        if not usage:
            return [f"./dev has no command {words[0]}"]
        if words[0] == "bench":
            return self.check_options("upsweep-perf", words[1:])
        if words[0] == "tables":
            return self.check_options("perf/tables", words[1:])
        if words[0] == "build":
            return [f"there is no target {name}" for name in words[1:] if name not in self.targets]
        # Words and options have to be in the line of ./dev --help.
        return [f"./dev {words[0]} has no {word}" for word in words[1:] if word not in re.findall(r"[\w-]+", usage[0])]

    def check_folder(self, folder):
        """build/<name>, which a preset makes, or a command above has made."""
        name = folder.removeprefix("build/")
        return [] if name in self.presets | self.configured else [f"nothing configures {folder}"]

    def check_cmake(self, words):
        kind = words[0].split("=")[0]
        if kind not in CMAKE:
            return [f"cmake {kind} is not looked at"]
        wrong = self.check_words(f"cmake {kind}", words, CMAKE[kind])
        if kind == "--preset":
            wrong += [] if words[1] in self.presets else [f"there is no preset {words[1]}"]
        elif kind == "-S":
            there = (self.source / words[1] / "CMakeLists.txt").exists()
            wrong += [] if there else [f"nothing to configure in {words[1]}"]
            # CMake's own choice is make, and the environment of ./dev has none.
            if not shutil.which("make") and "-G" not in words:
                wrong.append("there is no make here: cmake -S needs -G")
            self.configured.add(words[words.index("-B") + 1].removeprefix("build/"))
        else:
            wrong += self.check_folder(words[1])
        if "--target" in words:
            target = words[words.index("--target") + 1]
            wrong += [] if target in self.targets else [f"there is no target {target}"]
        return wrong
