// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/instruction_set.hpp>

#include <gtest/gtest.h>

#include <string>

namespace oracle {

/// Tests that run once for each instruction set, those that this processor lacks left out.
class instruction_set_test : public testing::TestWithParam<upsweep::internal::instruction_set> {
 protected:
  void SetUp() override {
    if (!upsweep::internal::available(GetParam())) GTEST_SKIP() << "this processor has not got it";
  }
};

inline auto all_instruction_sets() {
  using upsweep::internal::instruction_set;
  return testing::Values(instruction_set::portable, instruction_set::avx2, instruction_set::avx512);
}

/// Those that have kernels where portable code is a loop.
inline auto vector_instruction_sets() {
  using upsweep::internal::instruction_set;
  return testing::Values(instruction_set::avx2, instruction_set::avx512);
}

inline std::string name_of_instruction_set(testing::TestParamInfo<upsweep::internal::instruction_set> const& info) {
  char const* const names[] = {"portable", "avx2", "avx512"};
  return names[static_cast<int>(info.param)];
}

}  // namespace oracle
