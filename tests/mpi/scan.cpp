// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../contracts/options.hpp"
#include "../oracle/monoids.hpp"
#include "testing.hpp"

#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/mpi/inclusive_scan.hpp>

#include <numeric>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

using oracle::matrix;
using oracle::matrix_product;

/// Counts elements, and lowers to the parity of the count: a state that differs from input and output.
struct parity {
  using value_type = std::uint64_t;
  KOKKOS_FUNCTION std::uint64_t identity() const { return 0; }
  KOKKOS_FUNCTION std::uint64_t operator()(std::uint64_t l, std::uint64_t r) const { return l + r; }
  KOKKOS_FUNCTION std::uint64_t lift(int) const { return 1; }
  KOKKOS_FUNCTION bool lower(std::uint64_t n) const { return n % 2 == 1; }
};

/// How many elements each rank has: nothing, a few, or many.
std::size_t share(int rank, int shape) {
  switch (shape) {
    case 0: return 0;
    case 1: return rank % 2 == 0 ? 0 : 5;
    case 2: return static_cast<std::size_t>(1 + rank);
    default: return rank == 1 ? 0 : 30011u + 17u * static_cast<std::size_t>(rank);
  }
}

template <class T, class Monoid, class Make>
void expect_oracle(mpi::communicator const& comm, int shape, Monoid const& monoid, Make const& make) {
  std::vector<T> local(share(comm.rank(), shape));
  random_numbers random{static_cast<std::uint64_t>(comm.rank()) * 1000 + static_cast<std::uint64_t>(shape)};
  for (auto& x : local) x = make(random);
  auto const all = gathered(comm, local);
  std::size_t first = 0;
  for (int r = 0; r < comm.rank(); ++r) first += share(r, shape);
  std::vector<T> exclusive(all.size()), inclusive(all.size());
  std::exclusive_scan(all.begin(), all.end(), exclusive.begin(), monoid.identity(), monoid);
  std::inclusive_scan(all.begin(), all.end(), inclusive.begin(), monoid);

  auto const in = to_view(local);
  view<T> out("out", local.size());
  auto const expect = [&](std::vector<T> const& whole) {
    auto const got = to_vector(out);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_TRUE(got[i] == whole[first + i]) << "shape " << shape << ", element " << i;
  };
  mpi::exclusive_scan(comm, space_type(), in, out, monoid);
  expect(exclusive);
  mpi::inclusive_scan(comm, space_type(), in, out, monoid);
  expect(inclusive);
}

}  // namespace

TEST(mpi_scan, sums) {
  for (int shape = 0; shape < 4; ++shape)
    expect_oracle<std::int64_t>(world(), shape, upsweep::plus<std::int64_t>{},
                                [](random_numbers& r) { return static_cast<std::int64_t>(r.below(1000)) - 500; });
}

TEST(mpi_scan, matrices_keep_their_order) {
  for (int shape = 0; shape < 4; ++shape)
    expect_oracle<matrix>(world(), shape, matrix_product{}, [](random_numbers& r) {
      auto const e = [&] { return static_cast<std::uint32_t>(r.below(matrix_product::p)); };
      return matrix{e(), e(), e(), e()};
    });
}

TEST(mpi_scan, sub_communicators) {
  MPI_Comm half = MPI_COMM_NULL;
  // Reversed order, so that a rank's place differs from that in the world.
  MPI_Comm_split(MPI_COMM_WORLD, world().rank() % 2, -world().rank(), &half);
  {
    mpi::communicator const comm(half);
    expect_oracle<std::int64_t>(comm, 3, upsweep::plus<std::int64_t>{},
                                [](random_numbers& r) { return static_cast<std::int64_t>(r.below(1000)); });
  }
  MPI_Comm_free(&half);
}

TEST(mpi_scan, state_other_than_input_and_output) {
  auto const& comm = world();
  std::size_t const n = static_cast<std::size_t>(3 + comm.rank());
  auto const in = to_view(std::vector<int>(n, 9));
  view<bool> out("out", n);
  upsweep::workspace ws{space_type()};
  mpi::exclusive_scan(comm, space_type(), in, out, parity{}, {.workspace = &ws});
  std::size_t first = 0;
  for (int r = 0; r < comm.rank(); ++r) first += static_cast<std::size_t>(3 + r);
  auto const got = to_vector(out);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(got[i], (first + i) % 2 == 1);
}

namespace {
/// States that do not fit in one record, with a parameter: matrices modulo p, and a label that takes room.
struct labelled_matrix {
  matrix m;
  std::uint64_t label[8];
  friend bool operator==(labelled_matrix const&, labelled_matrix const&) = default;
};
struct product_modulo {
  using value_type = labelled_matrix;
  std::uint64_t p;
  KOKKOS_FUNCTION labelled_matrix identity() const { return {{1, 0, 0, 1}, {}}; }
  KOKKOS_FUNCTION labelled_matrix operator()(labelled_matrix const& l, labelled_matrix const& r) const {
    auto const dot = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t w) {
      return static_cast<std::uint32_t>((x * y + z * w) % p);
    };
    return {{dot(l.m.a, r.m.a, l.m.b, r.m.c), dot(l.m.a, r.m.b, l.m.b, r.m.d), dot(l.m.c, r.m.a, l.m.d, r.m.c),
             dot(l.m.c, r.m.b, l.m.d, r.m.d)},
            {l.label[0] + r.label[0]}};
  }
};

/// A factor whose bytes do not decide equality: 0.0 and -0.0 are the same. So it compares itself.
struct discounted_sum {
  using value_type = double;
  double factor;
  KOKKOS_FUNCTION double identity() const { return 0; }
  KOKKOS_FUNCTION double operator()(double l, double r) const { return l + r; }
  KOKKOS_FUNCTION double lift(double x) const { return x * factor; }
  std::uint64_t fingerprint() const { return static_cast<std::uint64_t>(factor * 1024); }
};
}  // namespace

TEST(mpi_scan, large_states_keep_their_order) {
  for (int shape = 0; shape < 4; ++shape)
    expect_oracle<labelled_matrix>(world(), shape, product_modulo{65521}, [](random_numbers& r) {
      auto const e = [&] { return static_cast<std::uint32_t>(r.below(65521)); };
      return labelled_matrix{{e(), e(), e(), e()}, {r.below(9)}};
    });
}

TEST(mpi_scan, parameters_that_differ_are_refused_on_all_ranks) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  bool const last = comm.rank() == comm.size() - 1;
  view<labelled_matrix> const in("in", 4), out("out", 4);
  EXPECT_THROW(mpi::exclusive_scan(comm, space_type(), in, out, product_modulo{last ? 7u : 11u}),
               upsweep::precondition_error);
  view<double> const numbers("numbers", 3), sums("sums", 3);
  EXPECT_THROW(mpi::inclusive_scan(comm, space_type(), numbers, sums, discounted_sum{last ? 0.5 : 0.25}),
               upsweep::precondition_error);
  EXPECT_NO_THROW(mpi::inclusive_scan(comm, space_type(), numbers, sums, discounted_sum{0.5}));
}

// One rank scans states that fit in a record, the others states that do not.
TEST(mpi_scan, states_of_other_sizes_are_refused_on_all_ranks) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  EXPECT_THROW(
      {
        if (comm.rank() == 0) mpi::exclusive_scan(comm, space_type(), view<int>("in", 4), view<int>("out", 4));
        else
          mpi::exclusive_scan(comm, space_type(), view<labelled_matrix>("in", 4), view<labelled_matrix>("out", 4),
                              product_modulo{7});
      },
      upsweep::precondition_error);
}

namespace {
/// Ones, which counts how often it is asked.
struct counted_ones {
  Kokkos::View<std::int64_t, memory_space> calls;
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t) const {
    Kokkos::atomic_inc(&calls());
    return 1;
  }
};
/// How often a scan asks for elements.
template <class Scan>
std::int64_t reads_of(std::size_t n, Scan const& scan) {
  counted_ones const in{Kokkos::View<std::int64_t, memory_space>("calls")};
  view<std::int64_t> const out("out", n);
  scan(in, out);
  space_type().fence();
  return oracle::value_of(in.calls);
}
}  // namespace

// A rank's total is what ranks behind it need, so the last rank does not reduce; nor does one alone. The others read
// each element once more. On GPUs a reduction may also ask for elements that it then leaves out.
TEST(mpi_scan, the_last_rank_does_not_reduce) {
  auto const& comm = world();
  constexpr std::size_t n = 20011;
  std::int64_t const local = reads_of(
      n, [](auto const& in, auto const& out) { upsweep::exclusive_scan(space_type(), in, out, 5, upsweep::plus<>{}); });
  std::int64_t const all =
      reads_of(n, [&](auto const& in, auto const& out) { mpi::exclusive_scan(comm, space_type(), in, out); });
  if (comm.rank() + 1 == comm.size()) {
    EXPECT_EQ(all, local);
  } else {
    EXPECT_GE(all, local + static_cast<std::int64_t>(n));
    if (!upsweep::compat::is_gpu<space_type>) {
      EXPECT_EQ(all, local + static_cast<std::int64_t>(n));
    }
  }
}

/// Workspace and label of both scans; all ranks make the calls alike.
std::vector<contracts::call> scans_with_options() {
  using contracts::promise;
  view<int> const in("in", 200003), out("out", 200003);
  auto const o = [](upsweep::call_options const& p) {
    return upsweep::scan_options{.workspace = p.workspace, .label = p.label};
  };
  return {{"mpi::exclusive_scan", promise::waits,
           [=](auto const& s, auto const& p) { mpi::exclusive_scan(world(), s, in, out, upsweep::plus<>{}, o(p)); }},
          {"mpi::inclusive_scan", promise::waits,
           [=](auto const& s, auto const& p) { mpi::inclusive_scan(world(), s, in, out, upsweep::plus<>{}, o(p)); }}};
}

TEST(mpi_scan, errors_on_all_ranks) {
  auto const& comm = world();
  // One rank gives an output of the wrong size.
  view<int> const in("in", 4), out("out", comm.rank() == comm.size() - 1 ? 3 : 4);
  auto const text = message_of<upsweep::precondition_error>([&] { mpi::exclusive_scan(comm, space_type(), in, out); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::exclusive_scan: ", 0), 0u) << text;
  if (comm.size() == 1) return;
  // One rank scans, the others scan something else.
  EXPECT_THROW(
      {
        if (comm.rank() == 0) mpi::exclusive_scan(comm, space_type(), in, view<int>("out", 4));
        else mpi::exclusive_scan(comm, space_type(), in, view<std::int64_t>("out", 4));
      },
      upsweep::precondition_error);
}

namespace contracts {
INSTANTIATE_TYPED_TEST_SUITE_P(MpiScan, options_of, calls_of<scans_with_options>);
}
