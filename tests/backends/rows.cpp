// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Rows sorted, each value once, of tables and of functors.

#include "gate.hpp"

#include <upsweep/pack/internal/sort_network.hpp>
#include <upsweep/pack/internal/warp_sort.hpp>
#include <upsweep/pack/pack_unique_rows.hpp>
#include <upsweep/pack/sort_and_unique_rows.hpp>

namespace gate {

/// Captures Views.
struct emit_nodes {
  view<int const> first, nodes;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    if (first(i) < 0) return emit.fail(3);
    for (int k = first(i); k < first(i + 1); ++k) emit(nodes(k));
  }
};

std::size_t tables(view<std::size_t const> const& offsets, view<int const> const& narrow,
                   view<std::int64_t> const& values, view<std::size_t> const& out_offsets,
                   view<std::int64_t> const& out) {
  space const s;
  upsweep::workspace ws(s);
  auto const found = upsweep::sort_and_unique_rows(s, narrow, values, {.workspace = &ws, .memory_budget = 1000000});
  return upsweep::sort_and_unique_rows(s, found).total() +
         upsweep::sort_and_unique_rows_into(s, offsets, values, out_offsets, out);
}

std::size_t functors(view<int const> const& first, view<int const> const& nodes, view<std::size_t> const& out_offsets,
                     view<int> const& out) {
  space const s;
  emit_nodes const functor{first, nodes};
  return upsweep::pack_unique_rows<int>(s, 10, functor).total() +
         upsweep::pack_unique_rows_into(s, 10, out_offsets, out, functor, {.label = "gate"});
}

}  // namespace gate
