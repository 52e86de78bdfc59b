// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../oracle/views.hpp"
#include "tools.hpp"

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/cpu/cache_tiles.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace contracts {

/// Whether a kernel that the recorder saw is this part of its function.
inline bool has_part(std::string_view part) {
  auto const& seen = recorder::kernels();
  return std::any_of(seen.begin(), seen.end(),
                     [&](auto const& k) { return k.label.find("::" + std::string(part)) != std::string::npos; });
}

/// Whether the kernels that the recorder saw are those of an engine. two_level alone has a "spine", for inputs of
/// several blocks, which are long on GPUs; look_back is two_level where there are no warps, and elsewhere has names of
/// its own for short inputs. The look-back of one lane has a name of its own, which a profiler shows.
inline bool has_run(std::string_view engine) {
  bool const spine = has_part("spine"), looked_back = has_part("look_back") || has_part("few_");
  bool const one_lane = has_part("one_lane_look_back");
  constexpr bool on_gpu = upsweep::compat::is_gpu<oracle::space>;
  if (engine == "two_level" || (engine == "look_back" && !upsweep::compat::has_warps<oracle::space>))
    return (spine || (on_gpu && has_part("scan"))) && !looked_back && !one_lane;
  if (engine == "look_back") return looked_back && !spine && !one_lane;
  if (engine == "one_lane_look_back") return one_lane && !spine && !looked_back;
  if (engine == "automatic" && upsweep::scan::detail::cache_tiles_engine::runs_on<oracle::space>)
    return !spine && !looked_back && !one_lane;
  return true;
}

}  // namespace contracts
