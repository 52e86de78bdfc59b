// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "engine_counts.hpp"

#include "depth.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/study/access_count.hpp>
#include <upsweep/scan/study/engines.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace study {
namespace {

using space_type = Kokkos::DefaultHostExecutionSpace;

/// Kernels launched and bytes allocated while one of these lives, by Kokkos' own tool interface.
class tool_counts {
 public:
  tool_counts() {
    launches = bytes = 0;
    namespace tools = Kokkos::Tools::Experimental;
    auto const begin = [](char const*, std::uint32_t, std::uint64_t*) { ++launches; };
    tools::set_begin_parallel_for_callback(begin);
    tools::set_begin_parallel_reduce_callback(begin);
    tools::set_begin_parallel_scan_callback(begin);
    // Kokkos allocates for itself, too, when a space is used for the first time.
    tools::set_allocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, char const* name, void const*, std::uint64_t size) {
          if (std::string_view(name).rfind("upsweep::", 0) == 0) bytes += size;
        });
  }
  ~tool_counts() { Kokkos::Tools::Experimental::set_callbacks(before_); }
  tool_counts(tool_counts const&) = delete;
  tool_counts& operator=(tool_counts const&) = delete;

  // The callbacks take no argument of ours.
  inline static std::uint64_t launches = 0, bytes = 0;

 private:
  /// A tool that was loaded goes on afterwards.
  Kokkos::Tools::Experimental::EventSet before_ = Kokkos::Tools::Experimental::get_callbacks();
};

/// An engine by its name in the literature, and what the source says of it.
struct engine_case {
  char const* name;
  double reads, writes;  // per element, without terms of the order of the number of blocks
  std::optional<double> launches;
};

template <class Engine>
row count(engine_case const& c, std::uint64_t n) {
  space_type const space;
  auto const elements = [&](std::string const& name) {
    return Kokkos::View<deep_sum*, Kokkos::HostSpace>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, name), n);
  };
  auto const in = elements("upsweep::study::in"), out = elements("upsweep::study::out");
  Kokkos::deep_copy(space, in, deep_sum{1, 0});
  upsweep::workspace workspace(space);
  upsweep::basic_scan_options<Engine> const options{.workspace = &workspace};
  // The first call makes the workspace, the second is what a program that scans again and again pays.
  std::uint64_t bytes = 0;
  {
    tool_counts const tools;
    upsweep::inclusive_scan(space, in, out, counted_plus{}, options);
    space.fence("upsweep::study::first");
    bytes = tool_counts::bytes;
  }
  counted_plus::operations = 0;
  upsweep::study::access_count::clear();
  std::uint64_t launches = 0;
  {
    tool_counts const tools;
    upsweep::inclusive_scan(space, in, out, counted_plus{}, options);
    space.fence("upsweep::study::second");
    launches = tool_counts::launches;
  }
  std::uint64_t const reads = upsweep::study::access_count::loads, writes = upsweep::study::access_count::stores;
  std::int64_t depth = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    deep_sum const got = out.data()[i];
    if (got.sum != static_cast<std::int64_t>(i) + 1)
      throw std::runtime_error(std::string(c.name) + ": wrong result for element " + std::to_string(i));
    depth = std::max(depth, got.depth);
  }
  double const N = static_cast<double>(n);
  std::uint64_t const span = static_cast<std::uint64_t>(depth);
  return {"device",
          c.name,
          n,
          {counted_plus::operations.load(), {}},
          {},
          {span, {}},
          {},
          {},
          {reads, c.reads * N},
          {writes, c.writes * N},
          {launches, c.launches},
          {bytes, {}}};
}

}  // namespace

void count_engines(std::uint64_t n, rows& out) {
  namespace engines = upsweep::study;
  out.push_back(count<engines::sequential>({"sequential", 1, 1, 1}, n));
  out.push_back(count<engines::scan_then_propagate>({"scan_then_propagate", 2, 2, {}}, n));
  out.push_back(count<engines::reduce_then_scan>({"reduce_then_scan", 2, 1, {}}, n));
  out.push_back(count<upsweep::engine::two_level>({"two_level", 2, 1, 3}, n));
  out.push_back(count<engines::chained>({"chained", 1, 1, 1}, n));
  out.push_back(count<engines::one_lane_look_back>({"look_back", 1, 1, 1}, n));
}

}  // namespace study
