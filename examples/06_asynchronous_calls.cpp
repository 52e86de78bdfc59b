// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Workspaces and instances: calls that allocate nothing, do not wait, and run beside others.

#include "example.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <cstddef>
#include <string>
#include <vector>

using space_type = Kokkos::DefaultExecutionSpace;

/// Work for an instance: what it scans, and memory that its calls share.
struct stream {
  space_type space;
  upsweep::workspace workspace{space};
  Kokkos::View<int*> in, out;

  stream(space_type const& instance, int first) : space(instance), in("in", 100'000), out("out", in.extent(0)) {
    fill(first);
  }

  void fill(int first) const {
    auto const values = in;
    Kokkos::parallel_for(
        "fill", Kokkos::RangePolicy<space_type>(space, 0, in.extent(0)),
        KOKKOS_LAMBDA(std::size_t i) { values(i) = first + static_cast<int>(i % 7); });
  }

  /// Returns at once on a GPU: the scan is in flight, behind what the instance was given before.
  void scan() { upsweep::exclusive_scan(space, in, out, {.workspace = &workspace}); }
};

std::vector<int> serial_scan(int first, std::size_t n) {
  std::vector<int> sums(n);
  for (std::size_t i = 1; i < n; ++i) sums[i] = sums[i - 1] + first + static_cast<int>((i - 1) % 7);
  return sums;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  // Two instances (streams on a GPU), each with a workspace of its own: their kernels may overlap.
  auto const instances = Kokkos::Experimental::partition_space(space_type(), std::vector<int>{1, 1});
  stream one(instances[0], 1), two(instances[1], 2);
  one.scan();
  two.scan();
  // to_host waits for the instance that it is given.
  example::confirm("first instance", upsweep::to_host(one.space, one.out) == serial_scan(1, one.out.extent(0)));
  example::confirm("second instance", upsweep::to_host(two.space, two.out) == serial_scan(2, two.out.extent(0)));

  // After the first call a workspace is large enough, and nothing is allocated any more.
  std::size_t const bytes = one.workspace.size_bytes();
  for (int first = 3; first < 103; ++first) {
    one.fill(first);
    one.scan();
  }
  example::confirm("the last of 100 scans", upsweep::to_host(one.space, one.out) == serial_scan(102, one.in.extent(0)));
  example::confirm("the workspace has not grown", one.workspace.size_bytes() == bytes);

  // An asynchronous call cannot throw for what its kernels find: check() does, later.
  auto const counts = example::to_device<int>({2, -1, 3});
  Kokkos::View<int*> const offsets("offsets", 4);
  upsweep::counts_to_offsets(one.space, counts, offsets, {.workspace = &one.workspace});
  std::string message = "none";
  try {
    one.workspace.check(one.space);
  } catch (upsweep::precondition_error const& error) {
    message = error.what();
  }
  std::cout << "check() says: " << message << '\n';
  example::confirm("it names the wrong count", message.find("counts(1)") != std::string::npos);
  example::expect("a negative count counts as none", upsweep::to_host(one.space, offsets), {0, 2, 2, 5});
  one.workspace.check(one.space);  // Every error is thrown once.
  return example::exit_code();
}
