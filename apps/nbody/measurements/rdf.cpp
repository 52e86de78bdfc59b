// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "rdf.hpp"

#include "../text.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace nbody {
namespace {

/// One thread per particle.
struct count_pairs {
  upsweep::neighbor_rows<> rows;
  neighbor_positions positions;
  Kokkos::View<std::int64_t*, memory_space> counts;
  double reach, bins_per_length;
  std::int64_t weight;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    upsweep::for_each_neighbor(rows, static_cast<std::size_t>(i), [&](int j) {
      double const x = positions(i, 0) - positions(j, 0), y = positions(i, 1) - positions(j, 1),
                   z = positions(i, 2) - positions(j, 2);
      double const r = Kokkos::sqrt(upsweep::fma(z, z, upsweep::fma(y, y, x * x)));
      if (!(r < reach)) return;
      auto const bin = static_cast<std::size_t>(r * bins_per_length);
      if (bin < counts.extent(0)) Kokkos::atomic_add(&counts(bin), weight);
    });
  }
};

}  // namespace

rdf::rdf(upsweep::mpi::communicator const& comm, space_type const& space, double reach, rdf_record const* before)
    : comm_(comm), space_(space) {
  upsweep::mpi::all_or_none(comm_, [&] {
    before_.reach = reach;
    before_.counts.assign(bins, 0);
    if (before != nullptr) {
      if (before->reach != reach || before->counts.size() != bins)
        throw upsweep::input_error("--rdf: the checkpoint's function reaches to " + text("%g", before->reach) +
                                   " (expected the cutoff, " + text("%g", reach) + ")");
      before_ = *before;
    }
    counts_ = make<Kokkos::View<std::int64_t*, memory_space>>(space_, "upsweep-nbody::rdf", bins);
    Kokkos::deep_copy(space_, counts_, std::int64_t(0));
  });
}

void rdf::sample(neighborhood const& near, std::int64_t step) {
  Kokkos::parallel_for(
      "upsweep-nbody::rdf", particles(space_, near.owned()),
      count_pairs{near.rows(), near.positions(), counts_, before_.reach, bins / before_.reach, near.is_half() ? 2 : 1});
  ++before_.samples;
  before_.last_step = step;
}

rdf_record rdf::total() const {
  auto mine = upsweep::mpi::all_or_none(comm_, [&] { return upsweep::to_host(space_, counts_); });
  upsweep::mpi::check(comm_, MPI_Allreduce(MPI_IN_PLACE, mine.data(), bins, MPI_INT64_T, MPI_SUM, comm_.get()),
                      "MPI_Allreduce");
  return upsweep::mpi::all_or_none(comm_, [&] {
    auto all = before_;
    for (std::size_t k = 0; k < mine.size(); ++k) all.counts[k] += mine[k];
    return all;
  });
}

std::string rdf_text(rdf_record const& record, std::int64_t particles, double volume) {
  auto const n = static_cast<double>(particles), samples = static_cast<double>(record.samples);
  double const width = record.reach / static_cast<double>(record.counts.size());
  std::string lines = "# upsweep-nbody: r g(r) neighbours, of " + std::to_string(record.samples) + " samples\n";
  double within = 0;
  for (std::size_t k = 0; k < record.counts.size(); ++k) {
    double const low = width * static_cast<double>(k), high = low + width;
    double const shell = 4.0 / 3.0 * std::numbers::pi * (std::pow(high, 3) - std::pow(low, 3));
    double const of_particle = record.samples == 0 ? 0 : static_cast<double>(record.counts[k]) / (samples * n);
    within += of_particle;
    double const expected = (n - 1) / volume * shell;
    lines += text("%.6g %.10g %.10g\n", low + width / 2, expected > 0 ? of_particle / expected : 0, within);
  }
  return lines;
}

}  // namespace nbody
