// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "measure.hpp"

#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

namespace perf::ranks {
namespace {

using numbers = Kokkos::View<std::int32_t*, memory>;

/// Elements that repeat every 16 and then add up to 1, so that each prefix is known and fits in 32 bits.
struct sixteen {
  KOKKOS_FUNCTION static std::int32_t element(std::uint64_t i) {
    return static_cast<std::int32_t>((i * 7 + 3) % 16) - (i % 2 == 0 ? 8 : 7) + (i % 16 == 5 ? 1 : 0);
  }
  KOKKOS_FUNCTION static std::int32_t prefix(std::uint64_t i) {
    auto sum = static_cast<std::int32_t>(i / 16);
    for (std::uint64_t k = i / 16 * 16; k < i; ++k) sum += element(k);
    return sum;
  }
};

struct fill_elements {
  numbers in;
  std::uint64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    in(static_cast<std::size_t>(i)) = sixteen::element(first + static_cast<std::uint64_t>(i));
  }
};
struct count_wrong {
  numbers out;
  std::uint64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& wrong) const {
    if (out(static_cast<std::size_t>(i)) != sixteen::prefix(first + static_cast<std::uint64_t>(i))) ++wrong;
  }
};

enum class call { distributed, plain };

void run(benchmark::State& state, mpi::communicator const& comm, std::size_t n, call which) {
  space const instance;
  std::size_t const first = begin_of_share(n, comm.rank(), comm.size());
  std::size_t const own = begin_of_share(n, comm.rank() + 1, comm.size()) - first;
  auto const in = make_view<numbers>(instance, "in", own), out = make_view<numbers>(instance, "out", own);
  for_each_index(instance, own, fill_elements{in, first});
  upsweep::workspace workspace(instance);
  upsweep::scan_options const options{.workspace = &workspace};
  time_on_ranks(
      state, comm, instance, 1, 8.0 * static_cast<double>(n), [] {},
      [&] {
        if (which == call::plain) upsweep::exclusive_scan(instance, in, out, upsweep::plus<>{}, options);
        else mpi::exclusive_scan(comm, instance, in, out, upsweep::plus<>{}, options);
      },
      [&] { return sum_of(instance, own, count_wrong{out, first}) == 0; });
}

}  // namespace

void add_scans(session const& s) {
  static constexpr char const* operation = "exclusive_scan";
  if (!wanted(s, operation)) return;
  auto const of = [](call which) {
    return
        [which](benchmark::State& state, mpi::communicator const& comm, std::size_t n) { run(state, comm, n, which); };
  };
  for (std::size_t const n : s.sizes) {
    double const bytes = 8.1 * static_cast<double>(n);
    if (s.all.size() > 1 && has_memory(s, on_all_ranks(s), operation, n, bytes / s.all.size()))
      add_on_all(s, on_all_ranks(s), operation, "int32", n, of(call::distributed));
    if (!has_memory(s, on_one_rank, operation, n, bytes)) continue;
    add_on_first(s, on_one_rank, operation, "int32", n, of(call::distributed));
    add_on_first(s, without_ranks, operation, "int32", n, of(call::plain));
  }
}

}  // namespace perf::ranks
