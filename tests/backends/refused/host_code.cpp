// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What a gate must refuse: a function of the host inside a scan's kernel.

#include "../gate.hpp"

#include <upsweep/scan/reduce.hpp>

namespace gate {

int host_only(int x);

struct mistaken_plus {
  using value_type = int;
  KOKKOS_FUNCTION int identity() const { return 0; }
  KOKKOS_FUNCTION int operator()(int left, int right) const { return left + host_only(right); }
};

int mistake(view<int const> const& in) { return upsweep::reduce(space(), in, mistaken_plus{}); }

}  // namespace gate
