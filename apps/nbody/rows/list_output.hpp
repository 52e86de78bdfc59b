// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../decomposition/neighbors.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace nbody {

/// The files of a list, in its folder; the last one says what they are.
std::vector<std::string> const& list_files();

/// apps::prepare_folder on rank 0. Collective; throws output_error on all ranks alike.
void prepare_list_folder(upsweep::mpi::communicator const& comm, std::filesystem::path const& folder, bool forced);

/// Writes the list of all n particles as offsets.npy (int64, n+1), neighbors.npy (int64 ids, rows in order of ids, each
/// sorted by id, then image) and images.npy (int8, pairs x 3). Rank r of P gets the rows of ids [rn/P, (r+1)n/P) and
/// writes them as one piece, so the files are the same on any number of ranks. Older files are replaced only when all
/// new ones are complete. Collective; throws on all ranks alike.
void write_list(upsweep::mpi::communicator const& comm, space_type const& space, neighborhood const& near,
                id_view const& ids, std::int64_t n, std::filesystem::path const& folder);

}  // namespace nbody
