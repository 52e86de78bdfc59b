// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using space_type = Kokkos::DefaultExecutionSpace;
using memory = space_type::memory_space;

struct squares {
  Kokkos::View<int*, memory> out;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { out(i) = static_cast<int>(i * i); }
};

TEST(fetch, copies_behind_the_kernels_of_the_instance) {
  space_type const space;
  Kokkos::View<int*, memory> const out("out", 5);
  Kokkos::parallel_for("squares", upsweep::internal::index_policy(space, 5), squares{out});
  EXPECT_EQ(upsweep::to_host(space, out), (std::vector<int>{0, 1, 4, 9, 16}));
  EXPECT_EQ(upsweep::internal::fetch_one(space, out.data() + 3, "test"), 9);
  int two[3] = {-1, -1, -1};
  upsweep::internal::fetch(space, out.data() + 1, two, 2, "test");
  EXPECT_EQ(two[0], 1);
  EXPECT_EQ(two[1], 4);
  EXPECT_EQ(two[2], -1);
  EXPECT_TRUE(upsweep::to_host(space, Kokkos::View<double const*, memory>()).empty());
}

}  // namespace
