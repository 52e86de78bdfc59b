// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace contracts {

/// What Kokkos' own tool interface saw while one of these was alive: kernels with their labels and instances, fences,
/// allocations and copies.
class recorder {
 public:
  struct kernel {
    std::string label;
    std::uint32_t device;  ///< execution space and instance, as the tool interface packs them
  };

  recorder() {
    clear();
    namespace tools = Kokkos::Tools::Experimental;
    auto const begin = [](char const* name, std::uint32_t device, std::uint64_t*) {
      kernels().push_back({name, device});
    };
    tools::set_begin_parallel_for_callback(begin);
    tools::set_begin_parallel_reduce_callback(begin);
    tools::set_begin_parallel_scan_callback(begin);
    tools::set_begin_fence_callback([](char const* name, std::uint32_t, std::uint64_t*) {
      // The interface fences around each callback itself, and says so.
      if (std::string_view(name).find("Kokkos Profile Tool Fence") == std::string_view::npos) fences().push_back(name);
    });
    tools::set_allocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, char const* name, void const* at, std::uint64_t size) {
          if (size == 0) return;
          allocations().push_back(std::string(name) + ", bytes: " + std::to_string(size));
          if (std::string_view(name).substr(0, 9) != "upsweep::") return;
          held().of[at] = size;
          held().now += size;
          held().most = std::max(held().most, held().now);
        });
    tools::set_deallocate_data_callback([](Kokkos_Profiling_SpaceHandle, char const*, void const* at, std::uint64_t) {
      auto const found = held().of.find(at);
      if (found == held().of.end()) return;  // not allocated while this recorder was alive
      held().now -= found->second;
      held().of.erase(found);
    });
    tools::set_begin_deep_copy_callback([](Kokkos_Profiling_SpaceHandle, char const* name, void const*,
                                           Kokkos_Profiling_SpaceHandle, char const*, void const*,
                                           std::uint64_t) { copies().push_back(name); });
  }
  ~recorder() { Kokkos::Tools::Experimental::set_callbacks(before_); }
  recorder(recorder const&) = delete;
  recorder& operator=(recorder const&) = delete;

  static void clear() {
    kernels().clear();
    fences().clear();
    allocations().clear();
    copies().clear();
    held() = {};
  }

  // Callbacks are plain functions without an argument of the caller's, so what they see is kept here.
  static std::vector<kernel>& kernels() {
    static std::vector<kernel> seen;
    return seen;
  }
  static std::vector<std::string>& fences() {
    static std::vector<std::string> seen;
    return seen;
  }
  static std::vector<std::string>& allocations() {
    static std::vector<std::string> seen;
    return seen;
  }
  /// The most bytes that the library's own allocations held at a time.
  static std::uint64_t most_bytes() { return held().most; }
  static std::vector<std::string>& copies() {
    static std::vector<std::string> seen;
    return seen;
  }

 private:
  struct memory_held {
    std::map<void const*, std::uint64_t> of;
    std::uint64_t now = 0, most = 0;
  };
  static memory_held& held() {
    static memory_held seen;
    return seen;
  }

  Kokkos::Tools::Experimental::EventSet before_ = Kokkos::Tools::Experimental::get_callbacks();
};

/// A call with a workspace: the second time it neither waits nor allocates. What the recorder saw of that time stays
/// there.
template <class Space, class Call>
void expect_quiet(Space const& space, Call const& call) {
  call();
  space.fence();
  {
    recorder const seen;
    call();
  }
  EXPECT_TRUE(recorder::fences().empty()) << recorder::fences().front();
  EXPECT_TRUE(recorder::allocations().empty()) << recorder::allocations().front();
  space.fence();
}

}  // namespace contracts
