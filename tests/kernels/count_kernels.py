# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Counts the kernels in an object: count_kernels.py <nm> <most> <object of one scan> <object of a scan on any engine>

A kernel is what one launch can run: a functor of ours with a policy, whose tag says which of the functor's phases.
Kokkos has a class template for such pairs, and without optimisation a compiler keeps the names of its members. Threads
of CPUs are launched by the library, which gets kernels by their addresses: range_kernel::of.
"""

import re
import subprocess
import sys

LAUNCH = re.compile(
    r"\b(?:Kokkos::Impl::Parallel(?:For|Reduce|Scan)|upsweep::internal::range_kernel::of)<(?=upsweep::)"
)
# Each has kernels of its own; automatic, pipelined and cache_tiles may be one of the others or of each other.
KERNELS = {
    "sequential": r"::sequential_kernel<",
    "scan_then_propagate": r"::scan_then_propagate_kernel<",
    "reduce_then_scan": r"::reduce_then_scan_kernel<",
    "two_level": r"::two_level_kernel<",
    # One kernel, with a fallback for stalled tiles or without; GPUs have another one for look_back.
    "chained": r"::look_back_kernel<.*, (false|\(bool\)0)>, Kokkos::TeamPolicy<",
    "look_back": r"::(look_back|one_pass)_kernel<.*, (true|\(bool\)1)>, Kokkos::TeamPolicy<",
}


def arguments(text, start):
    """What stands between the bracket before `start` and the one that closes it."""
    depth = 1
    for at in range(start, len(text)):
        # No arrow and no comparison of a function's name.
        if text[at] == "<":
            depth += 1
        elif text[at] == ">" and text[at - 1] != "-":
            depth -= 1
            if depth == 0:
                return text[start:at]
    return None


def kernels_in(symbols):
    """The different arguments of launches."""
    found = set()
    for line in symbols.splitlines():
        for launch in LAUNCH.finditer(line):
            if kernel := arguments(line, launch.end()):
                found.add(kernel)
    return found


def symbols_of(nm, path):
    return subprocess.run([nm, "-C", path], check=True, capture_output=True, text=True).stdout


def check_the_check():
    """A pattern that matches nothing would count no kernels."""
    policy = "Kokkos::TeamPolicy<Kokkos::OpenMP, upsweep::k<int>::{}>"
    member = "00 W Kokkos::Impl::ParallelFor<upsweep::k<int>, {}, Kokkos::OpenMP>::execute() const\n"
    phases = member.format(policy.format("reduce")) + member.format(policy.format("scan"))
    of_kokkos = "Kokkos::Impl::ParallelFor<Kokkos::Impl::Fill<upsweep::k<int> >, Kokkos::RangePolicy<> >"
    other = f"00 W {of_kokkos}::execute() const\n"
    by_address = "00 u upsweep::internal::range_kernel::of<upsweep::a, upsweep::k<int> >(upsweep::a const&)\n"
    name = "00 u Kokkos::Impl::TypeInfo<upsweep::k<int> >::name\n"
    wrong = []
    twice = phases + phases.replace("execute", "run")
    for text, expected in [(phases, 2), (twice, 2), (other, 0), (name, 0), (by_address, 1)]:
        if len(kernels_in(text)) != expected:
            wrong.append(f"{len(kernels_in(text))} kernels, not {expected}, are found in\n{text}")
    return wrong


def main():
    nm, most, one_scan, any_engine = sys.argv[1:]
    wrong = check_the_check()
    of_one, of_all = (kernels_in(symbols_of(nm, path)) for path in (one_scan, any_engine))
    for engine, pattern in KERNELS.items():
        if not any(re.search(pattern, kernel) for kernel in of_all):
            wrong.append(f"no kernel of {engine} is found in {any_engine}")
    if not 1 <= len(of_one) <= int(most):
        wrong.append(f"one scan has {len(of_one)} kernels, expected 1 to {most}:\n  " + "\n  ".join(sorted(of_one)))
    for line in wrong:
        print(line)
    print(f"{len(of_one)} kernels in one scan, {len(of_all)} where the engine is chosen at run time")
    return 1 if wrong else 0


sys.exit(main())
