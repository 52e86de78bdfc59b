// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/sort/sort_call.hpp>

#include <cstring>
#include <string>

namespace upsweep::mpi::detail {

key_range range_of_ranks(gathered_states const& all, int ranks, char const* function) {
  key_range whole;
  for (int r = 0; r < ranks; ++r) {
    key_range next;
    std::memcpy(&next, all.first + static_cast<std::size_t>(r) * all.stride, sizeof(next));
    if (whole.keys + next.keys < next.keys)
      throw overflow_error(std::string(function) + ": the keys of ranks 0 to " + std::to_string(r) +
                           " are more than 64 bits can count");
    whole.keys += next.keys;
    whole.in_all &= next.in_all;
    whole.in_any |= next.in_any;
  }
  return whole;
}

}  // namespace upsweep::mpi::detail
