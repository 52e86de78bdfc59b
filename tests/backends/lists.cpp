// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Packing by every strategy, and lists in pieces.

#include "gate.hpp"

#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/pack_options.hpp>
#include <upsweep/scan/internal/tile_prefixes.hpp>

namespace gate {

struct pair_record {
  double weight;
  std::int32_t item;
};

/// Captures Views.
struct emit_pairs {
  view<double const> weights;
  view<int const> lengths;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<pair_record> const& emit) const {
    if (lengths(i) < 0) return emit.fail(3);
    if (emit.counts_only()) return emit.add(static_cast<std::size_t>(lengths(i)));
    for (int k = 0; k < lengths(i); ++k) emit(pair_record{weights(i), k});
  }
};

void strategies(view<double const> const& weights, view<int const> const& lengths) {
  space const s;
  upsweep::pack_lists<pair_record>(s, 10, emit_pairs{weights, lengths},
                                   {.strategy = upsweep::pack_strategy::fused, .row_bound = 9});
  upsweep::pack_lists<char>(s, 10, KOKKOS_LAMBDA(std::size_t, upsweep::emitter<char> const& emit) { emit('a'); },
                            {.strategy = upsweep::pack_strategy::two_pass, .memory_budget = 1000});
}

std::size_t pieces(view<double const> const& weights, view<int const> const& lengths, view<pair_record> const& piece) {
  space const s;
  emit_pairs const functor{weights, lengths};
  auto const plan = upsweep::count_lists<pair_record>(s, 10, functor);
  upsweep::emit_lists_into(s, plan, piece, functor);
  return upsweep::emit_lists_into(s, plan, 2, plan.rows_within(s, 4096, 2), piece, functor);
}

std::size_t again(view<double const> const& weights, view<int const> const& lengths, view<std::size_t> const& offsets,
                  view<pair_record> const& values, upsweep::list_plan<pair_record, space::memory_space>& plan) {
  space const s;
  emit_pairs const functor{weights, lengths};
  upsweep::count_lists_into(s, 10, plan, functor);
  return upsweep::pack_lists_into(s, 10, offsets, values, functor) +
         upsweep::pack_lists_into(s, 10, offsets, values, functor, {.strategy = upsweep::pack_strategy::fused});
}

}  // namespace gate
