// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "engine_counts.hpp"

#include "depth.hpp"

#include <upsweep/base/access_count.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/study/engine_name.hpp>

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

struct engine_case {
  upsweep::study::engine_name engine;
  double reads, writes;  // per element, as the source counts them: without terms of the order of the number of blocks
  std::optional<double> launches;
};

row count(engine_case const& c, std::uint64_t n) {
  char const* const engine = upsweep::study::engine_names[static_cast<std::size_t>(c.engine)];
  space_type const space;
  auto const elements = [&](std::string const& name) {
    return Kokkos::View<deep_sum*, Kokkos::HostSpace>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, name), n);
  };
  auto const in = elements("upsweep::study::in"), out = elements("upsweep::study::out");
  Kokkos::deep_copy(space, in, deep_sum{1, 0});
  upsweep::workspace workspace(space);
  upsweep::study::scan_options const options{.workspace = &workspace, .engine = c.engine};
  // The first call makes the workspace, the second is what a program that scans again and again pays.
  std::uint64_t bytes = 0;
  {
    tool_counts const tools;
    upsweep::inclusive_scan(space, in, out, counted_plus{}, options);
    space.fence("upsweep::study::first");
    bytes = tool_counts::bytes;
  }
  counted_plus::operations = 0;
  upsweep::access_count::clear();
  std::uint64_t launches = 0;
  {
    tool_counts const tools;
    upsweep::inclusive_scan(space, in, out, counted_plus{}, options);
    space.fence("upsweep::study::second");
    launches = tool_counts::launches;
  }
  std::uint64_t const reads = upsweep::access_count::loads, writes = upsweep::access_count::stores;
  std::int64_t depth = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    deep_sum const got = out.data()[i];
    if (got.sum != static_cast<std::int64_t>(i) + 1)
      throw std::runtime_error(std::string(engine) + ": wrong result for element " + std::to_string(i));
    depth = std::max(depth, got.depth);
  }
  double const N = static_cast<double>(n);
  std::uint64_t const span = static_cast<std::uint64_t>(depth);
  return {"device",
          engine,
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
  using upsweep::study::engine_name;
  for (engine_case const& c : {
           engine_case{engine_name::sequential, 1, 1, 1},
           engine_case{engine_name::scan_then_propagate, 2, 2, {}},
           engine_case{engine_name::reduce_then_scan, 2, 1, {}},
           engine_case{engine_name::two_level, 2, 1, 3},
           engine_case{engine_name::chained, 1, 1, 1},
           engine_case{engine_name::look_back, 1, 1, 1},
       })
    out.push_back(count(c, n));
}

}  // namespace study
