# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Results that no machine measured, in the format of upsweep-perf."""

import random

COLUMNS = "date,git,machine,backend,impl,operation,type,n,median_us,gb_per_s,fraction_of_copy"
# How many times as long as a copy each takes.
IMPLS = {"copy": 1.0, "upsweep": 1.25, "cub": 1.2, "kokkos": 3.0}
TYPES = {"int32": 4, "double": 8}
OPERATIONS = ["exclusive_scan", "inclusive_scan"]
SIZES = [2**10, 2**14, 2**18, 2**22, 2**26]


def results(seed=0, noise=0.0, slower=lambda impl, operation, type, n: 1.0, machine="made up"):
    """The text of a CSV; each time is `slower` times what it usually is, give or take the noise."""
    pick = random.Random(seed)
    lines = [COLUMNS]
    for type, size in TYPES.items():
        for n in SIZES:
            bytes = 2 * n * size
            copy = 0.0
            for impl, factor in IMPLS.items():
                for operation in ["copy"] if impl == "copy" else OPERATIONS:
                    seconds = (2e-6 + bytes / 4e12) * factor * slower(impl, operation, type, n)
                    seconds *= 1 + pick.uniform(-noise, noise)
                    copy = seconds if impl == "copy" else copy
                    lines.append(
                        f"2026-01-01,abc,{machine},Cuda,{impl},{operation},{type},{n},{seconds * 1e6:.3f},"
                        f"{bytes / seconds * 1e-9:.3f},{copy / seconds:.4f}"
                    )
    return "\n".join(lines) + "\n"


LIST_COLUMNS = "date,git,machine,backend,impl,workload,type,n,median_ms,pairs,pairs_per_s,bytes"
LIST_IMPLS = {"upsweep": 1.0, "upsweep_plain": 4.0, "copy": 0.1, "cabana": 8.0, "arborx": 9.0}
WORKLOADS = ["uniform", "plummer_sorted"]


def list_results(slower=lambda impl, workload, type, n: 1.0):
    """The same of neighbour lists, without noise."""
    lines = [LIST_COLUMNS]
    for type in ("float", "double"):
        for n in (32000, 256000, 1000000):
            for workload in WORKLOADS:
                for impl, factor in LIST_IMPLS.items():
                    seconds = n * 1e-7 * factor * slower(impl, workload, type, n)
                    lines.append(
                        f"2026-01-01,abc,made up,OpenMP,{impl},{workload},{type},{n},{seconds * 1e3:.4f},{76 * n},"
                        f"{76 * n / seconds:.4e},{400 * n}"
                    )
    return "\n".join(lines) + "\n"
