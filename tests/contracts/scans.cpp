// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What a scan promises beside its result, seen through Kokkos' tool interface.

#include "../oracle/engines.hpp"
#include "../oracle/instances.hpp"
#include "../oracle/views.hpp"
#include "tools.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <type_traits>
#include <vector>

#if defined(KOKKOS_ENABLE_OPENMP) && !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
#include <omp.h>
#endif

namespace {

using contracts::recorder;
using upsweep::basic_scan_options;

std::size_t const n = 200003;

template <class Engine>
struct call {
  char const* name;
  std::function<void(oracle::space const&, basic_scan_options<Engine> const&)> run;
};

/// The calls under test, on their own data.
template <class Engine>
std::vector<call<Engine>> calls() {
  auto const in = oracle::to_device(oracle::random_values<int>(n, 0, 9));
  Kokkos::View<int*, oracle::memory> const out("out", n), offsets("offsets", n + 1);
  return {{"exclusive_scan",
           [=](auto const& s, auto const& o) { upsweep::exclusive_scan(s, in, out, upsweep::plus<>{}, o); }},
          {"inclusive_scan",
           [=](auto const& s, auto const& o) { upsweep::inclusive_scan(s, in, out, upsweep::max<>{}, o); }},
          {"counts_to_offsets", [=](auto const& s, auto const& o) { upsweep::counts_to_offsets(s, in, offsets, o); }}};
}

TEST(contracts, no_fence_no_allocation_no_copy_with_a_workspace) {
  oracle::space const space;
  oracle::for_parallel_engines([&]<class Engine>() {
    for (auto const& c : calls<Engine>()) {
      upsweep::workspace ws(space);
      basic_scan_options<Engine> const options{.workspace = &ws};
      c.run(space, options);  // the first call of its kind may
      space.fence();
      recorder const seen;
      c.run(space, options);
      auto const fences = recorder::fences(), allocations = recorder::allocations(), copies = recorder::copies();
      EXPECT_TRUE(fences.empty()) << c.name << ", engine " << oracle::name_of<Engine>() << ": " << fences.front();
      EXPECT_TRUE(allocations.empty()) << c.name << ", engine " << oracle::name_of<Engine>() << ": "
                                       << allocations.front();
      EXPECT_TRUE(copies.empty()) << c.name << ", engine " << oracle::name_of<Engine>();
      space.fence();
    }
  });
}

#if defined(KOKKOS_ENABLE_OPENMP) && !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
/// The most threads of a team of OpenMP that have asked for an element.
struct asking_threads {
  int* most;
  int operator()(std::size_t) const {
    Kokkos::atomic_max(most, omp_get_num_threads());
    return 1;
  }
};

// Kokkos' tools give all instances of OpenMP one number, so the test looks at the threads to see which of them runs.
TEST(contracts, scans_run_on_the_threads_of_the_given_openmp_instance) {
  if constexpr (oracle::is_openmp<oracle::space>) {
    Kokkos::View<int*, oracle::memory> const out("out", n);
    for (auto const& instance : oracle::instances<oracle::space>(3))
      oracle::for_production_engines([&]<class Engine>() {
        int most = 0;
        upsweep::exclusive_scan(instance, asking_threads{&most}, out, upsweep::plus<>{}, basic_scan_options<Engine>{});
        EXPECT_LE(most, instance.concurrency()) << oracle::name_of<Engine>();
        EXPECT_GE(most, 1) << oracle::name_of<Engine>();
      });
  } else {
    GTEST_SKIP() << "the default execution space is another one";
  }
}
#endif

TEST(contracts, kernels_are_labelled_and_run_on_the_given_instance) {
  auto const instances = oracle::instances<oracle::space>(2);
  for (auto const& instance : instances)
    oracle::for_production_engines([&]<class Engine>() {
      for (auto const& c : calls<Engine>()) {
        upsweep::workspace ws(instance);
        basic_scan_options<Engine> const options{.workspace = &ws, .label = "mine"};
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
    });
}

/// For n elements, which are more than one tile and fewer than a tile of tiles: one level above the first for recursive
/// engines.
template <class Engine>
std::size_t launches_of() {
  using namespace upsweep;
  if constexpr (std::is_same_v<Engine, engine::automatic>) {
    return compat::has_bulk_copies<oracle::space> ? 1 : launches_of<engine::tuning<oracle::space>::automatic>();
  } else if constexpr (std::is_same_v<Engine, engine::cache_tiles>) {
    return scan::detail::cache_tiles_engine::runs_on<oracle::space> ? 1 : 3;
  } else if constexpr (std::is_same_v<Engine, engine::look_back> || std::is_same_v<Engine, engine::pipelined>) {
    return scan::detail::has_warp_look_back<oracle::space> ? 1 : 3;
  } else {
    return std::is_same_v<Engine, study::scan_then_propagate> || std::is_same_v<Engine, study::reduce_then_scan> ||
                   std::is_same_v<Engine, engine::two_level>
               ? 3
               : 1;
  }
}

TEST(contracts, launches_are_what_the_engines_say) {
  oracle::space const space;
  auto const in = oracle::to_device(oracle::random_values<int>(n, 0, 9));
  Kokkos::View<int*, oracle::memory> const out("out", n);
  oracle::for_all_engines([&]<class Engine>() {
    upsweep::workspace ws(space);
    upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, basic_scan_options<Engine>{.workspace = &ws});
    recorder const seen;
    upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, basic_scan_options<Engine>{.workspace = &ws});
    EXPECT_EQ(recorder::kernels().size(), launches_of<Engine>()) << oracle::name_of<Engine>();
    space.fence();
  });
}

#if defined(KOKKOS_ENABLE_CUDA)
TEST(contracts, a_captured_graph_is_right_at_every_replay) {
  Kokkos::Cuda const stream_space = oracle::instances<Kokkos::Cuda>(1)[0];
  auto const stream = stream_space.cuda_stream();
  oracle::for_production_engines([&]<class Engine>() {
    std::size_t const length = 300007;
    Kokkos::View<int*, oracle::memory> const in("in", length), out("out", length);
    upsweep::workspace ws(stream_space);
    auto const scan = [&] {
      upsweep::exclusive_scan(stream_space, in, out, upsweep::plus<>{}, basic_scan_options<Engine>{.workspace = &ws});
    };
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
      Kokkos::deep_copy(in,
                        Kokkos::View<int const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), length));
      ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
      stream_space.fence();
      ASSERT_EQ(oracle::to_host(out), expected) << oracle::name_of<Engine>() << ", replay " << rep;
    }
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
  });
}
#endif

}  // namespace
