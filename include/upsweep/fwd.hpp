// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Forward declarations for headers that only name the library's types.

#include <concepts>

namespace upsweep {

namespace engine {
struct automatic;
}

class workspace;
class image;
template <class Engine> struct basic_scan_options;
using scan_options = basic_scan_options<engine::automatic>;
struct pack_options;
struct sort_options;
struct neighbor_options;
struct neighbor_plan;
struct sliced_options;
struct sliced_plan;

template <class T> class emitter;
template <class T, class MemorySpace> struct lists;
template <class T, class MemorySpace> struct list_plan;
template <std::floating_point Real> class box;
template <class ExecutionSpace, std::floating_point Real> class cell_grid;
template <class ExecutionSpace, std::floating_point Real> class neighbor_list;
template <class Offset, class Index> struct neighbor_rows;
template <class Index, int SliceRows> struct sliced_rows;
template <class ExecutionSpace, class Index, int SliceRows> class sliced_list;

namespace mpi {
class communicator;
}

}  // namespace upsweep
