// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../types.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace nbody {

/// Refuses a box so small, or so full, that a particle has more neighbours than an int counts, its own images among
/// them: no list can be built. start: the file or option that says so, for the message. Throws: input_error.
void require_countable_neighbors(std::string const& start, double density, double list_cutoff);

/// Refuses a number of particles on this rank that is certain not to fit into memory, before any of it is used: by the
/// arrays of this program (start on the host; particles, forces and list on the device), without ghosts and
/// temporaries. Ranks of one node share its memory.
/// option: what has the number, for the message.
/// Throws: out_of_memory_error with the bytes wanted and found.
void require_memory_for(space_type const& space, char const* option, std::int64_t particles, double density,
                        double list_cutoff, int ranks_on_node);

}  // namespace nbody
