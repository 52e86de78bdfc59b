// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/optional_view.hpp>

#include <string>

namespace upsweep {

/// What a list keeps of its pairs where options ask for it: `list.distances()`. Passes for an optional_view; but view()
/// throws where nothing is kept, for a kernel would read an empty View beyond its end.
template <class View>
class kept_view : public optional_view<View> {
 public:
  /// list: of which class the list is. option: what asks for the values, the name of their accessor, too.
  kept_view(optional_view<View> const& values, char const* list, char const* option)
      : optional_view<View>(values), list_(list), option_(option) {}

  /// Throws: precondition_error where the list keeps none; ask given() before.
  View const& view() const {
    if (!this->given()) refuse();
    return optional_view<View>::view();
  }

 private:
  [[noreturn]] void refuse() const {
    std::string const option = option_;
    internal::throw_precondition((std::string(list_) + "::" + option).c_str(),
                                 "the list keeps none (expected a list that was built with options." + option +
                                     " = true; given() says whether it was)");
  }

  char const* list_;
  char const* option_;
};

}  // namespace upsweep
