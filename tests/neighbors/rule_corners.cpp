// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Cases in which a rule meets particles that are not there, are not neighbours, or are there twice.

#include "../oracle/points.hpp"
#include "host_list.hpp"
#include "lists.hpp"

#include <upsweep/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {

using upsweep::neighbor_builder;
using upsweep::row_order;

template <class Real>
oracle::cell_box<Real> cube(Real length, bool periodic) {
  oracle::cell_box<Real> box;
  for (int d = 0; d < 3; ++d) {
    box.lo[d] = 0;
    box.hi[d] = length;
    box.periodic[d] = periodic;
  }
  return box;
}

/// The list, which both builders make.
template <class Real>
oracle::host_list build_both(oracle::points<Real> const& x, oracle::cell_box<Real> const& box, Real cutoff,
                             oracle::pair_rules const& rules, row_order order = row_order::cells) {
  auto const plain = oracle::build_list(x, box, cutoff, rules, {neighbor_builder::plain, order});
  auto const fast = oracle::build_list(x, box, cutoff, rules, {neighbor_builder::automatic, order});
  EXPECT_TRUE(fast == plain);
  return fast;
}

#if defined(__linux__) && !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
/// n numbers, behind which no memory may be read.
class guarded {
 public:
  explicit guarded(std::size_t n) : bytes_((n * sizeof(std::size_t) + page - 1) / page * page) {
    memory_ = mmap(nullptr, bytes_ + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED || mprotect(static_cast<char*>(memory_) + bytes_, guard, PROT_NONE) != 0)
      throw std::runtime_error("no guarded memory");
    numbers_ = reinterpret_cast<std::size_t*>(static_cast<char*>(memory_) + bytes_) - n;
  }
  ~guarded() { munmap(memory_, bytes_ + guard); }
  guarded(guarded const&) = delete;
  guarded& operator=(guarded const&) = delete;
  std::size_t* data() const { return numbers_; }

 private:
  static constexpr std::size_t page = 1 << 16, guard = 1 << 26;
  std::size_t bytes_;
  void* memory_;
  std::size_t* numbers_;
};

TEST(rule_corners, offsets_of_exclusions_are_read_for_rows_alone) {
  std::size_t const n = 50000, rows = 1000;
  auto const x = oracle::to_positions(oracle::uniform_points(n, cube(25.0, false), 5));
  guarded const memory(rows + 1);
  std::iota(memory.data(), memory.data() + rows + 1, std::size_t(0));
  Kokkos::View<std::size_t const*, Kokkos::AnonymousSpace> const offsets(memory.data(), rows + 1);
  Kokkos::View<std::int64_t*, oracle::memory> const ids("ids", rows);
  for (std::size_t i = 0; i < rows; ++i) ids(i) = static_cast<std::int64_t>(i ^ 1);
  upsweep::neighbor_options const options{.rows = rows, .exclusions = {.offsets = offsets, .ids = ids}};
  upsweep::neighbor_list const list(oracle::space{}, x, oracle::to_box(cube(25.0, false)), 1.5, options);
  EXPECT_GT(list.pairs(), 10000u);
}
#endif

#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
/// Leaves large numbers where later calls have arrays that they do not initialise.
struct fill_stack {
  void operator()(int i, int& sum) const {
    constexpr int size = 100000;
    int volatile numbers[size];
    for (int k = 0; k < size; ++k) numbers[k] = 0x7f7f7f7f;
    sum += numbers[i];
  }
};
#endif

TEST(rule_corners, queries_without_points_nearby_in_sorted_rows) {
  auto const box = cube(2000.0, true);
  auto x = oracle::uniform_points(2000, cube(100.0, false), 6);
  for (std::size_t i = 1000; i < x.size(); ++i) x[i][0] += 900;
  oracle::pair_rules rules;
  rules.queries = 1000;
#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
  int sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<oracle::space>(0, 64), fill_stack{}, sum);
#endif
  EXPECT_EQ(build_both(x, box, 2.0, rules, row_order::sorted).pairs, 0u);
  rules.queries = 2000;  // no points at all
  EXPECT_EQ(build_both(x, box, 2.0, rules, row_order::sorted).pairs, 0u);
}

TEST(rule_corners, equal_ids_are_sorted_by_index) {
  oracle::pair_rules rules;
  rules.ids = {1, 7, 7};
  auto const list =
      build_both<double>({{5, 5, 5}, {6.9, 5, 5}, {3.1, 5, 5}}, cube(10.0, true), 2, rules, row_order::sorted);
  ASSERT_EQ(list.rows[0].size(), 2u);
  EXPECT_EQ(std::get<0>(list.rows[0][0]), 1);
}

/// A caller's image in an open direction of a particle that has a row.
TEST(rule_corners, own_ghosts_in_half_lists) {
  oracle::pair_rules rules;
  rules.half = true;
  rules.rows = 1;
  rules.ids = {3, 3, 3};
  rules.images = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}};
  EXPECT_EQ(build_both<double>({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, cube(2.0, false), 2.5, rules).pairs, 1u);
}

// Symmetric, with other cutoffs for pairs of one type. In the last neither stride is 1.
TEST(type_cutoffs, of_any_layout) {
  oracle::space const space;
  auto const x = oracle::to_positions(oracle::uniform_points(300, cube(6.0, true), 5));
  auto const box = oracle::to_box(cube(6.0, true));
  std::vector<int> of_particles(300);
  for (std::size_t i = 0; i < 300; ++i) of_particles[i] = static_cast<int>(i % 3);
  auto const types = oracle::to_device(of_particles);
  auto const hash_with = [&](auto const& table) {
    oracle::host_copy const host(table);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) host(a, b) = 1 + 0.125 * (a + b) - 0.5 * (a == b);
    host.write();
    upsweep::neighbor_list const list(space, x, box, 1.5, {.types = types, .type_cutoffs = table, .pair_images = true});
    return std::pair(list.hash(), list.pairs());
  };
  using Kokkos::LayoutLeft, Kokkos::LayoutRight;
  auto const expected = hash_with(Kokkos::View<double**, LayoutRight, oracle::memory>("right", 3, 3));
  EXPECT_GT(expected.second, 0u);
  EXPECT_EQ(hash_with(Kokkos::View<double**, LayoutLeft, oracle::memory>("left", 3, 3)), expected);
  EXPECT_EQ(hash_with(Kokkos::View<double[3][3], oracle::memory>("default")), expected);
  EXPECT_EQ(hash_with(Kokkos::View<double**, Kokkos::LayoutStride, oracle::memory>("strided",
                                                                                   Kokkos::LayoutStride(3, 20, 3, 3))),
            expected);
}

}  // namespace
