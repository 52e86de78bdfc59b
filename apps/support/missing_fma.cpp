// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "missing_fma.hpp"

#include "cpu/features.hpp"
#include "outputs/standard_output.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace apps {

void note_missing_fma(std::string const& program) {
  if constexpr (std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>)
    if (lacks_fma())
      complain(program, "note: compiled without the FMA instructions of this CPU, and slower: use -march=native");
}

}  // namespace apps
