// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/sort.hpp>
#include <upsweep/pack/internal/key_order.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
using upsweep::sort_order;

namespace {

/// All on one rank; some on each; none on every second; none at all; fewer than ranks.
constexpr int shapes = 5;
std::size_t keys_of(int rank, int size, int shape) {
  switch (shape) {
    case 0: return rank == size - 1 ? 3001 : 0;
    case 1: return 1000 + 313 * static_cast<std::size_t>(rank % 5);
    case 2: return rank % 2 == 0 ? 0 : 777;
    case 3: return 0;
    default: return rank < 2 ? 1 : 0;
  }
}

/// Keys of this rank, made by make(random).
template <class Key, class Make>
std::vector<Key> random_keys(int shape, Make const& make) {
  random_numbers random{static_cast<std::uint64_t>(world().rank()) * 100 + static_cast<std::uint64_t>(shape)};
  std::vector<Key> keys(keys_of(world().rank(), world().size(), shape));
  for (auto& k : keys) k = make(random);
  return keys;
}

/// Where an element was before.
struct origin {
  std::int64_t rank, index, more;
  friend bool operator==(origin const&, origin const&) = default;
};

template <class Key>
std::uint64_t order_of(Key key, upsweep::sort_options const& options) {
  using word = typename upsweep::internal::key_order<Key>::word;
  upsweep::internal::key_order<Key> const order{
      static_cast<word>(options.order == sort_order::descending ? ~word(0) : word(0))};
  std::uint64_t const bits = order(key);
  int const last =
      options.last_bit == upsweep::sort_options::all_bits ? 8 * static_cast<int>(sizeof(Key)) : options.last_bit;
  std::uint64_t result = 0;
  for (int b = options.first_bit; b < last; ++b) result |= (bits >> b & 1) << b;
  return result;
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class Key, class Make>
void expect_sorted(Make const& make, upsweep::sort_options const& options = {}) {
  auto const& comm = world();
  for (int shape = 0; shape < shapes; ++shape) {
    auto const mine = random_keys<Key>(shape, make);
    std::vector<origin> places;
    for (std::size_t i = 0; i < mine.size(); ++i)
      places.push_back({comm.rank(), static_cast<std::int64_t>(i), static_cast<std::int64_t>(3 * i)});
    auto const all_keys = gathered(comm, mine);
    auto const all_places = gathered(comm, places);
    std::vector<std::size_t> order(all_keys.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return order_of(all_keys[a], options) < order_of(all_keys[b], options);
    });
    auto const rank = static_cast<std::size_t>(comm.rank()), size = static_cast<std::size_t>(comm.size());
    std::size_t const first = order.size() * rank / size, last = order.size() * (rank + 1) / size;
    std::vector<Key> keys;
    std::vector<origin> values;
    for (std::size_t i = first; i < last; ++i) {
      keys.push_back(all_keys[order[i]]);
      values.push_back(all_places[order[i]]);
    }

    auto alone = to_view(mine);
    auto share = mpi::sort(comm, space_type(), alone, options);
    EXPECT_TRUE(same_bits(to_vector(alone), keys)) << "shape " << shape;
    EXPECT_EQ(share.offset, first);
    EXPECT_EQ(share.total, order.size());

    auto with = to_view(mine);
    auto moved = to_view(places);
    share = mpi::sort_by_key(comm, space_type(), with, moved, options);
    EXPECT_TRUE(same_bits(to_vector(with), keys)) << "shape " << shape;
    EXPECT_EQ(to_vector(moved), values) << "shape " << shape;
    EXPECT_EQ(share.offset, first);

    // In many steps, as many keys are.
    with = to_view(mine);
    moved = to_view(places);
    share = mpi::detail::sort_call(comm, space_type(), options, "mpi::sort_by_key", 999, with, moved);
    EXPECT_TRUE(same_bits(to_vector(with), keys)) << "shape " << shape;
    EXPECT_EQ(to_vector(moved), values) << "shape " << shape;
    EXPECT_EQ(share.offset, first);
  }
}

}  // namespace

TEST(mpi_sort, integers_of_all_bits) {
  expect_sorted<std::int64_t>([](random_numbers& r) { return static_cast<std::int64_t>(r.next()); });
  expect_sorted<std::uint64_t>([](random_numbers& r) { return r.next() | std::uint64_t(1) << 63; });
}

TEST(mpi_sort, few_values) {
  expect_sorted<int>([](random_numbers& r) { return static_cast<int>(r.below(7)) - 3; });
  expect_sorted<std::uint8_t>([](random_numbers& r) { return static_cast<std::uint8_t>(r.below(256)); });
  expect_sorted<short>([](random_numbers&) { return short(-5); });
}

TEST(mpi_sort, floating_point_in_total_order) {
  expect_sorted<double>([](random_numbers& r) {
    switch (r.below(12)) {
      case 0: return 0.0;
      case 1: return -0.0;
      case 2: return std::numeric_limits<double>::infinity();
      case 3: return -std::numeric_limits<double>::infinity();
      case 4: return std::nan("");
      case 5: return std::copysign(std::nan(""), -1.0);
      default: return std::ldexp(r.uniform() - 0.5, static_cast<int>(r.below(600)) - 300);
    }
  });
  expect_sorted<float>(
      [](random_numbers& r) {
        float const values[] = {-0.0F, 0.0F, std::nanf(""), -std::nanf(""), 1e-40F, static_cast<float>(r.uniform())};
        return values[r.below(6)];
      },
      {.order = sort_order::descending});
}

TEST(mpi_sort, descending_and_bits) {
  auto const small = [](random_numbers& r) { return static_cast<std::int32_t>(r.below(5000)) - 2500; };
  expect_sorted<std::int32_t>(small, {.order = sort_order::descending});
  upsweep::workspace ws{space_type()};
  expect_sorted<std::int32_t>(small, {.workspace = &ws, .label = "mine", .first_bit = 3, .last_bit = 11});
  expect_sorted<std::uint64_t>([](random_numbers& r) { return r.next(); },
                               {.order = sort_order::descending, .first_bit = 20, .last_bit = 40});
  // No bits: keys stay in their order.
  expect_sorted<std::int32_t>(small, {.first_bit = 32});
}

TEST(mpi_sort, keys_that_are_hard_to_divide) {
  // Two values; one key far from the others; only low bits differ.
  expect_sorted<std::uint64_t>(
      [](random_numbers& r) { return r.below(2) == 0 ? std::uint64_t(0) : ~std::uint64_t(0); });
  expect_sorted<std::uint64_t>(
      [](random_numbers& r) { return r.below(500) == 0 ? ~std::uint64_t(0) : 0x0123456789000000u + r.below(3000); });
  expect_sorted<std::int64_t>(
      [](random_numbers& r) { return -0x0123456789000000 + static_cast<std::int64_t>(r.below(900)); });
  // Most keys share each digit with most others, so that many agree with a splitter down to the last digit.
  expect_sorted<std::uint64_t>([](random_numbers& r) {
    std::uint64_t key = 0;
    for (int d = 0; d < 8; ++d) key = key << 8 | (r.below(10) != 0 ? 0x55 : r.below(256));
    return key;
  });
  expect_sorted<std::uint64_t>([](random_numbers& r) { return r.next() >> r.below(64); }, {.first_bit = 5});
}

TEST(mpi_sort, keys_in_order_and_against_it) {
  for (int sign : {1, -1}) {
    int k = 100000 * world().rank();
    expect_sorted<int>([&](random_numbers&) { return sign * k++; });
  }
  // Each rank has keys of its own, all alike.
  expect_sorted<std::uint32_t>([](random_numbers&) { return std::uint32_t(1) << world().rank(); });
  expect_sorted<std::uint32_t>(
      [](random_numbers&) { return ~std::uint32_t(0) - static_cast<unsigned>(world().rank()); },
      {.order = sort_order::descending});
}

// Many ranks have many ranges of candidates, which are sorted as one. A search for which two are many does that here.
TEST(mpi_sort, ranges_of_many_ranks) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  using keys_view = view<std::uint32_t>;
  auto const mine =
      random_keys<std::uint32_t>(1, [](random_numbers& r) { return static_cast<std::uint32_t>(r.next()); });
  auto sorted = gathered(comm, mine);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::size_t> begins, cuts(static_cast<std::size_t>(comm.size()) + 1);
  for (std::size_t r = 0; r < cuts.size(); ++r)
    begins.push_back(sorted.size() * r / static_cast<std::size_t>(comm.size()));
  auto const keys = to_view(mine);
  upsweep::sort_options const options;
  mpi::detail::splitter_search<space_type, keys_view> search("test", {}, 1);
  search.reserve(comm, space_type());
  std::vector<int> first_bits;
  search.find(
      comm, space_type(), keys, mpi::detail::key_bits<std::uint32_t>(options), 0, 32, begins,
      [&](std::size_t begin, std::size_t end, int first, int last) {
        first_bits.push_back(first);
        upsweep::sort(space_type(), Kokkos::subview(keys, Kokkos::make_pair(begin, end)),
                      {.first_bit = first, .last_bit = last});
      },
      1, cuts);
  auto const parts = to_vector(keys);
  for (int r = 0; r < comm.size(); ++r) {
    auto const at = static_cast<std::size_t>(r);
    auto part = gathered(comm, std::vector<std::uint32_t>(parts.begin() + static_cast<std::ptrdiff_t>(cuts[at]),
                                                          parts.begin() + static_cast<std::ptrdiff_t>(cuts[at + 1])));
    std::sort(part.begin(), part.end());
    EXPECT_EQ(part, std::vector<std::uint32_t>(sorted.begin() + static_cast<std::ptrdiff_t>(begins[at]),
                                               sorted.begin() + static_cast<std::ptrdiff_t>(begins[at + 1])));
  }
  // By one digit, then by all bits.
  EXPECT_EQ(first_bits, (std::vector<int>{24, 0}));
}

// A rank that gets as many keys as it had keeps its memory, unless there are more ranks than merges pay for.
TEST(mpi_sort, memory_stays_where_counts_are_equal) {
  auto const& comm = world();
  std::size_t const n = 5000;
  upsweep::workspace ws{space_type()};
  // Keys that differ in these digits of 8 bits, of four.
  for (unsigned digits : {0u, 1u, 4u, 5u, 8u, 10u, 13u, 15u}) {
    std::uint32_t mask = 0;
    for (int d = 0; d < 4; ++d) mask |= (digits >> d & 1u) != 0 ? 0xffu << 8 * d : 0u;
    random_numbers random{static_cast<std::uint64_t>(comm.rank()) + 7};
    std::vector<std::uint32_t> mine(n);
    for (auto& k : mine) k = (static_cast<std::uint32_t>(random.next()) & mask) | (0x12345678u & ~mask);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> pairs;
    for (std::size_t i = 0; i < n; ++i) pairs.emplace_back(mine[i], static_cast<std::size_t>(comm.rank()) * n + i);
    std::vector<std::uint64_t> places;
    for (auto const& p : pairs) places.push_back(p.second);
    auto all = gathered(comm, pairs);
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < n; ++i) {
      auto const& p = all[static_cast<std::size_t>(comm.rank()) * n + i];
      keys.push_back(p.first);
      values.push_back(p.second);
    }
    // In one step, and in many.
    for (std::size_t step_bytes : {mpi::detail::sort_step_bytes, std::size_t(3000)})
      for (auto* const workspace : {&ws, static_cast<upsweep::workspace*>(nullptr)}) {
        auto alone = to_view(mine), with = to_view(mine);
        auto moved = to_view(places);
        auto const *const of_alone = alone.data(), *const of_with = with.data();
        auto const* const of_moved = moved.data();
        upsweep::sort_options const options{.workspace = workspace};
        mpi::detail::sort_call(comm, space_type(), options, "mpi::sort", step_bytes, alone);
        mpi::detail::sort_call(comm, space_type(), options, "mpi::sort_by_key", step_bytes, with, moved);
        EXPECT_EQ(to_vector(alone), keys) << digits;
        EXPECT_EQ(to_vector(with), keys) << digits;
        EXPECT_EQ(to_vector(moved), values) << digits;
        if (comm.size() > 16) continue;
        EXPECT_EQ(alone.data(), of_alone) << digits;
        EXPECT_EQ(with.data(), of_with) << digits;
        EXPECT_EQ(moved.data(), of_moved) << digits;
      }
  }
}

// Only ranks whose count changes get new Views. A View of the old memory does not see the new keys there.
TEST(mpi_sort, new_views_where_counts_differ) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  auto const rank = static_cast<std::size_t>(comm.rank()), size = static_cast<std::size_t>(comm.size());
  // Ranks between the first and the last one keep their count.
  std::size_t const n = rank == 0 ? 1200 : rank + 1 == size ? 800 : 1000;
  random_numbers random{rank + 3};
  std::vector<std::uint32_t> mine(n);
  for (auto& k : mine) k = static_cast<std::uint32_t>(random.next());
  auto all = gathered(comm, mine);
  std::sort(all.begin(), all.end());
  auto keys = to_view(mine);
  auto values = to_view(mine);
  auto const before = keys, values_before = values;
  mpi::sort_by_key(comm, space_type(), keys, values);
  std::vector<std::uint32_t> const expected(all.begin() + static_cast<std::ptrdiff_t>(1000 * rank),
                                            all.begin() + static_cast<std::ptrdiff_t>(1000 * (rank + 1)));
  EXPECT_EQ(to_vector(keys), expected);
  EXPECT_EQ(to_vector(values), expected);
  EXPECT_EQ(keys.data() == before.data(), n == 1000);
  EXPECT_EQ(values.data() == values_before.data(), n == 1000);
  if (n == 1000) return;
  auto kept = to_vector(before);
  std::sort(kept.begin(), kept.end());
  std::sort(mine.begin(), mine.end());
  EXPECT_EQ(kept, mine);
}

// What fails once messages have moved leaves each rank its own keys, in Views that would have kept their memory, too.
TEST(mpi_sort, keys_after_an_error_in_a_merge) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  random_numbers random{static_cast<std::uint64_t>(comm.rank()) + 11};
  std::vector<std::uint32_t> mine(3000);
  for (auto& k : mine) k = static_cast<std::uint32_t>(random.next());
  auto keys = to_view(mine), values = to_view(mine);
  auto const* const memory = keys.data();
  static int merges;
  merges = 0;
  if (comm.rank() == 0)
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback([](char const* name, std::uint32_t, std::uint64_t*) {
      if (std::string_view(name).find("::merge") != std::string_view::npos && ++merges == 2)
        throw upsweep::out_of_memory_error("merge: for a test");
    });
  auto const text = message_of<upsweep::out_of_memory_error>([&] {
    mpi::detail::sort_call(comm, space_type(), upsweep::sort_options{}, "mpi::sort_by_key", 4000, keys, values);
  });
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
  EXPECT_EQ(text, "rank 0: merge: for a test");
  std::sort(mine.begin(), mine.end());
  EXPECT_EQ(keys.data(), memory);
  EXPECT_EQ(to_vector(keys), mine);
  EXPECT_EQ(to_vector(values), mine);
}

TEST(mpi_sort, errors_on_all_ranks) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<int> keys("keys", 10), values("values", last ? 9 : 10);
  view<std::int64_t> wide("wide", 10);
  auto const text =
      message_of<upsweep::precondition_error>([&] { mpi::sort_by_key(comm, space_type(), keys, values); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": sort_by_key: ", 0), 0u) << text;
  EXPECT_THROW(mpi::sort(comm, space_type(), keys, {.first_bit = last ? 33 : 0}), upsweep::precondition_error);
  EXPECT_EQ(keys.extent(0), 10u);
  if (comm.size() == 1) return;
  EXPECT_THROW(mpi::sort(comm, space_type(), keys, {.first_bit = last ? 3 : 0}), upsweep::precondition_error);
  EXPECT_THROW(
      {
        if (last) mpi::sort(comm, space_type(), wide);
        else mpi::sort(comm, space_type(), keys);
      },
      upsweep::precondition_error);
}

TEST(mpi_sort, goes_by_staging) {
  mpi::communicator comm(MPI_COMM_WORLD);
  mpi::detail::access::transfers(comm).known[memory_space::name()] = {mpi::detail::way::staged, "staged for a test"};
  auto const mine = random_keys<int>(1, [](random_numbers& r) { return static_cast<int>(r.below(100000)); });
  auto all = gathered(comm, mine);
  std::sort(all.begin(), all.end());
  auto keys = to_view(mine);
  mpi::sort(comm, space_type(), keys);
  EXPECT_EQ(gathered(comm, to_vector(keys)), all);
}
