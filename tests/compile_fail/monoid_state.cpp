// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: a monoid's value_type must be trivially copyable and default constructible

#include "snippet.hpp"

#include <upsweep/scan/inclusive_scan.hpp>

struct counted {
  int value = 0;
  counted() = default;
  counted(int v) : value(v) {}
  operator int() const { return value; }
  RIGHT_OR_WRONG(, counted(counted const& other) : value(other.value){})
};
struct counted_plus {
  using value_type = counted;
  counted identity() const { return 0; }
  counted operator()(counted const& left, counted const& right) const { return left.value + right.value; }
};
void monoid_state(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::inclusive_scan(snippet::space(), in, out, counted_plus{});
}
