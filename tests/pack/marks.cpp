// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Both ways of moving marked elements, one element per thread and one group per thread, on any backend.

#include "moving.hpp"

#include <upsweep/pack/detail/moving/marks.hpp>

#include <gtest/gtest.h>

namespace {

template <int Parts>
struct part_by_key {
  Kokkos::View<int*, oracle::memory> keys;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return keys(i) % Parts; }
};

/// Records what it is given.
template <bool FirstOnly>
struct recording_sink {
  static constexpr bool first_only = FirstOnly;
  Kokkos::View<std::int64_t*, oracle::memory> parts, places;
  Kokkos::View<int*, oracle::memory> calls;  // of finish in the last entry
  KOKKOS_FUNCTION void operator()(std::size_t i, int part, std::uint64_t place) const {
    parts(i) = part;
    places(i) = static_cast<std::int64_t>(place);
    Kokkos::atomic_inc(&calls(i));
  }
  template <class Marks>
  KOKKOS_FUNCTION void finish(Marks const&) const {
    Kokkos::atomic_inc(&calls(calls.extent(0) - 1));
  }
};

template <int Parts, bool FirstOnly, bool ElementPerThread>
void check(std::size_t n) {
  constexpr bool moves_words = !ElementPerThread && !upsweep::compat::is_gpu<oracle::space>;
  if (!ElementPerThread && !moves_words) return;  // only CPUs do
  oracle::space const space;
  auto const keys = oracle::random_values<int>(n, 0, 1000, unsigned(n));
  std::vector<std::int64_t> parts(n, -1), places(n, -1), seen(Parts, 0);
  std::vector<int> calls(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    auto const part = std::size_t(keys[i] % Parts);
    auto const place = seen[part]++;
    if (FirstOnly && part != 0) continue;
    parts[i] = std::int64_t(part);
    places[i] = place;
    calls[i] = 1;
  }
  calls[n] = 1;

  upsweep::workspace ws(space);
  upsweep::pack::detail::marks_memory<oracle::space, Parts> const held(space, ws, n);
  upsweep::pack::detail::make_marks(space, part_by_key<Parts>{oracle::to_device(keys)}, held.marks, ws,
                                    upsweep::call_options{}, "test");
  recording_sink<FirstOnly> const sink{oracle::to_device(std::vector<std::int64_t>(n, -1)),
                                       oracle::to_device(std::vector<std::int64_t>(n, -1)),
                                       Kokkos::View<int*, oracle::memory>("calls", n + 1)};
  auto const move = [&](auto const& kernel) {
    Kokkos::parallel_for("test::move", upsweep::internal::index_policy(space, kernel.threads()), kernel);
  };
  if constexpr (ElementPerThread)
    move(upsweep::pack::detail::move_elements<Parts, recording_sink<FirstOnly>>{sink, held.marks});
  else if constexpr (moves_words)
    move(upsweep::pack::detail::move_groups<Parts, recording_sink<FirstOnly>>{sink, held.marks});
  space.fence();
  ASSERT_EQ(oracle::to_host(sink.parts), parts) << n;
  ASSERT_EQ(oracle::to_host(sink.places), places) << n;
  ASSERT_EQ(oracle::to_host(sink.calls), calls) << n;
}

TEST(marks, every_element_is_given_its_part_and_place) {
  for (std::size_t n : {0u, 1u, 2u, 63u, 64u, 65u, 127u, 128u, 129u, 5000u, 100003u}) {
    check<2, true, true>(n);
    check<2, true, false>(n);
    check<2, false, true>(n);
    check<2, false, false>(n);
    check<3, false, true>(n);
    check<3, false, false>(n);
  }
}

}  // namespace
