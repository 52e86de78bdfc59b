// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "campaign.hpp"

#include "../mpi/particles.hpp"
#include "../mpi/wide_states.hpp"

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/bisect.hpp>
#include <upsweep/mpi/counts_to_offsets.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/mpi/gpu_aware.hpp>
#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/inclusive_scan.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/mpi/redistribute.hpp>
#include <upsweep/mpi/redistribute_rows.hpp>
#include <upsweep/scan/study/engines.hpp>

#include <optional>

using namespace testing_mpi;
using namespace testing_faults;
namespace mpi = upsweep::mpi;

namespace {

constexpr int elements = 300;

/// A communicator that takes the way through host memory on every machine.
mpi::communicator const& staged_world() {
  static mpi::communicator const comm = [] {
    mpi::communicator result(MPI_COMM_WORLD);
    mpi::detail::access::transfers(result).known[memory_space::name()] = {mpi::detail::way::staged,
                                                                          "staged for a test"};
    return result;
  }();
  return comm;
}

struct make_communicator {
  std::optional<mpi::communicator> comm;
  void run() { comm.emplace(MPI_COMM_WORLD); }
  void check() const {
    EXPECT_EQ(comm->size(), world().size());
    EXPECT_EQ(mpi::exclusive_offset(*comm, 2).total, 2u * static_cast<unsigned>(comm->size()));
  }
};

struct agree_on_nothing {
  void run() const { mpi::agree(world(), error_kind::none, ""); }
  void check() const {}
};
struct agree_on_an_error {
  std::string message = std::string(300, 'x');
  void run() const { mpi::agree(world(), error_kind::input, message); }
  void check() const {}
};

struct offset {
  mpi::rank_offset result{};
  void run() { result = mpi::exclusive_offset(world(), 3); }
  void check() const { EXPECT_EQ(result.offset, 3u * static_cast<unsigned>(world().rank())); }
};

// Calls hold their instance: some versions of Kokkos allocate when one is made, which would fail before the ranks meet.

/// Ones.
template <bool Inclusive>
struct scan_of_ones {
  space_type space{};
  view<std::int64_t> in = to_view(std::vector<std::int64_t>(elements, 1)), out{"out", elements};
  void run() {
    if constexpr (Inclusive) mpi::inclusive_scan(world(), space, in, out);
    else mpi::exclusive_scan(world(), space, in, out);
  }
  void check() const {
    auto const got = to_vector(out);
    EXPECT_EQ(got[0], elements * world().rank() + (Inclusive ? 1 : 0));
    EXPECT_EQ(got[elements - 1], elements * (world().rank() + 1) - (Inclusive ? 0 : 1));
  }
};

struct scan_of_wide_states {
  space_type space{};
  view<std::int64_t> in = to_view(std::vector<std::int64_t>(elements, 1)), out{"out", elements};
  void run() { mpi::exclusive_scan(world(), space, in, out, wide_plus{}); }
  void check() const { EXPECT_EQ(to_vector(out)[elements - 1], elements * (world().rank() + 1) - 1); }
};

struct make_domain {
  upsweep::box<double> box{{0, 0, 0}, {10, 10, 10}};
  std::optional<mpi::domain<double>> parts;
  void run() { parts.emplace(world(), box); }
  void check() const { EXPECT_EQ(parts->size(), world().size()); }
};

struct make_bisection {
  space_type space{};
  upsweep::box<double> box{{0, 0, 0}, {10, 10, 10}};
  positions_view positions = to_positions({{{1, 1, 1}}, {{2, 7, 1}}, {{9, 3, 5}}});
  std::optional<mpi::domain<double>> parts;
  void run() { parts.emplace(mpi::bisect(world(), space, box, positions)); }
  void check() const { EXPECT_EQ(parts->cuts().size() + 1, static_cast<std::size_t>(world().size())); }
};

/// Row i of every rank goes to rank (i + 1) % size, where it arrives by source, in order.
std::vector<int> next_ranks() {
  std::vector<int> to;
  for (int i = 0; i < elements; ++i) to.push_back((i + 1) % world().size());
  return to;
}
std::vector<std::int64_t> own_ids() {
  std::vector<std::int64_t> ids;
  for (int i = 0; i < elements; ++i) ids.push_back(1000 * world().rank() + i);
  return ids;
}
std::vector<std::int64_t> expected_ids() {
  std::vector<std::int64_t> ids;
  for (int r = 0; r < world().size(); ++r)
    for (int i = 0; i < elements; ++i)
      if ((i + 1) % world().size() == world().rank()) ids.push_back(1000 * r + i);
  return ids;
}

struct redistribution {
  space_type space{};
  mpi::communicator const* comm = &world();
  view<int> to = to_view(next_ranks());
  view<std::int64_t> ids = to_view(own_ids());
  Kokkos::View<double**, Kokkos::LayoutLeft, memory_space> table{"table", elements, 2};
  void run() { mpi::redistribute(*comm, space, to, ids, table); }
  void check() const {
    EXPECT_EQ(to_vector(ids), expected_ids());
    EXPECT_EQ(table.extent(0), ids.extent(0));
  }
};

/// Rows of one, two and three elements.
struct redistribution_of_rows {
  space_type space{};
  view<int> to = to_view(next_ranks());
  view<std::size_t> offsets;
  view<std::int64_t> values;
  static std::size_t length(std::int64_t id) { return static_cast<std::size_t>(1 + id % 3); }
  static std::vector<std::int64_t> values_of(std::vector<std::int64_t> const& ids) {
    std::vector<std::int64_t> all;
    for (auto const id : ids) all.insert(all.end(), length(id), id);
    return all;
  }
  static std::vector<std::size_t> offsets_of(std::vector<std::int64_t> const& ids) {
    std::vector<std::size_t> all{0};
    for (auto const id : ids) all.push_back(all.back() + length(id));
    return all;
  }
  redistribution_of_rows() : offsets(to_view(offsets_of(own_ids()))), values(to_view(values_of(own_ids()))) {}
  void run() { mpi::redistribute_rows(world(), space, to, offsets, values); }
  void check() const {
    EXPECT_EQ(to_vector(offsets), offsets_of(expected_ids()));
    EXPECT_EQ(to_vector(values), values_of(expected_ids()));
  }
};

/// Particles of a lattice on the ranks that own them.
struct lattice {
  particle_set set = lattice_set({true, true, false});
  mpi::domain<double> parts{world(), set.box};
  std::vector<std::int64_t> ids = owned_ids(set, parts, world().rank());
  positions_view positions = to_positions(points_of(set, ids));
};
lattice const& the_lattice() {
  static std::optional<lattice> one;
  if (!one) {
    one.emplace();
    Kokkos::push_finalize_hook([] { one.reset(); });
  }
  return *one;
}
using halo_type = mpi::halo<space_type, double>;

/// What the ghosts are, from an exchange that nobody disturbs.
std::vector<std::int64_t> ghost_ids(halo_type& halo) {
  auto ids = to_view(the_lattice().ids);
  Kokkos::resize(ids, halo.owned() + halo.ghosts());
  halo.exchange(space_type(), ids);
  space_type().fence();
  return to_vector(ids);
}
std::vector<std::int64_t> const& expected_ghost_ids() {
  static std::vector<std::int64_t> const ids = [] {
    halo_type halo;
    halo.build(world(), space_type(), the_lattice().parts, the_lattice().positions, 2.0);
    return ghost_ids(halo);
  }();
  return ids;
}

struct halo_build {
  space_type space{};
  mpi::communicator const* comm = &world();
  halo_type halo;
  void run() { halo.build(*comm, space, the_lattice().parts, the_lattice().positions, 2.0); }
  void check() { EXPECT_EQ(ghost_ids(halo), expected_ghost_ids()); }
};

/// Rows longer than build has reserved for, and columns that are unpacked; staged or not.
struct halo_exchange {
  space_type space{};
  halo_type halo;
  Kokkos::View<double**, Kokkos::LayoutLeft, memory_space> table;
  explicit halo_exchange(mpi::communicator const& comm) {
    halo.build(comm, space_type(), the_lattice().parts, the_lattice().positions, 2.0);
    table = decltype(table)("table", halo.owned() + halo.ghosts(), 7);
    oracle::host_copy const host(table);
    for (std::size_t i = 0; i < halo.owned(); ++i) host(i, 6) = static_cast<double>(the_lattice().ids[i]);
    host.write();
  }
  void run() {
    halo.exchange(space, table);
    halo.start_exchange(space, table);
    halo.finish_exchange(space, table);
  }
  void check() const {
    space_type().fence();
    oracle::host_copy const host(table);
    for (std::size_t i = 0; i < expected_ghost_ids().size(); ++i)
      ASSERT_EQ(host(i, 6), static_cast<double>(expected_ghost_ids()[i]));
  }
};

/// The way back, of rows longer than build has reserved for: every ghost counts.
struct halo_reverse {
  space_type space{};
  halo_type halo;
  Kokkos::View<std::int64_t**, Kokkos::LayoutLeft, memory_space> table;
  explicit halo_reverse(mpi::communicator const& comm) {
    halo.build(comm, space_type(), the_lattice().parts, the_lattice().positions, 2.0);
    table = decltype(table)("table", halo.owned() + halo.ghosts(), 7);
    Kokkos::deep_copy(table, 1);
  }
  void run() { halo.reverse_add(space, table); }
  void check() const {
    space_type().fence();
    oracle::host_copy const host(table);
    std::int64_t const owned = static_cast<std::int64_t>(halo.owned());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < halo.owned(); ++i) sum += host(i, 6);
    EXPECT_EQ(sum, owned + static_cast<std::int64_t>(halo.sent())) << "every ghost that was given is added once";
  }
};

/// All particles of rank 0 belong elsewhere, or are boxes away.
struct migration {
  space_type space{};
  std::vector<std::int64_t> start;
  positions_view positions;
  Kokkos::View<int* [3], memory_space> crossings;
  view<std::int64_t> ids;
  migration() {
    auto const& set = the_lattice().set;
    std::vector<point> points;
    for (std::size_t i = 0; i < set.points.size(); ++i)
      if (static_cast<int>(i % static_cast<std::size_t>(world().size())) == world().rank()) {
        start.push_back(static_cast<std::int64_t>(i));
        points.push_back(set.points[i]);
        points.back().x[0] += 24;
      }
    positions = to_positions(points);
    crossings = decltype(crossings)("crossings", points.size());
    ids = to_view(start);
  }
  void run() { mpi::migrate_and_count(world(), space, the_lattice().parts, positions, crossings, ids); }
  void check() const {
    auto got = to_vector(ids);
    auto const points = to_points(positions);
    oracle::host_copy const counts(crossings);
    ASSERT_EQ(points.size(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(points[i].x[0], the_lattice().set.points[static_cast<std::size_t>(got[i])].x[0]);
      EXPECT_EQ(counts(i, 0), 2);
    }
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, the_lattice().ids);
  }
};

/// The self-test of device pointers, here with host memory: an MPI that does not know device pointers would crash.
struct self_test {
  Kokkos::DefaultHostExecutionSpace space;
  bool arrived = false;
  void run() { arrived = mpi::detail::device_pointers_arrive(world(), space); }
  void check() const { EXPECT_TRUE(arrived); }
};

void scans(int stride) {
  fail_each_allocation("communicator", 1, [] { return make_communicator(); });
  fail_each_allocation("agree", 1, [] { return agree_on_nothing(); });
  fail_each_allocation("agree on an error", 1, [] { return agree_on_an_error(); }, error_kind::input);
  fail_each_allocation("exclusive_offset", 1, [] { return offset(); });
  fail_each_allocation("exclusive_scan", stride, [] { return scan_of_ones<false>(); });
  fail_each_allocation("inclusive_scan", stride, [] { return scan_of_ones<true>(); });
  fail_each_allocation("exclusive_scan of wide states", stride, [] { return scan_of_wide_states(); });
}
void rows(int stride) {
  fail_each_allocation("redistribute", stride, [] { return redistribution(); });
  fail_each_allocation("redistribute, staged", stride, [] { return redistribution{.comm = &staged_world()}; });
  fail_each_allocation("redistribute_rows", stride, [] { return redistribution_of_rows(); });
}
void particles(int stride) {
  static_cast<void>(expected_ghost_ids());
  fail_each_allocation("domain", 1, [] { return make_domain(); });
  fail_each_allocation("bisect", stride, [] { return make_bisection(); });
  fail_each_allocation("halo::build", stride, [] { return halo_build(); });
  fail_each_allocation("halo::build, staged", stride, [] { return halo_build{.comm = &staged_world(), .halo = {}}; });
  fail_each_allocation("halo::exchange", 1, [] { return halo_exchange(world()); });
  fail_each_allocation("halo::exchange, staged", 1, [] { return halo_exchange(staged_world()); });
  fail_each_allocation("halo::reverse_add", 1, [] { return halo_reverse(world()); });
  fail_each_allocation("halo::reverse_add, staged", 1, [] { return halo_reverse(staged_world()); });
  fail_each_allocation("migrate", stride, [] { return migration(); });
  fail_each_allocation("self-test of device pointers", stride, [] { return self_test(); });
}

}  // namespace

TEST(allocation_failures, scans_agree) { scans(5); }
TEST(allocation_failures, rows_agree) { rows(13); }
TEST(allocation_failures, particles_agree) { particles(13); }

/// A scan in place, while one allocation after the other fails on one rank.
template <class Scan>
void scan_out_of_memory(Scan const& scan) {
  constexpr std::size_t least_bytes = 512;  // less is for names of kernels, which the scan itself takes
  std::vector<std::int64_t> const ones(100000, 1);
  scan(to_view(ones));  // Kokkos takes its own memory at the first kernel, and keeps it
  for (int culprit = 0; culprit < world().size(); ++culprit) {
    std::int64_t failures = 0;
    for (int failed = 1; failed != 0; ++failures) {
      hang_guard const guard("a scan in place", culprit, failures);
      auto const values = to_view(ones);
      auto outcome = error_kind::none;
      failing_memory::arm(world().rank() == culprit ? failures : failing_memory::never, least_bytes);
      try {
        scan(values);
      } catch (upsweep::error const& e) {
        outcome = e.kind();
      }
      failing_memory::disarm();
      int const mine = failing_memory::has_failed() ? 1 : 0;
      MPI_Allreduce(&mine, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      EXPECT_EQ(outcome, failed != 0 ? error_kind::out_of_memory : error_kind::none);
      EXPECT_TRUE(failed == 0 || to_vector(values) == ones) << "allocation " << failures << " on rank " << culprit;
      if (any_rank_failed()) return;
    }
    // Memory of a device does not come from operator new.
    bool const on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible;
    EXPECT_TRUE(failures > 1 || !on_host) << "a scan takes memory";
  }
}

// A rank that ran out of memory after the others had scanned in place would leave them without their elements. One
// engine takes ordinary memory, one that of a protocol.
TEST(allocation_failures, scans_take_their_memory_before_they_write) {
  space_type const space;
  auto const scan_with = [&]<class Options>(Options const& options) {
    scan_out_of_memory([&](view<std::int64_t> const& values) {
      mpi::exclusive_scan(world(), space, values, values, upsweep::plus<>{}, options);
    });
  };
  scan_with(upsweep::basic_scan_options<upsweep::engine::two_level>{});
  if (!any_rank_failed()) scan_with(upsweep::basic_scan_options<upsweep::study::one_lane_look_back>{});
  if (any_rank_failed()) return;
  scan_out_of_memory([&](view<std::int64_t> const& values) {
    auto const counts = Kokkos::subview(values, std::make_pair(std::size_t(0), values.extent(0) - 1));
    mpi::counts_to_offsets(world(), space, counts, values, upsweep::basic_scan_options<upsweep::engine::two_level>{});
  });
}

TEST(long_allocation_failures, scans_agree) { scans(1); }
TEST(long_allocation_failures, rows_agree) { rows(1); }
TEST(long_allocation_failures, particles_agree) { particles(1); }
