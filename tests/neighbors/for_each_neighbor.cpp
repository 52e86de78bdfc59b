// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../contracts/tools.hpp"
#include "../oracle/views.hpp"
#include "rows.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace {

using oracle::rows_of;
using vector3 = Kokkos::Array<double, 3>;

constexpr std::size_t particles = 203;

/// The image of the pair (i, j); any function will do.
KOKKOS_FUNCTION upsweep::image image_of(std::int64_t i, std::int64_t j) {
  return {static_cast<int>(i % 3) - 1, static_cast<int>(j % 5) - 2, static_cast<int>((i + j) % 7) - 3};
}

KOKKOS_FUNCTION std::int64_t weight(std::int64_t j, upsweep::image im) {
  return (j + 1) * (1000 + im.x() + 10 * im.y() + 100 * im.z());
}

struct list {
  rows_of rows;
  oracle::device_rows<std::size_t, int> crs;
  Kokkos::View<upsweep::image*, oracle::memory> images;
};

list make_list() {
  list l;
  l.rows = oracle::rows_of_all_lengths(particles);
  l.crs = oracle::to_crs<std::size_t, int>(l.rows);
  std::vector<upsweep::image> images;
  for (std::size_t i = 0; i < particles; ++i)
    for (int const j : l.rows[i]) images.push_back(image_of(std::int64_t(i), j));
  l.images = oracle::to_device(images);
  return l;
}

/// test(handle, with images) for rows with images and without.
template <class Test>
void with_images_and_without(list const& l, Test const& test) {
  for (bool imaged : {false, true}) {
    upsweep::neighbor_options::optional_input<upsweep::image> images;
    if (imaged) images = l.images;
    test(upsweep::make_neighbor_rows(l.crs.offsets, l.crs.neighbors, images), imaged);
  }
}

std::vector<std::int64_t> expected_sums(rows_of const& rows, bool imaged) {
  std::vector<std::int64_t> sums(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int const j : rows[i]) sums[i] += weight(j, imaged ? image_of(std::int64_t(i), j) : upsweep::image(0, 0, 0));
  return sums;
}

using output = Kokkos::View<std::int64_t*, oracle::memory>;

/// One thread per row: order matters, so the sum is a hash.
template <class Rows>
struct hash_in_order {
  Rows rows;
  output out;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    std::uint64_t h = 1;
    upsweep::for_each_neighbor(rows, i, [&](int j) { h = h * 1000003 + static_cast<std::uint64_t>(j); });
    out(i) = static_cast<std::int64_t>(h);
  }
};

TEST(for_each_neighbor, in_order_in_a_thread) {
  auto const l = make_list();
  std::vector<std::int64_t> expected;
  for (auto const& row : l.rows) {
    std::uint64_t h = 1;
    for (int const j : row) h = h * 1000003 + std::uint64_t(j);
    expected.push_back(std::int64_t(h));
  }
  with_images_and_without(l, [&](auto const& rows, bool) {
    output const out("out", particles);
    Kokkos::parallel_for(Kokkos::RangePolicy<oracle::space, Kokkos::IndexType<std::size_t>>(0, particles),
                         hash_in_order<std::decay_t<decltype(rows)>>{rows, out});
    EXPECT_EQ(oracle::to_host(out), expected);
  });
}

/// All forms in one kernel: what each adds up must be the same.
template <class Rows>
struct every_level {
  Rows rows;
  output serial, by_team, by_threads, by_lanes, reduced_team, reduced_threads, reduced_lanes, reduced_serial, largest;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const i = static_cast<std::size_t>(member.league_rank());
    auto const to = [&](output const& out) {
      return [&out, i](int j, upsweep::image im) { Kokkos::atomic_add(&out(i), weight(j, im)); };
    };
    auto const sum = [&](int j, upsweep::image im, std::int64_t& s) { s += weight(j, im); };
    upsweep::for_each_neighbor(member, rows, i, to(by_team));
    upsweep::for_each_neighbor(upsweep::team_thread_level(member), rows, i, [&](int j, upsweep::image im) {
      Kokkos::single(Kokkos::PerThread(member), [&]() { Kokkos::atomic_add(&by_threads(i), weight(j, im)); });
    });
    std::int64_t team = -1, threads = -1;
    upsweep::reduce_neighbors(member, rows, i, sum, team);
    upsweep::reduce_neighbors(upsweep::team_thread_level(member), rows, i, sum, threads);
    std::int64_t longest = -1;
    upsweep::reduce_neighbors(
        member, rows, i, [](int j, std::int64_t& m) { m = m < j ? j : m; }, Kokkos::Max<std::int64_t>(longest));
    if (member.team_rank() == 0) {
      upsweep::for_each_neighbor(upsweep::thread_vector_level(member), rows, i, to(by_lanes));
      std::int64_t lanes = -1;
      upsweep::reduce_neighbors(upsweep::thread_vector_level(member), rows, i, sum, lanes);
      Kokkos::single(Kokkos::PerThread(member), [&]() {
        std::int64_t mine = -1, maximum = -1;
        upsweep::for_each_neighbor(rows, i, [&](int j, upsweep::image im) { serial(i) += weight(j, im); });
        upsweep::reduce_neighbors(rows, i, sum, mine);
        upsweep::reduce_neighbors(
            rows, i, [](int j, std::int64_t& m) { m = m < j ? j : m; }, Kokkos::Max<std::int64_t>(maximum));
        reduced_serial(i) = mine;
        reduced_team(i) = team;
        reduced_threads(i) = threads;
        reduced_lanes(i) = lanes;
        largest(i) = longest == maximum ? longest : -2;
      });
    }
  }
};

TEST(for_each_neighbor, every_level_finds_the_same) {
  auto const l = make_list();
  constexpr bool gpu = upsweep::compat::is_gpu<oracle::space>;
  std::vector<std::int64_t> largest;
  for (auto const& row : l.rows)
    largest.push_back(row.empty() ? std::numeric_limits<std::int64_t>::lowest()
                                  : *std::max_element(row.begin(), row.end()));
  with_images_and_without(l, [&](auto const& rows, bool imaged) {
    std::vector<output> outs;
    for (int k = 0; k < 9; ++k) outs.emplace_back("out", particles);
    every_level<std::decay_t<decltype(rows)>> const kernel{rows,    outs[0], outs[1], outs[2], outs[3],
                                                           outs[4], outs[5], outs[6], outs[7], outs[8]};
    Kokkos::parallel_for(Kokkos::TeamPolicy<oracle::space>(oracle::space{}, int(particles), gpu ? 4 : 1, gpu ? 8 : 1),
                         kernel);
    auto const expected = expected_sums(l.rows, imaged);
    for (int k = 0; k < 8; ++k) EXPECT_EQ(oracle::to_host(outs[std::size_t(k)]), expected) << "form " << k;
    EXPECT_EQ(oracle::to_host(outs[8]), largest);
  });
}

struct add_weights {
  KOKKOS_FUNCTION void operator()(std::size_t, int j, upsweep::image im, std::int64_t& sum) const {
    sum += weight(j, im);
  }
};
/// The same with a load step.
struct add_loaded_weights {
  struct record {
    std::size_t i;
    int j;
  };
  KOKKOS_FUNCTION record load(std::size_t i, int j) const { return {i, j}; }
  KOKKOS_FUNCTION void operator()(std::size_t i, int j, upsweep::image im, record const& r, std::int64_t& sum) const {
    sum += r.i == i && r.j == j ? weight(j, im) : std::int64_t(1) << 40;
  }
};
struct store {
  output out;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int64_t sum) const { out(i) = sum; }
};

struct toward {
  Kokkos::View<double*, oracle::memory> x;
  KOKKOS_FUNCTION void operator()(std::size_t i, int j, vector3& sum) const {
    double const d = x(j) - x(i);
    sum[0] += d < 0 ? d : 0.0;
    sum[1] += d;
    sum[2] += 1;
  }
};
struct store_vector {
  Kokkos::View<double* [3], oracle::memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, vector3 const& sum) const {
    for (int d = 0; d < 3; ++d) out(i, d) += sum[d];
  }
};

template <bool InVectors>
void adds_up_every_row_once() {
  auto const l = make_list();
  std::vector<double> x(particles);
  for (std::size_t i = 0; i < particles; ++i) x[i] = double(i * i % 101);
  auto const device_x = oracle::to_device(x);
  with_images_and_without(l, [&](auto const& rows, bool imaged) {
    oracle::space const space;
    if (imaged) {
      output const sums("sums", particles), loaded("loaded", particles);
      upsweep::reduce_rows<std::int64_t, InVectors>(space, rows, add_weights{}, store{sums});
      EXPECT_EQ(oracle::to_host(sums), expected_sums(l.rows, true));
      upsweep::reduce_rows<std::int64_t, InVectors>(space, rows, add_loaded_weights{}, store{loaded});
      EXPECT_EQ(oracle::to_host(loaded), expected_sums(l.rows, true));
    }
    Kokkos::View<double* [3], oracle::memory> const forces("forces", particles);
    upsweep::reduce_rows<vector3, InVectors>(space, rows, toward{device_x}, store_vector{forces}, {.label = "test"});
    oracle::host_copy const host(forces);
    for (std::size_t i = 0; i < particles; ++i) {
      double negative = 0, all = 0;  // sums of small integers: exact in any order
      for (int const j : l.rows[i]) {
        double const d = x[std::size_t(j)] - x[i];
        negative += d < 0 ? d : 0;
        all += d;
      }
      ASSERT_EQ(std::make_tuple(host(i, 0), host(i, 1), host(i, 2)),
                std::make_tuple(negative, all, double(l.rows[i].size())))
          << "row " << i;
    }
  });
}

TEST(reduce_rows, of_chosen_rows) {
  auto const l = make_list();
  auto const chosen = oracle::to_device(oracle::chosen_rows(particles));
  auto const all = upsweep::make_neighbor_rows(l.crs.offsets, l.crs.neighbors, l.images);
  auto expected = expected_sums(l.rows, true);
  for (std::size_t i = 0; i < particles; ++i)
    if (!oracle::is_chosen(i)) expected[i] = 0;
  output const sums("sums", particles), in_vectors("sums", particles);
  upsweep::reduce_rows<std::int64_t, false>(oracle::space{}, upsweep::choose_rows(all, chosen), add_weights{},
                                            store{sums});
  upsweep::reduce_rows<std::int64_t, true>(oracle::space{}, upsweep::choose_rows(all, chosen), add_weights{},
                                           store{in_vectors});
  EXPECT_EQ(oracle::to_host(sums), expected);
  EXPECT_EQ(oracle::to_host(in_vectors), expected);
}
TEST(reduce_rows, adds_up_every_row_once) { adds_up_every_row_once<false>(); }
TEST(reduce_rows, adds_up_every_row_once_in_vectors) { adds_up_every_row_once<true>(); }

/// Adds what the neighbours are worth, and finds the nearest of those within reach: a sum that += cannot join. Takes
/// several neighbours at once.
struct worth_and_nearest {
  static constexpr bool takes_lanes = true;
  Kokkos::View<double* [4], Kokkos::LayoutRight, oracle::memory> x;

  template <class J, class Sum>
  KOKKOS_FUNCTION void operator()(std::size_t i, J const& j, Sum& sum) const {
    add(i, upsweep::gather_positions(x, j), sum);
  }
  template <class Position, class Sum>
  KOKKOS_FUNCTION void add(std::size_t i, Position const& other, Sum& sum) const {
    using real = typename Sum::value_type;
    real const d = other[0] - x(i, 0), far = other[1] + other[2], way = d < 0.0 ? -d : d;
    sum[0] += way <= 50.0 ? far : real{};
    sum[1] = way < sum[1] ? way : sum[1];
  }
};
/// The same with a load step.
struct loaded_worth_and_nearest {
  static constexpr bool takes_lanes = true;
  worth_and_nearest all;

  template <class J>
  KOKKOS_FUNCTION auto load(std::size_t, J const& j) const {
    return upsweep::gather_positions(all.x, j);
  }
  template <class J, class Position, class Sum>
  KOKKOS_FUNCTION void operator()(std::size_t i, J const&, Position const& other, Sum& sum) const {
    all.add(i, other, sum);
  }
};
struct worth_and_nearest_monoid {
  using value_type = Kokkos::Array<double, 2>;
  KOKKOS_FUNCTION value_type identity() const { return {0, 1e300}; }
  KOKKOS_FUNCTION value_type operator()(value_type const& a, value_type const& b) const {
    return {a[0] + b[0], b[1] < a[1] ? b[1] : a[1]};
  }
};
struct store_two {
  Kokkos::View<double* [2], oracle::memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, Kokkos::Array<double, 2> const& sum) const {
    out(i, 0) += sum[0];
    out(i, 1) = sum[1];
  }
};

template <bool InVectors, class F>
void joins_sums_by_a_monoid() {
  auto const l = make_list();
  Kokkos::View<double* [4], Kokkos::LayoutRight, oracle::memory> const x("x", particles);
  oracle::host_copy const host_x(x);
  for (std::size_t i = 0; i < particles; ++i) {
    host_x(i, 0) = double(i * i % 101);
    host_x(i, 1) = double(i);
    host_x(i, 2) = 0.5;
  }
  host_x.write();
  with_images_and_without(l, [&](auto const& rows, bool) {
    oracle::space const space;
    Kokkos::View<double* [2], oracle::memory> const sums("sums", particles);
    upsweep::reduce_rows<InVectors>(space, rows, F{x}, store_two{sums}, worth_and_nearest_monoid{});
    oracle::host_copy const host(sums);
    for (std::size_t i = 0; i < particles; ++i) {
      double worth = 0, nearest = 1e300;
      for (int const j : l.rows[i]) {
        double const way = std::abs(host_x(j, 0) - host_x(i, 0));
        if (way <= 50) worth += j + 0.5;
        nearest = std::min(nearest, way);
      }
      ASSERT_EQ(host(i, 0), worth) << "row " << i;
      ASSERT_EQ(host(i, 1), nearest) << "row " << i;
    }
  });
}

TEST(reduce_rows, joins_sums_by_a_monoid) { joins_sums_by_a_monoid<false, worth_and_nearest>(); }
TEST(reduce_rows, joins_sums_of_what_is_loaded) { joins_sums_by_a_monoid<false, loaded_worth_and_nearest>(); }
TEST(reduce_rows, joins_sums_of_what_is_loaded_in_vectors) { joins_sums_by_a_monoid<true, loaded_worth_and_nearest>(); }
TEST(reduce_rows, joins_sums_by_a_monoid_in_vectors) { joins_sums_by_a_monoid<true, worth_and_nearest>(); }

#if defined(UPSWEEP_HAS_NEIGHBOR_LANES)
// Sums alone do not show which way was taken.
struct count_calls {
  static constexpr bool takes_lanes = true;
  template <class J>
  KOKKOS_FUNCTION void operator()(std::size_t, J const&, double& sum) const {
    sum += 1;
  }
  void operator()(std::size_t, upsweep::neighbor_lanes<int> const&, upsweep::double_lanes& sum) const { sum += 0.25; }
};
struct store_number {
  Kokkos::View<double*, oracle::memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, double sum) const { out(i) = sum; }
};

TEST(reduce_rows, functors_that_take_lanes_get_them_on_cpus) {
  if (upsweep::compat::is_gpu<oracle::space>) GTEST_SKIP() << "vectors of CPUs";
  auto const l = make_list();
  Kokkos::View<double*, oracle::memory> const sums("sums", particles);
  upsweep::reduce_rows<double>(oracle::space{}, upsweep::make_neighbor_rows(l.crs.offsets, l.crs.neighbors),
                               count_calls{}, store_number{sums});
  auto const host = oracle::to_host(sums);
  for (std::size_t i = 0; i < particles; ++i) EXPECT_EQ(host[i], 0.25 * double(l.rows[i].size()));
}

// (1 + e)^2 - (1 + 2 e) is e^2, which a rounded product has lost.
TEST(gather_positions, products_and_sums_of_lanes_are_rounded_once) {
  double const e = 0x1p-30;
  upsweep::double_lanes const a = {1 + e, 1 - e, 3, 0}, c = {-1 - 2 * e, -1 + 2 * e, -9, 4};
  auto const found = upsweep::fma(a, a, c);
  EXPECT_EQ(found[0], e * e);
  EXPECT_EQ(found[1], e * e);
  EXPECT_EQ(found[2], 0);
  EXPECT_EQ(found[3], 4);
  EXPECT_EQ(upsweep::fma(1 + e, 1 + e, -1 - 2 * e), e * e);
}

// Rows of three and columns of their own are gathered number by number.
TEST(gather_positions, any_layout) {
  Kokkos::View<double* [3], Kokkos::LayoutLeft, oracle::memory> const x("x", 5);
  oracle::host_copy const host(x);
  for (int i = 0; i < 5; ++i)
    for (int d = 0; d < 3; ++d) host(i, d) = 10 * i + d;
  auto const found = upsweep::gather_positions(host.view(), upsweep::neighbor_lanes<int>{{4, 0, 2, 2}});
  for (int d = 0; d < 3; ++d) {
    EXPECT_EQ(found[std::size_t(d)][0], 40 + d);
    EXPECT_EQ(found[std::size_t(d)][1], d);
    EXPECT_EQ(found[std::size_t(d)][3], 20 + d);
  }
  EXPECT_EQ(upsweep::gather_positions(host.view(), 3)[1], 31);
}

TEST(gather_positions, x_and_y_in_one_view_and_z_in_another) {
  Kokkos::View<double* [2], Kokkos::LayoutRight, oracle::memory> const xy("xy", 5);
  Kokkos::View<double*, oracle::memory> const z("z", 5);
  oracle::host_copy const host_xy(xy);
  oracle::host_copy const host_z(z);
  for (int i = 0; i < 5; ++i) {
    host_xy(i, 0) = 10 * i;
    host_xy(i, 1) = 10 * i + 1;
    host_z(i) = 10 * i + 2;
  }
  upsweep::neighbor_lanes<int> const j{{4, 0, 2, 2}};
  auto const found = upsweep::gather_positions(host_xy.view(), host_z.view(), j);
  for (int lane = 0; lane < upsweep::lane_count; ++lane) {
    auto const one = upsweep::gather_positions(host_xy.view(), host_z.view(), j.index[lane]);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(one[d], 10 * j.index[lane] + static_cast<int>(d));
      EXPECT_EQ(found[d][lane], one[d]);
    }
  }
}
#endif

TEST(reduce_rows, one_launch_that_does_not_wait) {
  auto const l = make_list();
  auto const rows = upsweep::make_neighbor_rows(l.crs.offsets, l.crs.neighbors, l.images);
  output const sums("sums", particles);
  oracle::space const space;
  contracts::recorder const seen;
  upsweep::reduce_rows<std::int64_t>(space, rows, add_weights{}, store{sums}, {.label = "mine"});
  ASSERT_EQ(contracts::recorder::kernels().size(), 1u);
  EXPECT_EQ(contracts::recorder::kernels()[0].label, "upsweep::reduce_rows::rows[mine]");
  EXPECT_TRUE(contracts::recorder::fences().empty());
  EXPECT_TRUE(contracts::recorder::allocations().empty());
  space.fence();
}

TEST(reduce_rows, no_rows) {
  oracle::space const space;
  auto const crs = oracle::to_crs<std::size_t, int>({});
  Kokkos::View<upsweep::image*, oracle::memory> const no_images("images", 0);
  output const sums("sums", 1);
  upsweep::reduce_rows<std::int64_t>(space, upsweep::make_neighbor_rows(crs.offsets, crs.neighbors, no_images),
                                     add_weights{}, store{sums});
  EXPECT_EQ(oracle::to_host(sums), std::vector<std::int64_t>{0});
}

TEST(make_neighbor_rows, wrong_extents_are_refused) {
  Kokkos::View<int*, oracle::memory> const none("none", 0), two("two", 2);
  Kokkos::View<upsweep::image*, oracle::memory> const images("images", 1);
  EXPECT_THROW(upsweep::make_neighbor_rows(none, two), upsweep::precondition_error);
  EXPECT_THROW(upsweep::make_neighbor_rows(two, two, images), upsweep::precondition_error);
  auto const no_images = Kokkos::subview(images, std::make_pair(0, 0));
  EXPECT_THROW(upsweep::make_neighbor_rows(two, two, no_images), upsweep::precondition_error);
  EXPECT_EQ(upsweep::make_neighbor_rows(two, two).images, nullptr);
  EXPECT_EQ(upsweep::make_neighbor_rows(two, none, no_images).images, images.data());
}

}  // namespace
