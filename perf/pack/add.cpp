// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../names.hpp"
#include "choice.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace perf::pack {
namespace {

using types = type_list<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;

template <class T>
void add_type(pack_selection const& selection) {
  if (!chosen(selection.types, type_name<T>())) return;
  // Lists: an input, 3.5 records an item, and 8 bytes of offsets twice. Sorts: input and twice the size of the pairs.
  std::size_t const each = sorted_type<T> ? 7 * sizeof(T) : 5 * sizeof(T) + 20;
  std::size_t const most = free_memory() / 11 * 10 / each;
  std::vector<std::size_t> fitting;
  for (std::size_t n :
       selection.sizes.empty() ? parse_sizes(on_host ? "2^16..2^24*16" : "2^16..2^28*16,2^28") : selection.sizes)
    // Histograms count with 32 bits, and values of pairs are numbers of 32 bits.
    if (n < most && (n >> 31) == 0) fitting.push_back(n);
    else fmt::print(stderr, "upsweep-perf: packing {} elements of {} does not fit; left out\n", n, type_name<T>());
  add_packs_of<T>(selection, fitting);
}

}  // namespace

std::vector<std::string> pack_types() { return types::names(); }

std::vector<std::string> pack_impls() {
  std::vector<std::string> names;
  for (auto const& impl : all_implementations<std::int32_t>()) names.push_back(impl.name);
  return names;
}

std::vector<std::string> pack_operations() {
  std::vector<std::string> names;
  for (auto const op : timed_operations) names.push_back(name_of(op));
  return names;
}

void add_packs(pack_selection const& selection) {
  types::for_each([&]<class T>() { add_type<T>(selection); });
}

}  // namespace perf::pack
