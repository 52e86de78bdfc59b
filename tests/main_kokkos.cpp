// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "oracle/forks.hpp"

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();  // CTest's discovery needs no backend
  Kokkos::ScopeGuard const guard(argc, argv);
  oracle::fork_always();
  return RUN_ALL_TESTS();
}
