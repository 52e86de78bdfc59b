# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""The tables of perf/results: which programs measure them, what those have to be built with, and in which parts."""

from typing import NamedTuple

TYPES = "int32 int64 float double int8 int16 int64x2 matrix2x2".split()
WORKLOADS = (
    "uniform uniform_sorted uniform_open uniform_open_sorted fcc_jittered fcc_jittered_sorted plummer plummer_sorted "
    "crystals molecules"
).split()
# What upsweep-perf is called with for all parts: minutes lie between two measurements of a row.
ROUNDS = 3
# Copies within caches and from memory. Where these spread, nothing else is worth measuring.
QUIET = "--benchmarks scan --types int64 --impls copy --filter /copy/copy/ --sizes 2^14,2^20,2^24 --rounds 5".split()


class Build(NamedTuple):
    name: str
    program: str  # where it lies if --program does not say so
    machine: str  # the column of the tables; {} is what the program says of itself
    facts: dict  # what the program says: {name: one of these words}
    peers: list  # implementations that it must have
    how: str


class Part(NamedTuple):
    build: str
    table: str
    name: str
    options: tuple

    @property
    def file(self):
        return f"{self.build}-{self.table}-{self.name}.csv"


# How to get what a build lacks.
HOW = {
    "backend": "build it with a Kokkos of that backend",
    "architecture": "build it with a Kokkos that is configured for that one alone",
    "cub": "get CCCL of that version, put its folders cub, thrust and libcudacxx/include before the toolkit's by -I in "
    "CXXFLAGS, and build again",
    "tbb": "install TBB with its files for CMake (Debian: libtbb-dev), configure and build again",
    "cabana": "install Cabana, built with the same Kokkos, add its folder to CMAKE_PREFIX_PATH, configure and build",
    "arborx": "install ArborX 2.0 or newer, built with the same Kokkos, add its folder to CMAKE_PREFIX_PATH, configure "
    "and build",
}


def cuda_build(architecture, folder, machine, kokkos):
    return Build(
        name=f"cuda-{architecture}",
        program=f"{folder}/bin/upsweep-perf",
        machine=machine,
        facts={"backend": ["Cuda"], "architecture": [architecture], "cub": ["3.6.0"]},
        peers=["cabana", "arborx"],
        how=f"with a Kokkos of -D{kokkos}=ON: cmake --preset cuda -B {folder}, then "
        f"cmake --build {folder} --target upsweep-perf",
    )


def parts(build, scanned, packed, listed):
    """Of one build, by types."""
    found = [Part(build, "scan", type, ("--types", type)) for type in scanned]
    found += [Part(build, "pack", type, ("--types", type)) for type in packed]
    for type in listed:
        for workload in WORKLOADS:
            found.append(Part(build, "neighbors", f"{type}-{workload}", ("--types", type, "--workloads", workload)))
    return found


def by_sizes(parts, sizes):
    """The parts of some tables in several: {table: {name: sizes}}."""
    for part in parts:
        for name, words in sizes.get(part.table, {}).items():
            yield part._replace(name=f"{part.name}-{name}", options=(*part.options, "--sizes", words))
        if part.table not in sizes:
            yield part


PACKED = ["int32", "int64", "uint32", "uint64"]  # unsigned ones are sorted
REALS = ["float", "double"]
BUILDS = {
    "cpu": [
        Build(
            name="cpu",
            program="build/dev/bin/upsweep-perf",
            machine="{machine} {threads} threads",
            facts={"backend": ["OpenMP", "Threads", "Serial"]},
            peers=["tbb"],
            how="./dev build upsweep-perf",
        )
    ],
    # Through the engines of Hopper, and through those of all others, which the driver compiles for the card from PTX.
    "cuda": [
        cuda_build("9.0", "build/cuda", "{machine}", "Kokkos_ARCH_HOPPER90"),
        cuda_build("8.0", "build/cuda80", "{machine} built for 8.0", "Kokkos_ARCH_AMPERE80"),
    ],
}
# Two cores take minutes for what a GPU does in seconds.
CPU_SIZES = {
    "scan": {"small": "2^10..2^22", "large": "2^24..2^26"},
    "pack": {"small": "2^16..2^20*16", "large": "2^24"},
}
PARTS = {
    "cpu": list(by_sizes(parts("cpu", TYPES, PACKED, REALS), CPU_SIZES)),
    "cuda": parts("cuda-9.0", TYPES, PACKED, REALS) + parts("cuda-8.0", TYPES[:4], PACKED, []),
}
