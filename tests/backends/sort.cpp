// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Sorts of keys of every kind, with values of several sizes.

#include "gate.hpp"

#include <upsweep/pack/sort.hpp>
#include <upsweep/pack/sort_options.hpp>

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

}  // namespace gate
