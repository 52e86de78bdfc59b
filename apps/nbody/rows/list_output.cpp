// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "list_output.hpp"

#include "../../support/outputs/output_folder.hpp"
#include "gather_ranks.hpp"
#include "sorted_rows.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/io/mpi/npy_file.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/redistribute.hpp>
#include <upsweep/mpi/redistribute_rows.hpp>
#include <upsweep/version.hpp>

#include <optional>

namespace nbody {
namespace {

using image_view = Kokkos::View<upsweep::image*, memory_space>;
using offset_view = Kokkos::View<std::size_t*, memory_space>;
using rank_view = Kokkos::View<int*, memory_space>;

/// Indices of neighbours become ids and images, which mean the same on every rank.
struct name_neighbors {
  int const* neighbors;
  id_view ids;
  image_view images;
  id_view named_ids;
  image_view named_images;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    named_ids(k) = ids(neighbors[k]);
    named_images(k) = images(neighbors[k]);
  }
};

}  // namespace

std::vector<std::string> const& list_files() {
  static std::vector<std::string> const names{"offsets.npy", "neighbors.npy", "images.npy", "list.json"};
  return names;
}

void prepare_list_folder(upsweep::mpi::communicator const& comm, std::filesystem::path const& folder, bool forced) {
  upsweep::mpi::all_or_none(comm, [&] {
    if (comm.rank() != 0) return;
    apps::prepare_folder({"--write-list", folder.string()}, list_files(), "upsweep-nbody", forced);
  });
}

void write_list(upsweep::mpi::communicator const& comm, space_type const& space, neighborhood const& near,
                id_view const& ids, std::int64_t n, std::filesystem::path const& folder) {
  using upsweep::mpi::all_or_none;
  auto const& list = near.list();
  std::size_t const rows = list.rows(), pairs = list.pairs();
  id_view row_ids = ids, neighbor_ids;
  image_view neighbor_images;
  offset_view offsets;
  rank_view writers;
  all_or_none(comm, [&] {
    neighbor_ids = make<id_view>(space, "upsweep-nbody::write_list::ids", pairs);
    neighbor_images = make<image_view>(space, "upsweep-nbody::write_list::images", pairs);
    offsets = make<offset_view>(space, "upsweep-nbody::write_list::offsets", rows + 1);
    Kokkos::parallel_for(
        "upsweep-nbody::write_list::name", particles(space, pairs),
        name_neighbors{list.neighbors().data(), near.ids(), near.images(), neighbor_ids, neighbor_images});
    Kokkos::deep_copy(space, offsets, list.offsets());
    writers = writers_of(space, ids, n, comm.size());
  });
  upsweep::mpi::redistribute_rows(comm, space, writers, offsets, neighbor_ids, neighbor_images);
  upsweep::mpi::redistribute(comm, space, writers, row_ids);

  auto const mine = upsweep::mpi::even_range(n, comm.rank(), comm.size());
  auto const sorted = all_or_none(comm, [&] {
    auto const h_ids = upsweep::to_host(space, row_ids);
    auto const h_offsets = upsweep::to_host(space, offsets);
    auto const h_neighbors = upsweep::to_host(space, neighbor_ids);
    auto const h_images = upsweep::to_host(space, neighbor_images);
    return sort_rows(h_ids, h_offsets.data(), h_neighbors.data(), h_images.data(), mine.first, mine.last - mine.first);
  });
  // One array each; where a rank's pairs begin in the files follows from a scan of the totals.
  auto const place = upsweep::mpi::exclusive_offset(comm, sorted.neighbors.size());
  auto global = all_or_none(comm, [&] {
    std::vector<std::int64_t> result(sorted.offsets.begin(), sorted.offsets.end() - 1);
    for (auto& offset : result) offset += static_cast<std::int64_t>(place.offset);
    if (comm.rank() + 1 == comm.size()) result.push_back(static_cast<std::int64_t>(place.total));
    return result;
  });
  upsweep::mpi::npy_file offsets_file(comm, folder / "offsets.npy"), neighbors_file(comm, folder / "neighbors.npy"),
      images_file(comm, folder / "images.npy");
  offsets_file.write(std::span(global));
  neighbors_file.write(std::span(sorted.neighbors));
  images_file.write(std::span(sorted.images), {3});
  std::optional<upsweep::file_replacement> summary;
  all_or_none(comm, [&] {
    if (comm.rank() != 0) return;
    summary.emplace(folder / list_files().back());
    summary->write("{\n  \"program\": \"upsweep-nbody\",\n  \"version\": \"" UPSWEEP_VERSION_STRING
                   "\",\n  \"particles\": " +
                   std::to_string(n) + ",\n  \"pairs\": " + std::to_string(place.total) + "\n}\n");
  });
  offsets_file.commit();
  neighbors_file.commit();
  images_file.commit();
  all_or_none(comm, [&] {
    if (summary) summary->commit();
  });
}

}  // namespace nbody
