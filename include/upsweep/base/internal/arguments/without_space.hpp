// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>

/// Declares a form of a function for callers who forgot the space: one sentence, and no list of all forms. A macro,
/// since the sentence of a static_assert is a literal, and has the function's name.
#define UPSWEEP_WITHOUT_SPACE(function)                                                          \
  template <class First, class... Others>                                                        \
    requires lacks_space<First, Others...>                                                       \
  void function(First const&, Others const&...) {                                                \
    static_assert(execution_space_argument<First>,                                               \
                  "upsweep::" #function ": the first argument is an execution-space instance."); \
  }

/// The same of a function whose callers name a type: function<T>(...).
#define UPSWEEP_OF_TYPE_WITHOUT_SPACE(function)                                                  \
  template <class T, stands_for_a_space First, class... Others>                                  \
  void function(First const&, Others const&...) {                                                \
    static_assert(execution_space_argument<First>,                                               \
                  "upsweep::" #function ": the first argument is an execution-space instance."); \
  }
