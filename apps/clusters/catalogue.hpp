// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "groups.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace clusters {

/// The files of a catalogue, of which the last is the summary.
std::vector<std::string> const& catalogue_files();

/// Makes the folder. Collective.
/// Throws: output_error on all ranks alike, where files could not be written, and without `force` where a file is there
/// that upsweep-clusters has not written.
void prepare_catalogue(upsweep::mpi::communicator const& comm, std::filesystem::path const& folder, bool force);

/// Writes labels of all points, and the groups with at least min_members members. Old files stay until all new ones are
/// complete.
/// Collective; throws on all ranks alike.
void write_catalogue(upsweep::mpi::communicator const& comm, space_type const& space, group_table const& table,
                     point_set const& points, std::int64_t min_members, std::string const& summary,
                     std::filesystem::path const& folder);

}  // namespace clusters
