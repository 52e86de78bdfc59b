// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <functional>
#include <map>
#include <string>

namespace upsweep::mpi::detail {

/// How the memory of one memory space reaches another rank.
struct transfer {
  bool direct = false;      ///< MPI gets the pointers as they are
  std::string description;  ///< for people
};

/// What is known for each memory space, by its name. Looked up by a literal, without allocating.
struct transfer_cache {
  std::map<std::string, transfer, std::less<>> known;
};

}  // namespace upsweep::mpi::detail
