// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Elements that are moved within the input.

#include "operations.hpp"
#include "selection_case.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/unique.hpp>

#include <algorithm>

namespace differential {
namespace {

struct same_key {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const {
    return moving::key_of(a) == moving::key_of(b);
  }
};

/// A call that gives its count, or puts it on the device where count... is a View of it.
template <class Call>
std::uint64_t counted(trial& t, Call const& call) {
  bool const to_host = t.one_in(2);
  t.note("to_host", to_host);
  if (to_host) return call();
  auto const count = device_count();
  call(count);
  t.space().fence();
  return oracle::value_of(count);
}

template <class T>
void compact_in_place(trial& t) {
  keyed_case<T> const c(t);
  bool const strided = c.way == 0;
  auto const expected = c.chosen_values();
  auto data = array_maker{t, strided}(c.values);
  auto const found = counted(t, [&](auto const&... count) {
    if (strided) return upsweep::compact_in_place(t.space(), data.strided(), count..., c.chosen, c.options);
    return upsweep::compact_in_place(t.space(), data.contiguous(), count..., c.chosen, c.options);
  });
  t.expect_equal(found, static_cast<std::uint64_t>(expected.size()), "the count");
  data.expect(expected, "the chosen elements");
}

template <class T>
void unique_in_place(trial& t) {
  // Few keys: runs of two and more.
  auto const values =
      moving::values<T>(t.size(std::size_t(1) << 20), 0, t.between(0, 3), static_cast<unsigned>(t.random()()));
  auto const options = t.default_options();
  std::vector<T> expected;
  std::unique_copy(values.begin(), values.end(), std::back_inserter(expected), same_key{});
  auto data = array_maker{t, false}(values);
  auto const found = counted(t, [&](auto const&... count) {
    return upsweep::unique_in_place(t.space(), data.contiguous(), count..., same_key{}, options);
  });
  t.expect_equal(found, static_cast<std::uint64_t>(expected.size()), "the count");
  data.expect(expected, "the first elements of runs");
}

template <class T>
void partition_in_place(trial& t) {
  keyed_case<T> const c(t);
  bool const strided = c.way == 0;
  auto expected = c.values;
  auto const middle = std::stable_partition(expected.begin(), expected.end(), c.chosen);
  auto data = array_maker{t, strided}(c.values);
  auto const counts = strided ? upsweep::partition_in_place(t.space(), data.strided(), c.chosen, c.options)
                              : upsweep::partition_in_place(t.space(), data.contiguous(), c.chosen, c.options);
  t.expect_equal(counts[0], static_cast<std::uint64_t>(middle - expected.begin()), "the first count");
  t.expect_equal(counts[1], static_cast<std::uint64_t>(expected.end() - middle), "the second count");
  data.expect(expected, "the parts");
}

}  // namespace

std::vector<operation> in_place() {
  return {{"compact_in_place_int8", compact_in_place<std::int8_t>},
          {"compact_in_place_16_bytes", compact_in_place<moving::tagged>},
          {"unique_in_place_int32", unique_in_place<int>},
          {"unique_in_place_16_bytes", unique_in_place<moving::tagged>},
          {"partition_in_place_int32", partition_in_place<int>},
          {"partition_in_place_16_bytes", partition_in_place<moving::tagged>}};
}

}  // namespace differential
