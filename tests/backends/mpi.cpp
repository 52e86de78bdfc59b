// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What works over ranks: scans, reductions, selections, lists, sorts, rows that move, and files.

#include "gate.hpp"

#include <upsweep/io/mpi/npy_file.hpp>
#include <upsweep/io/npy_view.hpp>
#include <upsweep/mpi.hpp>
#include <upsweep/pack/internal/merge_runs.hpp>
#include <upsweep/scan/internal/call_arguments.hpp>
#include <upsweep/scan/segments.hpp>

namespace gate {

namespace mpi = upsweep::mpi;

struct is_negative {
  KOKKOS_FUNCTION bool operator()(double x) const { return x < 0; }
};
struct is_even_index {
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 2 == 0; }
};
struct is_even_flag {
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 2 == 0; }
};
struct two_of_each {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    emit(static_cast<int>(i));
    emit(-1);
  }
};

void scans_over_ranks(mpi::communicator const& comm, view<float> const& in, view<double> const& out,
                      view<std::int64_t> const& sums, Kokkos::View<std::int64_t, memory> const& total) {
  space const s;
  mpi::exclusive_scan(comm, s, squares{}, sums);
  mpi::inclusive_scan(comm, s, in, out, affine_maps{});
  mpi::inclusive_scan(comm, s, squares{}, sums, upsweep::into{total}, upsweep::from{total});
  mpi::segmented_inclusive_scan(comm, s, in, upsweep::head_flags{is_even_flag{}}, out, affine_maps{});
  mpi::exclusive_scan_by_key(comm, s, in, squares{}, sums);
}

void selections_over_ranks(mpi::communicator const& comm, view<double> const& in, view<double> const& out,
                           view<int> const& flags, view<std::int64_t> const& indices) {
  space const s;
  mpi::compact(comm, s, in, out, is_negative{});
  mpi::compact(comm, s, in, upsweep::flagged{flags}, out);
  mpi::compact_indices(comm, s, 100, indices, is_even_index{});
  mpi::partition(comm, s, in, out, is_negative{});
  mpi::partition(comm, s, in, upsweep::flagged{flags}, out);
  mpi::partition_three_way(comm, s, in, out, is_negative{}, is_negative{});
  mpi::pack_lists<int>(comm, s, 100, two_of_each{}).global_offsets(s);
}

void runs_and_counts_over_ranks(mpi::communicator const& comm, view<double> const& in, view<double> const& out,
                                view<float> const& values, view<int> const& counts, view<int> const& keys,
                                view<std::int64_t> const& offsets) {
  space const s;
  mpi::counts_to_offsets(comm, s, counts, offsets);
  mpi::histogram(comm, s, counts, keys);
  mpi::histogram(comm, s, 100, squares{}, counts, offsets);
  mpi::unique(comm, s, in, out);
  mpi::reduce_by_key(comm, s, counts, values, keys, out, affine_maps{});
}

void rows_over_ranks(mpi::communicator const& comm, view<double>& keys, view<int>& values,
                     Kokkos::View<float**, Kokkos::LayoutLeft, memory>& table) {
  space const s;
  mpi::redistribute_evenly(comm, s, values, table);
  mpi::redistribute_by_weight(comm, s, 2, values);
  mpi::sort(comm, s, values);
  mpi::sort_by_key(comm, s, keys, values);
}

void particles_over_ranks(mpi::communicator const& comm, upsweep::box<double> const& box,
                          Kokkos::View<double* [3], Kokkos::LayoutLeft, memory>& positions,
                          Kokkos::View<int* [3], memory>& crossings) {
  space const s;
  auto const parts = mpi::bisect(comm, s, box, positions);
  mpi::migrate(comm, s, parts, positions);
  mpi::migrate_and_count(comm, s, parts, positions, crossings);
  mpi::halo<space, double> halo;
  halo.build(comm, s, parts, positions, 2.5);
  halo.exchange(s, positions);
  halo.reverse_add(s, crossings);
  halo.interior_rows(s, positions);
}

void files_of_views(mpi::communicator const& comm, Kokkos::View<float**, Kokkos::LayoutLeft, memory> const& table) {
  space const s;
  upsweep::write_npy(s, "table.npy", table);
  mpi::npy_file file(comm, "rows.npy");
  file.write(s, table);
}

}  // namespace gate
