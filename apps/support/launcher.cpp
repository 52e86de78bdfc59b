// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace apps {
namespace {

/// The number in the first of these variables that there is.
int number_in(std::initializer_list<char const*> names, int if_none) {
  for (char const* name : names)
    if (char const* const value = std::getenv(name)) {
      std::string_view const word = value;
      int number = if_none;
      std::from_chars(word.data(), word.data() + word.size(), number);
      return number;
    }
  return if_none;
}

}  // namespace

int launcher_rank() {
  return number_in({"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID", "SLURM_PROCID"}, 0);
}

int launcher_size() { return number_in({"PMI_SIZE", "OMPI_COMM_WORLD_SIZE"}, 1); }

}  // namespace apps
