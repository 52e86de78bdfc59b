// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Sorts of keys of every kind, with values of several sizes.

#include "gate.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/pack/internal/check_sort.hpp>
#include <upsweep/pack/internal/sort_copy.hpp>
#include <upsweep/pack/internal/key_order.hpp>
#include <upsweep/pack/permute.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/pack/sort_options.hpp>
#include <upsweep/pack/sort_permutation.hpp>

namespace gate {

struct payload {
  double weight;
  std::int32_t item;
};

void sorts(view<std::uint32_t> const& words, view<std::int8_t> const& bytes, view<double> const& doubles,
           strided_view<float> const& floats, view<payload> const& payloads, strided_view<std::int64_t> const& longs) {
  space const s;
  upsweep::workspace ws(s);
  upsweep::sort(s, words);
  upsweep::sort(
      s, bytes,
      {.workspace = &ws, .label = "gate", .order = upsweep::sort_order::descending, .first_bit = 1, .last_bit = 7});
  upsweep::sort(s, floats);
  upsweep::sort_by_key(s, doubles, payloads);
  upsweep::sort_by_key(s, floats, longs, {.workspace = &ws});
}

struct key_of_word {
  view<std::uint32_t const> words;
  KOKKOS_FUNCTION std::uint32_t operator()(std::size_t i) const { return words(i) / 7; }
};

/// Many Views by one key.
void permutations(view<std::uint32_t> const& words, strided_view<float> const& floats, view<int> const& order,
                  view<std::int64_t> const& long_order, Kokkos::View<double* [3], space> const& positions,
                  Kokkos::View<double* [3], space> const& others, strided_view<std::int64_t> const& longs,
                  view<payload> const& payloads) {
  space const s;
  upsweep::workspace ws(s);
  upsweep::sort_permutation(s, words, order);
  upsweep::sort_permutation(s, floats, long_order, {.workspace = &ws, .order = upsweep::sort_order::descending});
  upsweep::sort_permutation(s, 9, key_of_word{words}, order, {.workspace = &ws});
  upsweep::permute(s, order, positions, others, {.workspace = &ws});
  upsweep::permute_in_place(s, long_order, positions, {.workspace = &ws});
  upsweep::permute_in_place(s, order, longs);
  upsweep::permute_in_place(s, order, payloads);
}

/// As layers above sort, into other memory.
void sorts_elsewhere(view<float> const& keys, view<float> const& result, view<float> const& other,
                     view<payload> const& payloads, view<payload> const& to, view<payload> const& spare) {
  space const s;
  upsweep::workspace ws(s);
  upsweep::sort_options const options{.workspace = &ws};
  using pairs = upsweep::internal::sort_arrays<float, payload>;
  upsweep::internal::access::reserve(ws, s, upsweep::internal::sort_copy_bytes<float, payload>(s, 9, options));
  upsweep::internal::sort_copy(s, pairs{keys.data(), payloads.data()}, pairs{result.data(), to.data()},
                               pairs{other.data(), spare.data()}, 9, options, "sort_by_key");
}

/// Keys as layers above compare them.
struct less_than_first {
  view<double> keys;
  upsweep::internal::key_order<double> order{};
  view<bool> out;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { out(i) = order(keys(i)) < order(keys(0)); }
};
void key_orders(view<double> const& keys, view<bool> const& out) {
  Kokkos::parallel_for("gate::key_orders", Kokkos::RangePolicy<space>(space(), 0, 9), less_than_first{keys, {}, out});
}

}  // namespace gate
