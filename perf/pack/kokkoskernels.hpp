// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Rows sorted and merged by Kokkos Kernels, which overwrites the table and allocates the result. For mesh_graph it is
// given the table that the mesh's elements make; that is not timed.

#include "implementation.hpp"

#include <KokkosSparse_SortCrs.hpp>
#include <cstddef>
#include <memory>
#include <vector>

namespace perf::pack {

template <class T>
std::vector<implementation<T>> packs<T>::by_kokkoskernels() {
  if constexpr (!has_all_operations<T>) {
    return {};
  } else {
    return {{"kokkoskernels",
             {operation::sort_and_unique_rows, operation::sort_and_unique_short_rows, operation::mesh_graph},
             [](problem<T> const& p) -> prepared {
               struct graph {
                 array<T> table, entries;
                 array<std::size_t> row_map;
               };
               auto const g = std::make_shared<graph>();
               g->table = array<T>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::table"), p.n());
               return {[=] {
                         g->row_map = {};
                         g->entries = {};
                         KokkosSparse::sort_and_merge_graph(p.instance,
                                                            Kokkos::View<std::size_t const*, memory>(p.starts),
                                                            g->table, g->row_map, g->entries);
                       },
                       [=] { Kokkos::deep_copy(p.instance, g->table, p.in); }, order::stable,
                       [=] { bring_rows(p, g->row_map, g->entries); }};
             }}};
  }
}

}  // namespace perf::pack
