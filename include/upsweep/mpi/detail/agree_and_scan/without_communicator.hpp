// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <type_traits>

// Calls that do not begin as the layer's calls begin are refused in one sentence, and not in a list of all forms.
//
// Unqualified calls with a communicator find the layer's functions beside those of the caller that have the same name.
// So all arguments of a refused form are converted to the classes below. Such a conversion is worse than any of the
// language, and not better than one of the caller's: any other function that takes the arguments is chosen before.
// Options as a list in braces are converted to nothing but options: calls with one still give the list of all forms.

namespace upsweep::mpi::detail {

template <class Given>
concept communicator_argument = std::is_convertible_v<Given const&, communicator const&>;

struct any {
  any() {}
  template <class Given>
  any(Given const&) {}
};
struct any_communicator {
  template <communicator_argument Given>
  any_communicator(Given const&) {}
};
struct no_communicator {
  template <class Given>
    requires(!communicator_argument<Given>)
  no_communicator(Given const&) {}
};
struct any_space {
  any_space() {}
  template <execution_space_argument Given>
  any_space(Given const&) {}
};
struct no_space {
  no_space() {}
  template <no_execution_space Given>
  no_space(Given const&) {}
};

/// Of a call that is refused.
template <class... Named>
inline constexpr bool begins_rightly = false;

}  // namespace upsweep::mpi::detail

/// Declares what is refused: a call of `function` whose first argument is no communicator, or whose second one is what
/// detail::`wrong` takes, or missing. `beginning` is a literal that says what the first two are. Types that callers
/// name, as in function<T>(...), are among Named. Twelve arguments: only calls with any number of Views have more.
/// The result is auto, so that compilers come to the sentence before they look at what the caller does with a result.
#define UPSWEEP_REFUSE_BEGINNING(function, wrong, beginning)                                                        \
  template <class... Named>                                                                                         \
  auto function(detail::no_communicator, detail::any = {}, detail::any = {}, detail::any = {}, detail::any = {},    \
                detail::any = {}, detail::any = {}, detail::any = {}, detail::any = {}, detail::any = {},           \
                detail::any = {}, detail::any = {}) {                                                               \
    static_assert(detail::begins_rightly<Named...>,                                                                 \
                  "upsweep::mpi::" #function ": the first two arguments are " beginning ".");                       \
  }                                                                                                                 \
  template <class... Named>                                                                                         \
  auto function(detail::any_communicator, detail::wrong = {}, detail::any = {}, detail::any = {}, detail::any = {}, \
                detail::any = {}, detail::any = {}, detail::any = {}, detail::any = {}, detail::any = {},           \
                detail::any = {}, detail::any = {}) {                                                               \
    static_assert(detail::begins_rightly<Named...>,                                                                 \
                  "upsweep::mpi::" #function ": the first two arguments are " beginning ".");                       \
  }

/// The same of functions that take a communicator and an execution space.
#define UPSWEEP_WITHOUT_COMMUNICATOR(function) \
  UPSWEEP_REFUSE_BEGINNING(function, no_space, "an upsweep::mpi::communicator and an execution-space instance")
