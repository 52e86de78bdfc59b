// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// For programs whose neighbour lists the library has not compiled: those on another execution space than Kokkos'
// default one, as in `neighbor_list<Kokkos::Serial, double>` beside OpenMP. A file that includes this one compiles the
// lists that it uses: 22 s of a core for doubles (an AMD EPYC, g++ 16 -O2, 2026-11-27). for_each_pair likewise.

#include <upsweep/neighbors/batched_neighbor_list.hpp>
#include <upsweep/neighbors/detail/builders/list_steps.hpp>
#include <upsweep/neighbors/detail/builders/pair_steps.hpp>
#include <upsweep/neighbors/for_each_pair.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
