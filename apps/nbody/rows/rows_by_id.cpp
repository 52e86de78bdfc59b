// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "rows_by_id.hpp"

#include "gather_ranks.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/redistribute.hpp>

#include <cstddef>
#include <string>

namespace nbody {
namespace {

/// Puts each row at the place of its id. Both arrays are packed.
template <class T>
struct place_row {
  T const* from;
  T* to;
  id_view ids;
  std::int64_t first;
  int columns;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    for (int d = 0; d < columns; ++d) to[(ids(i) - first) * columns + d] = from[i * columns + d];
  }
};

}  // namespace

rows_by_id::rows_by_id(upsweep::mpi::communicator const& comm, space_type const& space, id_view const& ids,
                       std::int64_t n)
    : comm_(comm),
      space_(space),
      ids_(ids),
      writers_(upsweep::mpi::all_or_none(comm, [&] { return writers_of(space, ids, n, comm.size()); })),
      range_(upsweep::mpi::even_range(n, comm.rank(), comm.size())) {}

template <class View>
std::vector<typename View::non_const_value_type> rows_by_id::fetch_rows(View view) const {
  using T = typename View::non_const_value_type;
  id_view ids = ids_;
  upsweep::mpi::redistribute(comm_, space_, writers_, view, ids);
  return upsweep::mpi::all_or_none(comm_, [&] {
    auto const rows = static_cast<std::size_t>(range_.last - range_.first);
    if (view.extent(0) != rows)
      throw upsweep::precondition_error("rows_by_id: " + std::to_string(view.extent(0)) + " rows arrived for " +
                                        std::to_string(rows) + " ids");
    int const columns = rows == 0 ? 1 : static_cast<int>(view.size() / rows);
    Kokkos::View<T*, memory_space> const placed = make<Kokkos::View<T*, memory_space>>(
        space_, "upsweep-nbody::rows_by_id", rows * static_cast<std::size_t>(columns));
    Kokkos::parallel_for("upsweep-nbody::rows_by_id", particles(space_, rows),
                         place_row<T>{view.data(), placed.data(), ids, range_.first, columns});
    std::vector<T> result(placed.extent(0));
    Kokkos::deep_copy(
        space_, Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(result.data(), result.size()), placed);
    space_.fence("upsweep-nbody::rows_by_id");
    return result;
  });
}

std::vector<double> rows_by_id::fetch(vectors const& view) const { return fetch_rows(view); }
std::vector<double> rows_by_id::fetch(scalars const& view) const { return fetch_rows(view); }
std::vector<int> rows_by_id::fetch(crossing_view const& view) const { return fetch_rows(view); }
std::vector<std::int32_t> rows_by_id::fetch(type_view const& view) const { return fetch_rows(view); }

}  // namespace nbody
