// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What a scan promises beside its result, seen through Kokkos' tool interface.

#include "../oracle/views.hpp"
#include "tools.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_with_total.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

namespace {

using contracts::recorder;
using upsweep::engine;

std::size_t const n = 200003;

struct call {
  char const* name;
  std::function<void(oracle::space const&, upsweep::scan_options const&)> run;
};

/// The calls under test, on their own data.
std::vector<call> calls() {
  auto const in = oracle::to_device(oracle::random_values<int>(n, 0, 9));
  Kokkos::View<int*, oracle::memory> const out("out", n), offsets("offsets", n + 1);
  return {{"exclusive_scan", [=](auto const& s, auto const& o) { upsweep::exclusive_scan(s, in, out, upsweep::plus<>{}, o); }},
          {"inclusive_scan", [=](auto const& s, auto const& o) { upsweep::inclusive_scan(s, in, out, upsweep::max<>{}, o); }},
          {"exclusive_scan_with_total", [=](auto const& s, auto const& o) { upsweep::exclusive_scan_with_total(s, in, offsets, o); }}};
}

engine const all_engines[] = {engine::automatic, engine::sequential, engine::scan_then_propagate, engine::reduce_then_scan,
                              engine::two_level, engine::chained, engine::look_back};

TEST(contracts, no_fence_no_allocation_no_copy_with_a_workspace) {
  oracle::space const space;
  for (auto const& c : calls())
    for (engine e : all_engines) {
      upsweep::workspace ws(space);
      upsweep::scan_options const options{.engine = e, .workspace = &ws};
      c.run(space, options);  // the first call of its kind may
      space.fence();
      recorder const seen;
      c.run(space, options);
      auto const fences = recorder::fences(), allocations = recorder::allocations(), copies = recorder::copies();
      EXPECT_TRUE(fences.empty()) << c.name << ", engine " << int(e) << ": " << fences.front();
      EXPECT_TRUE(allocations.empty()) << c.name << ", engine " << int(e) << ": " << allocations.front();
      EXPECT_TRUE(copies.empty()) << c.name << ", engine " << int(e);
      space.fence();
    }
}

TEST(contracts, kernels_are_labelled_and_run_on_the_given_instance) {
  auto const instances = Kokkos::Experimental::partition_space(oracle::space(), 1, 1);
  for (auto const& instance : instances)
    for (auto const& c : calls())
      for (engine e : all_engines) {
        upsweep::workspace ws(instance);
        upsweep::scan_options const options{.engine = e, .workspace = &ws, .label = "mine"};
        c.run(instance, options);  // the first call zeroes its memory, by a kernel of Kokkos' own
        instance.fence();
        recorder const seen;
        c.run(instance, options);
        instance.fence();
        ASSERT_FALSE(recorder::kernels().empty());
        for (auto const& k : recorder::kernels()) {
          EXPECT_EQ(k.device, Kokkos::Tools::Experimental::device_id(instance)) << k.label;
          EXPECT_EQ(k.label.rfind(std::string("upsweep::") + c.name + "::", 0), 0u) << k.label;
          EXPECT_NE(k.label.find("[mine]"), std::string::npos) << k.label;
        }
      }
}

TEST(contracts, launches_are_what_the_engines_say) {
  oracle::space const space;
  auto const in = oracle::to_device(oracle::random_values<int>(n, 0, 9));
  Kokkos::View<int*, oracle::memory> const out("out", n);
  // n is more than one tile and less than a tile of tiles: one level above the first for the recursive engines.
  std::vector<std::pair<engine, std::size_t>> const expected{{engine::sequential, 1}, {engine::scan_then_propagate, 3}, {engine::reduce_then_scan, 3},
                                                             {engine::two_level, 3},  {engine::chained, 1},             {engine::look_back, 1},
                                                             {engine::pipelined, 1}};
  for (auto const& [e, launches] : expected) {
    upsweep::workspace ws(space);
    upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, {.engine = e, .workspace = &ws});
    recorder const seen;
    upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, {.engine = e, .workspace = &ws});
    EXPECT_EQ(recorder::kernels().size(), launches) << "engine " << int(e);
    space.fence();
  }
}

#if defined(KOKKOS_ENABLE_CUDA)
TEST(contracts, a_captured_graph_is_right_at_every_replay) {
  Kokkos::Cuda const stream_space = Kokkos::Experimental::partition_space(Kokkos::Cuda(), 1)[0];
  auto const stream = stream_space.cuda_stream();
  for (engine e : {engine::automatic, engine::look_back, engine::chained, engine::two_level, engine::reduce_then_scan}) {
    std::size_t const length = 300007;
    Kokkos::View<int*, oracle::memory> const in("in", length), out("out", length);
    upsweep::workspace ws(stream_space);
    auto const scan = [&] { upsweep::exclusive_scan(stream_space, in, out, upsweep::plus<>{}, {.engine = e, .workspace = &ws}); };
    scan();
    stream_space.fence();
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    scan();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
    for (int rep = 0; rep < 100; ++rep) {
      auto const values = oracle::random_values<int>(length, 0, 9, unsigned(rep));
      std::vector<int> expected(length);
      std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
      Kokkos::deep_copy(in, Kokkos::View<int const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), length));
      ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
      stream_space.fence();
      ASSERT_EQ(oracle::to_host(out), expected) << "engine " << int(e) << ", replay " << rep;
    }
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
  }
}
#endif

}  // namespace
