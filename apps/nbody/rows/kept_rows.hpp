// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../types.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace nbody {

/// A View of n rows, in memory that is kept: it is taken again, with an eighth more, only where n has outgrown it. What
/// rows held before is undefined.
template <class View>
class kept_rows {
 public:
  void resize(space_type const& space, std::string const& label, std::size_t n) {
    if (all_.data() == nullptr || all_.extent(0) < n) {
      rows_ = all_ = {};
      all_ = make<View>(space, label, n + n / 8);
    }
    auto const range = std::make_pair(std::size_t(0), n);
    if constexpr (upsweep::compat::rank<View> == 2) rows_ = Kokkos::subview(all_, range, Kokkos::ALL);
    else rows_ = Kokkos::subview(all_, range);
  }
  View const& operator*() const { return rows_; }

 private:
  View all_, rows_;
};

}  // namespace nbody
