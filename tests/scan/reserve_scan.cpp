// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../oracle/engines.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/internal/reserve_scan.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace {

using space_type = Kokkos::DefaultExecutionSpace;
using view = Kokkos::View<std::int64_t*, space_type::memory_space>;

TEST(reserve_scan, the_scan_takes_no_more_memory) {
  space_type const space;
  oracle::for_production_engines([&]<class Engine>() {
    for (std::size_t const n : {0, 1, 1000, 300000}) {
      upsweep::workspace ws(space);
      view const in("in", n), out("out", n);
      upsweep::basic_scan_options<Engine> const options{.workspace = &ws};
      upsweep::internal::reserve_scan(space, in, out, upsweep::plus<>{}, options);
      auto const reserved = ws.size_bytes();
      upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, options);
      upsweep::exclusive_scan(space, in, out, std::int64_t{3}, upsweep::plus<>{}, options);
      upsweep::inclusive_scan(space, in, out, upsweep::plus<>{}, options);
      space.fence();
      EXPECT_EQ(ws.size_bytes(), reserved) << "engine " << oracle::name_of<Engine>() << ", " << n << " elements";
    }
  });
}

TEST(reserve_scan, needs_a_workspace) {
  view const in("in", 5), out("out", 5);
  EXPECT_THROW(upsweep::internal::reserve_scan(space_type(), in, out, upsweep::plus<>{}, {}),
               upsweep::precondition_error);
}

}  // namespace
