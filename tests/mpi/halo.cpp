// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "mpi_errors.hpp"
#include "particles.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/bisect.hpp>
#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/migrate.hpp>

#include <map>
#include <numeric>
#include <tuple>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

using key = std::tuple<std::int64_t, int, int, int>;  // id and image

/// Compares the ghosts of this rank with a search over all particles and images: what stands within the radius of the
/// brick must be there, what is further than rounding allows must not. Real: in which positions are given; each is one.
template <class Real = double>
void expect_ghosts(particle_set const& set, mpi::domain<double> const& parts, double radius) {
  SCOPED_TRACE(set.name);
  auto const& comm = world();
  auto const ids = owned_ids(set, parts, comm.rank());
  auto const points = points_of(set, ids);
  mpi::halo<space_type, double> halo;
  auto const given = to_positions(points);
  Kokkos::View<Real* [3], memory_space> const positions_given("positions", points.size());
  Kokkos::deep_copy(positions_given, given);
  halo.build(comm, space_type(), parts, positions_given, radius);
  ASSERT_EQ(halo.owned(), ids.size());
  std::size_t const all = halo.owned() + halo.ghosts();

  auto const grown = [&](auto const& v) {
    auto result = v;
    Kokkos::resize(result, all);
    return result;
  };
  auto const positions = grown(to_positions(points));
  auto const device_ids = grown(to_view(ids));
  halo.exchange(space_type(), positions);
  halo.exchange(space_type(), device_ids);
  space_type().fence();
  auto const got_ids = to_vector(device_ids);
  auto const got_points = to_points(positions);
  auto const images = to_vector(halo.images());
  ASSERT_EQ(images.size(), all);

  std::map<key, int> found;
  std::vector<std::tuple<int, upsweep::image, std::int64_t>> order;
  for (std::size_t i = 0; i < all; ++i) {
    auto const& x = set.points[static_cast<std::size_t>(got_ids[i])].x;
    for (int d = 0; d < 3; ++d) EXPECT_EQ(got_points[i].x[d], x[d]);
    if (i < halo.owned()) {
      EXPECT_TRUE(images[i] == upsweep::image(0, 0, 0));
      continue;
    }
    ++found[{got_ids[i], images[i].x(), images[i].y(), images[i].z()}];
    // A rank's ids ascend here, so they are its order.
    order.emplace_back(parts.owner(x[0], x[1], x[2]), images[i], got_ids[i]);
  }
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));

  auto const mine = parts.brick(comm.rank());
  auto const& box = parts.box();
  int missing = 0, unexpected = 0;
  int reach[3];
  for (int d = 0; d < 3; ++d) reach[d] = 1 + static_cast<int>(std::ceil(radius / box.length(d)));
  for (std::size_t j = 0; j < set.points.size(); ++j) {
    auto const& x = set.points[j].x;
    bool const own = parts.owner(x[0], x[1], x[2]) == comm.rank();
    for (int sx = -reach[0]; sx <= reach[0]; ++sx)
      for (int sy = -reach[1]; sy <= reach[1]; ++sy)
        for (int sz = -reach[2]; sz <= reach[2]; ++sz) {
          int const s[3] = {sx, sy, sz};
          bool near = true, far = false;
          for (int d = 0; d < 3; ++d) {
            double const at = x[d] + s[d] * box.length(d);
            double const away = std::max({mine.lo[d] - at, at - mine.hi[d], 0.0});
            near = near && away <= radius;
            far = far || away > radius * (1 + 1e-12) || (s[d] != 0 && !box.periodic(d));
          }
          bool const self = own && sx == 0 && sy == 0 && sz == 0;
          auto const at = found.find({static_cast<std::int64_t>(j), sx, sy, sz});
          int const times = at == found.end() ? 0 : at->second;
          if (near && !far && !self && times != 1) ++missing;
          if ((far || self) && times != 0) ++unexpected;
        }
  }
  EXPECT_EQ(missing, 0);
  EXPECT_EQ(unexpected, 0);
}

}  // namespace

TEST(halo, ghosts_equal_brute_force) {
  for (auto const& periodic : {Kokkos::Array<bool, 3>{true, true, true}, Kokkos::Array<bool, 3>{false, false, false},
                               Kokkos::Array<bool, 3>{true, false, true}}) {
    auto const random = random_set(periodic, 3);
    expect_ghosts(random, mpi::domain<double>(world(), random.box), 2.1);
    auto const lattice = lattice_set(periodic);
    mpi::domain<double> const parts(world(), lattice.box);
    expect_ghosts(lattice, parts, 2.0);
    expect_ghosts(border_set(parts), parts, 1.5);
  }
}

// A sum of a position and a box length may be no float: one that is rounded can be further away than the radius.
TEST(halo, positions_of_shorter_type_than_the_domain) {
  upsweep::box<double> const box({0, 0, 0}, {1000, 1000, 1000});
  double const radius = 0.30002;  // 1000.30002 as a float is 1000.30005
  particle_set set{"floats", box, {}};
  random_numbers random{5};
  for (int i = 0; i < 600; ++i) {
    point p;
    for (int d = 0; d < 3; ++d) {
      float const at = static_cast<float>(2 * radius * random.uniform());
      float const below = std::min(static_cast<float>(1000 - at), std::nextafter(1000.0f, 0.0f));
      p.x[d] = random.below(2) == 0 ? at : below;
    }
    p.x[i % 3] = static_cast<float>(radius);
    if (p.x[i % 3] > radius) p.x[i % 3] = std::nextafter(static_cast<float>(radius), 0.0f);
    set.points.push_back(p);
  }
  expect_ghosts<float>(set, mpi::domain<double>(world(), box), radius);
}

// Bricks in a row: two ranks are neighbours on both sides, one rank is its own.
TEST(halo, rows_of_bricks) {
  for (int d = 0; d < 3; ++d) {
    auto const set = lattice_set({true, true, true});
    mpi::rank_grid grid{1, 1, 1};
    grid[d] = world().size();
    expect_ghosts(set, mpi::domain<double>(world(), set.box, grid), 1.5);
  }
}

// The radius may be as large as the brick, exactly.
TEST(halo, radius_of_a_whole_brick) {
  auto const set = lattice_set({true, true, true});
  expect_ghosts(set, mpi::domain<double>(world(), set.box, {1, 1, world().size()}), 12.0 / world().size());
}

// Bricks a third of the radius thick, and boxes thinner than the radius, whose particles meet images of images.
TEST(halo, thin_bricks) {
  auto const set = lattice_set({true, true, true});
  for (int d = 0; d < 3; ++d) {
    mpi::rank_grid grid{1, 1, 1};
    grid[d] = world().size();
    expect_ghosts(set, mpi::domain<double>(world(), set.box, grid), 3 * 12.0 / world().size());
  }
  auto const open = lattice_set({false, false, false});
  expect_ghosts(open, mpi::domain<double>(world(), open.box, {1, 1, world().size()}), 7.0);
  particle_set few{"thin box", upsweep::box<double>({0, 0, -1}, {1.5, 20, 2}, {true, false, true}), {}};
  random_numbers random{11};
  for (int i = 0; i < 20; ++i)
    few.points.push_back({{1.5 * random.uniform(), 20 * random.uniform(), 3 * random.uniform() - 1}});
  expect_ghosts(few, mpi::domain<double>(world(), few.box), 4.0);
  expect_ghosts(few, mpi::domain<double>(world(), few.box, {world().size(), 1, 1}), 4.0);
}

// Bricks of a bisection meet others on a side, of all sizes.
TEST(halo, bisected_bricks) {
  auto const tiling = [](particle_set const& set) {
    std::vector<std::int64_t> share;
    for (std::size_t i = 0; i < set.points.size(); ++i)
      if (static_cast<int>(i % static_cast<std::size_t>(world().size())) == world().rank())
        share.push_back(static_cast<std::int64_t>(i));
    return mpi::bisect(world(), space_type(), set.box, to_positions(points_of(set, share)));
  };
  auto set = random_set({true, true, false}, 17);
  // Most particles in one corner, so that some bricks are thin.
  for (std::size_t i = 0; i < set.points.size(); ++i)
    if (i % 8 != 0)
      for (int d = 0; d < 3; ++d) set.points[i].x[d] = set.box.lo(d) + 0.1 * (set.points[i].x[d] - set.box.lo(d));
  expect_ghosts(set, tiling(set), 1.4);
  expect_ghosts(set, tiling(set), 11.0);
  auto const lattice = lattice_set({true, true, true});
  expect_ghosts(lattice, tiling(lattice), 2.0);
  particle_set const one_place{"one place", lattice.box, std::vector<point>(40, {{0, 3, 11}})};
  expect_ghosts(one_place, tiling(one_place), 2.0);
}

TEST(halo, empty_ranks) {
  particle_set set{"few", upsweep::box<double>({0, 0, 0}, {12, 12, 12}), {{{0.5, 0.5, 0.5}}, {{0.5, 0.5, 11.5}}}};
  expect_ghosts(set, mpi::domain<double>(world(), set.box), 2.0);
  set.points.clear();
  expect_ghosts(set, mpi::domain<double>(world(), set.box), 2.0);
}

// Every pair of a whole system is seen by the rank that owns its first particle, whatever the number of ranks.
TEST(halo, every_pair_once) {
  auto const& comm = world();
  auto const set = random_set({true, true, true}, 21);
  double const cutoff = 2.4;
  mpi::domain<double> const parts(comm, set.box);
  auto const ids = owned_ids(set, parts, comm.rank());
  mpi::halo<space_type, double> halo;
  auto positions = to_positions(points_of(set, ids));
  halo.build(comm, space_type(), parts, positions, cutoff);
  auto const interior = to_vector(halo.interior_rows(space_type(), positions));
  auto const border = to_vector(halo.border_rows());
  Kokkos::resize(positions, halo.owned() + halo.ghosts());
  halo.exchange(space_type(), positions);
  space_type().fence();
  auto const x = to_points(positions);
  auto const images = to_vector(halo.images());
  auto const close = [&](point const& i, point const& j, int const* s) {
    double r2 = 0;
    for (int d = 0; d < 3; ++d) {
      double const e = (j.x[d] - i.x[d]) + set.box.shift(upsweep::image(s[0], s[1], s[2]))[d];
      r2 += e * e;
    }
    return r2 <= cutoff * cutoff;
  };
  // Particles in the interior have no ghosts as neighbours.
  std::vector<int> is_interior(halo.owned(), -1);
  for (auto const i : interior) is_interior[i] = 1;
  for (auto const i : border) is_interior[i] = 0;
  EXPECT_EQ(interior.size() + border.size(), halo.owned());
  EXPECT_EQ(std::count(is_interior.begin(), is_interior.end(), -1), 0);
  EXPECT_TRUE(std::is_sorted(interior.begin(), interior.end()) && std::is_sorted(border.begin(), border.end()));
  std::int64_t pairs = 0;
  for (std::size_t i = 0; i < halo.owned(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      int const s[3] = {images[j].x(), images[j].y(), images[j].z()};
      if (i == j || !close(x[i], x[j], s)) continue;
      ++pairs;
      if (j >= halo.owned()) {
        EXPECT_EQ(is_interior[i], 0);
      }
    }
  std::int64_t total = 0, expected = 0;
  MPI_Allreduce(&pairs, &total, 1, MPI_INT64_T, MPI_SUM, comm.get());
  for (auto const& i : set.points)
    for (auto const& j : set.points)
      for (int k = 0; k < 27; ++k) {
        int const s[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        if ((&i != &j || k != 13) && close(i, j, s)) ++expected;
      }
  EXPECT_EQ(total, expected);
}

namespace {
/// How many ghosts every particle has, from the ghosts' ids on all ranks.
std::vector<std::int64_t> ghosts_of_each(particle_set const& set, std::vector<std::int64_t> const& ids,
                                         mpi::halo<space_type, double>& halo) {
  auto all = to_view(ids);
  Kokkos::resize(all, halo.owned() + halo.ghosts());
  halo.exchange(space_type(), all);
  space_type().fence();
  auto const got = to_vector(all);
  std::vector<std::int64_t> here(set.points.size()), total(here);
  for (std::size_t i = halo.owned(); i < got.size(); ++i) ++here[static_cast<std::size_t>(got[i])];
  MPI_Allreduce(here.data(), total.data(), static_cast<int>(here.size()), MPI_INT64_T, MPI_SUM, world().get());
  return total;
}

/// Every ghost adds (rank + 1) times what is in its row; rows of owners had 1000 * (id + 1).
template <class View>
void expect_sums(particle_set const& set, mpi::domain<double> const& parts, double radius) {
  using T = typename View::value_type;
  auto const& comm = world();
  auto const ids = owned_ids(set, parts, comm.rank());
  mpi::halo<space_type, double> halo;
  halo.build(comm, space_type(), parts, to_positions(points_of(set, ids)), radius);
  auto const ghosts = ghosts_of_each(set, ids, halo);
  std::size_t const all = halo.owned() + halo.ghosts();
  View const table("table", all, 3);
  oracle::host_copy const host(table);
  for (std::size_t i = 0; i < all; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      host(i, k) = i < halo.owned() ? static_cast<T>(1000 * (ids[i] + 1)) : static_cast<T>(k) - T(1);
  host.write();
  for (int round = 1; round < 3; ++round) {
    halo.reverse_add(space_type(), table);
    space_type().fence();
    host.fetch();
    for (std::size_t i = 0; i < all; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        T const of_ghost = static_cast<T>(k) - T(1);
        T const expected = i < halo.owned()
                               ? static_cast<T>(1000 * (ids[i] + 1)) +
                                     static_cast<T>(round * ghosts[static_cast<std::size_t>(ids[i])]) * of_ghost
                               : of_ghost;
        ASSERT_EQ(host(i, k), expected) << "row " << i << ", column " << k;
      }
  }
}
}  // namespace

TEST(halo, reverse_adds_ghosts_to_owners) {
  auto const set = lattice_set({true, true, false});
  mpi::domain<double> const parts(world(), set.box), thin(world(), set.box, {world().size(), 1, 1});
  expect_sums<Kokkos::View<std::int64_t**, Kokkos::LayoutRight, memory_space>>(set, parts, 2.0);
  expect_sums<Kokkos::View<std::uint64_t**, Kokkos::LayoutLeft, memory_space>>(set, parts, 2.0);
  expect_sums<Kokkos::View<int**, Kokkos::LayoutLeft, memory_space>>(set, thin, 14.0);
  expect_sums<Kokkos::View<unsigned**, Kokkos::LayoutRight, memory_space>>(set, thin, 14.0);
}

// Where all particles are one rank's, and where there are none.
TEST(halo, reverse_add_of_empty_ranks) {
  particle_set set{"few", upsweep::box<double>({0, 0, 0}, {12, 12, 12}), {{{0.5, 0.5, 0.5}}, {{0.5, 0.5, 0.6}}}};
  using table = Kokkos::View<std::int64_t**, Kokkos::LayoutRight, memory_space>;
  expect_sums<table>(set, mpi::domain<double>(world(), set.box), 2.0);
  set.points.clear();
  expect_sums<table>(set, mpi::domain<double>(world(), set.box), 2.0);
}

// A rank and its own images need no messages: the first call of MPI that starts one would fail here.
TEST(halo, images_of_one_rank_make_no_messages) {
  mpi::communicator const alone(MPI_COMM_SELF);
  auto const set = lattice_set({true, true, true});
  mpi::domain<double> const parts(alone, set.box);
  auto const ids = owned_ids(set, parts, 0);
  failing_call const sending(isend_errors, 0), receiving(irecv_errors, 0), waiting(waitall_errors, 0);
  mpi::halo<space_type, double> halo;
  halo.build(alone, space_type(), parts, to_positions(set.points), 2.0);
  ASSERT_EQ(halo.ghosts(), halo.sent());
  ASSERT_GT(halo.ghosts(), 0u);
  auto all = to_view(ids);
  Kokkos::resize(all, halo.owned() + halo.ghosts());
  halo.exchange(space_type(), all);
  halo.reverse_add(space_type(), all);
  space_type().fence();
  auto const got = to_vector(all);
  auto const ghosts = got.begin() + static_cast<std::ptrdiff_t>(halo.owned());
  EXPECT_EQ(
      std::accumulate(got.begin(), ghosts, std::int64_t(0)),
      std::accumulate(ids.begin(), ids.end(), std::int64_t(0)) + std::accumulate(ghosts, got.end(), std::int64_t(0)));
  EXPECT_FALSE(sending.happened() || receiving.happened() || waiting.happened());
}

TEST(halo, reverse_add_that_fails_adds_nothing) {
  auto const& comm = world();
  auto const set = lattice_set({true, true, true});
  mpi::domain<double> const parts(comm, set.box);
  auto const ids = owned_ids(set, parts, comm.rank());
  mpi::halo<space_type, double> halo;
  view<int> const none("none", 0);
  auto const text = message_of<upsweep::precondition_error>([&] { halo.reverse_add(space_type(), none); });
  EXPECT_EQ(text, "mpi::halo::reverse_add: called before build, or after a build that failed");
  halo.build(comm, space_type(), parts, to_positions(points_of(set, ids)), 2.0);
  int const culprit = comm.size() - 1;
  std::vector<int> const ones(halo.owned() + halo.ghosts(), 1);
  auto const good = to_view(ones);
  view<int> const shorter("shorter", halo.owned());
  EXPECT_THROW(halo.reverse_add(space_type(), comm.rank() == culprit ? shorter : good), upsweep::precondition_error);
  space_type().fence();
  EXPECT_EQ(to_vector(good), ones);
}

TEST(halo, rebuild_and_column_major_views) {
  auto const& comm = world();
  auto const set = lattice_set({true, true, true});
  mpi::domain<double> const parts(comm, set.box);
  auto const ids = owned_ids(set, parts, comm.rank());
  auto const points = points_of(set, ids);
  mpi::halo<space_type, double> halo;
  for (double const radius : {2.0, 1.0, 2.3}) {
    halo.build(comm, space_type(), parts, to_positions(points), radius);
    Kokkos::View<double**, Kokkos::LayoutLeft, memory_space> table("table", halo.owned() + halo.ghosts(), 5);
    oracle::host_copy const host(table);
    for (std::size_t i = 0; i < halo.owned(); ++i)
      for (std::size_t k = 0; k < 5; ++k) host(i, k) = static_cast<double>(ids[i]) * 10 + static_cast<double>(k);
    host.write();
    auto all = to_view(ids);
    Kokkos::resize(all, table.extent(0));
    halo.exchange(space_type(), table);
    halo.exchange(space_type(), all);
    space_type().fence();
    host.fetch();
    auto const got = to_vector(all);
    for (std::size_t i = 0; i < got.size(); ++i)
      for (std::size_t k = 0; k < 5; ++k)
        EXPECT_EQ(host(i, k), static_cast<double>(got[i]) * 10 + static_cast<double>(k));
  }
}

TEST(halo, errors_on_all_ranks) {
  auto const& comm = world();
  upsweep::box<double> const box({0, 0, 0}, {10, 10, 12});
  mpi::domain<double> const parts(comm, box, {1, 1, comm.size()});
  mpi::halo<space_type, double> halo;
  auto const nobody = to_positions({});
  EXPECT_THROW(halo.exchange(space_type(), nobody), upsweep::precondition_error);
  auto const far =
      message_of<upsweep::precondition_error>([&] { halo.build(comm, space_type(), parts, nobody, 5091.0); });
  EXPECT_EQ(
      far,
      "rank 0: mpi::halo::build: radius = 5091 is more than 509 lengths of the box in direction x, which is 10 long");
  EXPECT_THROW(halo.build(comm, space_type(), parts, nobody, -1.0), upsweep::precondition_error);
  EXPECT_THROW(halo.build(comm, space_type(), parts, nobody, std::nan("")), upsweep::precondition_error);
  if (comm.size() > 1) {
    EXPECT_THROW(halo.build(comm, space_type(), parts, nobody, comm.rank() == 0 ? 1.0 : 1.1),
                 upsweep::precondition_error);
  }
  // A particle outside of the box, or of its brick.
  auto const astray =
      to_positions(comm.rank() == 0 ? std::vector<point>{{{1, 1, 0.5}}, {{1, 1, -0.5}}} : std::vector<point>{});
  auto const text =
      message_of<upsweep::precondition_error>([&] { halo.build(comm, space_type(), parts, astray, 1.0); });
  EXPECT_EQ(text.rfind("rank 0: mpi::halo::build: particle 1 at (1, 1, -0.5)", 0), 0u) << text;
}

namespace {
/// A halo of a lattice whose ghosts' ids are exchanged.
struct built_halo {
  particle_set set = lattice_set({true, true, true});
  mpi::domain<double> parts{world(), set.box};
  std::vector<std::int64_t> ids = owned_ids(set, parts, world().rank());
  mpi::halo<space_type, double> halo;

  void build() { halo.build(world(), space_type(), parts, to_positions(points_of(set, ids)), 2.0); }
  view<std::int64_t> id_view() const {
    auto all = to_view(ids);
    Kokkos::resize(all, halo.owned() + halo.ghosts());
    return all;
  }
};
}  // namespace

TEST(halo, failed_build_refuses_exchange_on_all_ranks) {
  built_halo h;
  h.build();
  auto const ids = h.id_view();
  // Rank 0 has a particle of somebody else, so that the build fails after ranks have agreed on its arguments.
  auto const astray = to_positions(world().rank() == 0 ? std::vector<point>{{{1, 1, -0.5}}} : std::vector<point>{});
  EXPECT_THROW(h.halo.build(world(), space_type(), h.parts, astray, 2.0), upsweep::precondition_error);
  EXPECT_EQ(h.halo.owned() + h.halo.ghosts(), 0u);
  auto const text = message_of<upsweep::precondition_error>([&] { h.halo.exchange(space_type(), ids); });
  EXPECT_EQ(text, "mpi::halo::exchange: called before build, or after a build that failed");
  h.build();
  h.halo.exchange(space_type(), h.id_view());
  space_type().fence();
}

TEST(halo, bad_view_on_one_rank_is_an_error_on_all) {
  auto const& comm = world();
  built_halo h;
  h.build();
  auto const ids = h.id_view();
  int const culprit = comm.size() - 1;
  view<std::int64_t> const shorter("shorter", h.halo.owned());
  auto const text = message_of<upsweep::precondition_error>(
      [&] { h.halo.exchange(space_type(), comm.rank() == culprit ? shorter : ids); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(culprit) + ": mpi::halo::exchange: shorter has ", 0), 0u) << text;
  if (comm.size() > 1) {
    view<int> const other("other", ids.extent(0));
    EXPECT_THROW(
        {
          if (comm.rank() == culprit) h.halo.exchange(space_type(), other);
          else h.halo.exchange(space_type(), ids);
        },
        upsweep::precondition_error);
  }
  // The halo works as before.
  h.halo.exchange(space_type(), ids);
  space_type().fence();
  auto const got = to_vector(ids);
  auto const images = to_vector(h.halo.images());
  ASSERT_EQ(got.size(), images.size());
  for (std::size_t i = h.halo.owned(); i < got.size(); ++i) {
    ASSERT_LT(static_cast<std::size_t>(got[i]), h.set.points.size());
    auto const& x = h.set.points[static_cast<std::size_t>(got[i])].x;
    EXPECT_TRUE(images[i] != upsweep::image(0, 0, 0) || h.parts.owner(x[0], x[1], x[2]) != comm.rank());
  }
}

TEST(halo, other_domain_on_one_rank_is_refused) {
  if (world().size() == 1) return;
  upsweep::box<double> const box({0, 0, 0}, {24, 24, 24});
  mpi::domain<double> const along_x(world(), box, {world().size(), 1, 1});
  mpi::domain<double> const along_z(world(), box, {1, 1, world().size()});
  mpi::halo<space_type, double> halo;
  EXPECT_THROW(halo.build(world(), space_type(), world().rank() == 0 ? along_x : along_z, to_positions({}), 1.0),
               upsweep::precondition_error);
}
