// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>
#include <string_view>

namespace upsweep::internal {

/// What users understand of the text of MPI_Error_string, in one line. MPICH's is a whole stack of its functions:
/// "Other I/O error , error stack:", then lines of which the last one has the reason, "ADIOI_GEN_WRITECONTIG(80)...:
/// Other I/O error No space left on device". This becomes "Other I/O error: No space left on device".
std::string plain_mpi_text(std::string_view text);

/// MPI's words for an error code, as plain_mpi_text() has them.
std::string mpi_text(int code);

}  // namespace upsweep::internal
