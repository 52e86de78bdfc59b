// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Calls that keep arrays of their own beside the temporary memory of a scan are right whatever engine a tuning header
// makes `automatic`: the scan does not write over them.

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/pack/reduce_by_key.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <type_traits>
#include <vector>

namespace {

using space = Kokkos::DefaultExecutionSpace;

using constants = upsweep::engine::tuning<space>;
using own_constants = upsweep::engine::default_tuning<space>;
static_assert(std::is_same_v<constants::automatic, upsweep::engine::two_level> &&
                  constants::max_blocks > own_constants::max_blocks,
              "no tuning header");

int wrong = 0;

template <class T>
void expect(Kokkos::View<T*, space> const& found, std::vector<T> const& expected, char const* what) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  if (std::equal(expected.begin(), expected.end(), host.data())) return;
  ++wrong;
  std::fprintf(stderr, "%s with %zu elements is wrong\n", what, expected.size());
}

template <class T>
Kokkos::View<T*, space> to_device(std::vector<T> const& values) {
  Kokkos::View<T*, space> const device("device", values.size());
  Kokkos::deep_copy(device,
                    Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()));
  return device;
}

struct is_even {
  KOKKOS_FUNCTION bool operator()(std::uint32_t key) const { return key % 2 == 0; }
};

void check(std::size_t n) {
  space const instance;
  upsweep::workspace ws(instance);
  std::vector<std::uint32_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>(i * 2654435761u);

  // The sort of GPUs that are not CUDA's, which scans its counts.
  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  auto const sorted = to_device(keys);
  upsweep::pack::detail::team_sort<space, std::uint32_t, upsweep::pack::detail::no_value>::run(
      instance, {sorted.data(), nullptr}, n, {0}, upsweep::pack::detail::digit_plan::of(0, 32), ws, "sort", "");
  instance.fence();
  expect(sorted, expected, "sort");

  // Rows of 3 items.
  std::vector<std::uint32_t> offsets, rows(n), places(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 3 == 0) offsets.push_back(static_cast<std::uint32_t>(i));
    rows[i] = static_cast<std::uint32_t>(i / 3);
    places[i] = static_cast<std::uint32_t>(i % 3 + 1);
  }
  offsets.push_back(static_cast<std::uint32_t>(n));
  auto const device_offsets = to_device(offsets);
  Kokkos::View<std::uint32_t*, space> const out("out", n);
  upsweep::load_balance(instance, device_offsets, out, {.workspace = &ws});
  instance.fence();
  expect(out, rows, "load_balance");
  auto const ones = to_device(std::vector<std::uint32_t>(n, 1));
  upsweep::segmented_inclusive_scan(instance, ones, upsweep::segment_offsets(device_offsets), out, upsweep::plus<>{},
                                    {.workspace = &ws});
  instance.fence();
  expect(out, places, "segmented_inclusive_scan");

  std::vector<std::uint32_t> numbers, lengths;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    numbers.push_back(static_cast<std::uint32_t>(row));
    lengths.push_back(offsets[row + 1] - offsets[row]);
  }
  auto const device_rows = to_device(rows);
  Kokkos::View<std::uint32_t*, space> const firsts("firsts", n), sizes("sizes", n);
  upsweep::run_length(instance, device_rows, firsts, sizes, upsweep::equal_keys{}, {.workspace = &ws});
  expect(firsts, numbers, "run_length");
  expect(sizes, lengths, "run_length");
  Kokkos::deep_copy(sizes, 0u);
  upsweep::reduce_by_key(instance, device_rows, ones, firsts, sizes, upsweep::plus<>{}, upsweep::equal_keys{},
                         {.workspace = &ws});
  expect(firsts, numbers, "reduce_by_key");
  expect(sizes, lengths, "reduce_by_key");

  std::vector<std::uint32_t> even;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(even), is_even{});
  upsweep::compact(instance, to_device(keys), out, is_even{}, {.workspace = &ws});
  instance.fence();
  expect(out, even, "compact");
  ws.check(instance);
}

}  // namespace

int main() {
  Kokkos::ScopeGuard const guard;
  // Else a call that takes too little would not be seen.
  using engine = upsweep::scan::detail::two_level_engine;
  std::size_t const bytes = engine::bytes<space, std::uint32_t>(100003),
                    own = engine::bytes<space, std::uint32_t, own_constants>(100003);
  if (bytes < 3 * own) {
    ++wrong;
    std::fprintf(stderr, "a scan takes %zu bytes, with the library's constants %zu\n", bytes, own);
  }
  for (std::size_t n : {2, 1000, 100003}) check(n);
  return wrong == 0 ? 0 : 1;
}
