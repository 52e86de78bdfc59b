// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What each field of options does, for calls in tables: a test goes through all rows of a table for each promise.

#include "../oracle/instances.hpp"
#include "../oracle/views.hpp"
#include "tools.hpp"

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/workspace.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace contracts {

/// What a call does with a workspace, from its second time on.
enum class promise {
  asynchronous,      ///< neither waits nor allocates
  waits,             ///< does not allocate
  allocates_results  ///< returns new Views
};

/// A call on data of its own; run(instance, options) passes on a workspace and a label.
struct call {
  char const* name;
  promise promised;
  std::function<void(oracle::space const&, upsweep::call_options const&)> run;
};

/// Every kernel of each call has the caller's label, those of calls on the way, too. Kokkos' own (which fill Views)
/// have names of Kokkos'.
inline void expect_label_in_every_kernel(std::vector<call> const& calls) {
  oracle::space const space;
  for (auto const& c : calls) {
    upsweep::workspace ws(space);
    recorder const seen;
    c.run(space, {.workspace = &ws, .label = "mine"});
    space.fence();
    std::size_t own = 0;
    for (auto const& k : recorder::kernels()) {
      if (k.label.rfind("Kokkos::", 0) == 0) continue;
      ++own;
      EXPECT_EQ(k.label.rfind("upsweep::", 0), 0u) << c.name << ": " << k.label;
      EXPECT_NE(k.label.find("[mine]"), std::string::npos) << c.name << ": " << k.label;
    }
    EXPECT_GT(own, 0u) << c.name;
  }
}

/// Every kernel of each call names the function that was called, the first word of the call's name; those of calls on
/// the way have it in brackets.
inline void expect_function_in_every_kernel(std::vector<call> const& calls) {
  oracle::space const space;
  for (auto const& c : calls) {
    std::string const name(c.name), function = name.substr(0, name.find(' '));
    upsweep::workspace ws(space);
    recorder const seen;
    c.run(space, {.workspace = &ws});
    space.fence();
    for (auto const& k : recorder::kernels()) {
      if (k.label.rfind("Kokkos::", 0) == 0) continue;
      EXPECT_TRUE(k.label.rfind("upsweep::" + function + "::", 0) == 0 ||
                  k.label.find("[" + function + "]") != std::string::npos)
          << c.name << ": " << k.label;
    }
  }
}

/// A workspace has what was promised for it.
inline void expect_promises_of_a_workspace(std::vector<call> const& calls) {
  oracle::space const space;
  for (auto const& c : calls) {
    upsweep::workspace ws(space);
    c.run(space, {.workspace = &ws});  // the first call of its kind may do all of it
    space.fence();
    recorder const seen;
    c.run(space, {.workspace = &ws});
    auto const fences = recorder::fences(), allocations = recorder::allocations();
    if (c.promised == promise::asynchronous) {
      EXPECT_TRUE(fences.empty()) << c.name << ": " << fences.front();
    }
    if (c.promised != promise::allocates_results) {
      EXPECT_TRUE(allocations.empty()) << c.name << ": " << allocations.front();
    }
    space.fence();
  }
}

/// A workspace of another instance is refused.
inline void expect_another_instance_refused(std::vector<call> const& calls) {
  if constexpr (oracle::has_instances<oracle::space>) {
    auto const instances = oracle::instances<oracle::space>(2);
    for (auto const& c : calls) {
      upsweep::workspace of_another(instances[1]);
      EXPECT_THROW(c.run(instances[0], {.workspace = &of_another}), upsweep::precondition_error) << c.name;
    }
  } else {
    GTEST_SKIP() << "the default execution space has one instance";
  }
}

/// A function that makes a table, as a type.
template <std::vector<call> (*Table)()>
struct calls_of {
  static std::vector<call> table() { return Table(); }
};

/// All promises for all rows of a table: `INSTANTIATE_TYPED_TEST_SUITE_P(name, options_of, calls_of<table>);` in this
/// namespace.
template <class Calls>
struct options_of : testing::Test {};
TYPED_TEST_SUITE_P(options_of);
TYPED_TEST_P(options_of, label_in_every_kernel) { expect_label_in_every_kernel(TypeParam::table()); }
TYPED_TEST_P(options_of, promises_of_a_workspace) { expect_promises_of_a_workspace(TypeParam::table()); }
TYPED_TEST_P(options_of, a_workspace_of_another_instance_is_refused) {
  expect_another_instance_refused(TypeParam::table());
}
REGISTER_TYPED_TEST_SUITE_P(options_of, label_in_every_kernel, promises_of_a_workspace,
                            a_workspace_of_another_instance_is_refused);

}  // namespace contracts
