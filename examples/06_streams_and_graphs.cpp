// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Workspaces and instances (streams of a GPU): calls that allocate nothing, do not wait and run beside others. A GPU
// can capture them in a graph and launch all of that at once, again and again. Calls that return something to the host
// wait for it, and cannot be captured: totals and counts on the host, packed lists, neighbour lists.

#include "example.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

using space_type = Kokkos::DefaultExecutionSpace;

#if defined(KOKKOS_ENABLE_CUDA)
#define GPU(name) cuda##name
#define STREAM_OF(space) space.cuda_stream()
#elif defined(KOKKOS_ENABLE_HIP)
#define GPU(name) hip##name
#define STREAM_OF(space) space.hip_stream()
#endif

/// Calls on an instance, captured in a graph where there is a GPU; elsewhere launch() makes the calls.
class graph {
 public:
  graph(space_type const& instance, std::function<void()> const& calls) : space_(instance), calls_(calls) {
    calls_();  // The first time, calls take the memory that they need. A capture must not.
#if defined(GPU)
    space_.fence();
    GPU(Graph_t) captured;
    check(GPU(StreamBeginCapture)(STREAM_OF(space_), GPU(StreamCaptureModeThreadLocal)));
    calls_();
    check(GPU(StreamEndCapture)(STREAM_OF(space_), &captured));
    check(GPU(GraphInstantiateWithFlags)(&executable_, captured, 0));
    check(GPU(GraphDestroy)(captured));
#endif
  }
  graph(graph const&) = delete;
#if defined(GPU)
  ~graph() { check(GPU(GraphExecDestroy)(executable_)); }
  void launch() const { check(GPU(GraphLaunch)(executable_, STREAM_OF(space_))); }

 private:
  static void check(GPU(Error_t) status) {
    if (status != GPU(Success)) Kokkos::abort(GPU(GetErrorString)(status));
  }
  GPU(GraphExec_t) executable_;
#else
  void launch() const { calls_(); }

 private:
#endif
  space_type space_;
  std::function<void()> calls_;
};

/// Work for an instance: what it scans and chooses from, and memory that its calls share.
struct stream {
  space_type space;
  upsweep::workspace workspace{space};
  Kokkos::View<int*> in, sums, large;
  Kokkos::View<std::size_t> large_count;  // on the device
  explicit stream(space_type const& instance)
      : space(instance), in("in", 100'000), sums("sums", 100'000), large("large", 100'000), large_count("count") {}

  void fill(int first) const {
    auto const values = in;
    Kokkos::parallel_for(
        "fill", Kokkos::RangePolicy<space_type>(space, 0, in.extent(0)),
        KOKKOS_LAMBDA(std::size_t i) { values(i) = first + static_cast<int>(i % 7); });
  }

  /// Returns at once on a GPU: the calls are in flight, behind what the instance was given before.
  void scan_and_choose() {
    upsweep::exclusive_scan(space, in, sums, {.workspace = &workspace});
    upsweep::compact(space, in, large, large_count, KOKKOS_LAMBDA(int value) { return value % 7 > 4; },
                     {.workspace = &workspace});
  }

  /// What two loops find. to_host waits for the instance that it is given.
  bool is_right(int first) const {
    std::vector<int> expected_sums, expected_large;
    for (int i = 0, sum = 0; i < 100'000; sum += first + i++ % 7) {
      expected_sums.push_back(sum);
      if ((first + i % 7) % 7 > 4) expected_large.push_back(first + i % 7);
    }
    auto chosen = upsweep::to_host(space, large);
    std::size_t count = 0;
    Kokkos::deep_copy(count, large_count);
    chosen.resize(count);
    return upsweep::to_host(space, sums) == expected_sums && chosen == expected_large;
  }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  // Two instances, each with a workspace of its own: their kernels may overlap.
  auto const instances = Kokkos::Experimental::partition_space(space_type(), std::vector<int>{1, 1});
  stream one(instances[0]), two(instances[1]);
  one.fill(1);
  two.fill(2);
  one.scan_and_choose();
  two.scan_and_choose();
  example::confirm("both instances are right", one.is_right(1) && two.is_right(2));

  // A hundred launches of one graph, each on other input, which allocate nothing.
  std::size_t const bytes = one.workspace.size_bytes();
  graph const calls(one.space, [&] { one.scan_and_choose(); });
  bool is_right = true;
  for (int first = 3; first < 103; ++first) {
    one.fill(first);
    calls.launch();
    is_right = is_right && one.is_right(first);
  }
  example::confirm("so are 100 launches of a graph", is_right);
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
  example::expect<std::string>("check() says", message, "counts_to_offsets: counts(1) is negative");
  return example::exit_code();
}
