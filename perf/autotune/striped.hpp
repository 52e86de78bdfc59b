// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Shapes of the kernels of look_back: tiles that go by ticket, and few tiles, which pipelined has, too.

#include "candidate.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/scan/detail/one_pass/one_wave_scan.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf::autotune {

template <class Shape, bool Tickets, class T>
std::function<void()> prepare_striped(problem<T> const& p) {
  return [p, scan = scan_problem_of(p), memory = std::make_shared<upsweep::workspace>(p.instance)] {
    std::byte* const region = upsweep::internal::access::reserve_protocol(
        *memory, p.instance, upsweep::scan::detail::scan_region_bytes<Shape, space, scan_problem<T>>(p.n()));
    auto const kernel = upsweep::scan::detail::make_scan_kernel<Shape, Tickets, space>(
        scan, {region, upsweep::internal::access::protocol_bytes(*memory)});
    upsweep::scan::detail::launch_pipeline<Shape::teams>(p.instance, kernel, kernel.prefixes.tiles, "autotune",
                                                         {"autotune", {}});
  };
}

/// A candidate for the constants `constant` with {} for the size of elements, which are Of4 and Of8 without a header.
template <class Shape, bool Tickets, class Of4, class Of8>
void add_striped(std::vector<candidate>& all, char const* group, std::string const& constant, std::size_t least) {
  auto const text = [](int number) { return std::to_string(number); };
  std::string const arguments = text(Shape::warps) + ", " + text(Shape::bytes_per_thread) + ", " + text(Shape::teams) +
                                ", " + text(Shape::pauses) + ", " + text(Shape::window);
  candidate c{group,
              text(Shape::warps) + " warps of " + text(Shape::bytes_per_thread) + " bytes, " + text(Shape::teams) +
                  " teams, " + text(Shape::pauses) + " pauses, window of " + text(Shape::window),
              {"using " + constant + " = striped_shape<" + arguments + ">;"},
              {std::is_same_v<Shape, Of4>, std::is_same_v<Shape, Of8>},
              {},
              {}};
  c.of_int32.prepare = prepare_striped<Shape, Tickets, std::int32_t>;
  c.of_int64.prepare = prepare_striped<Shape, Tickets, std::int64_t>;
  c.of_int32.least = c.of_int64.least = least;
  if constexpr (!Tickets) {  // no more elements than one look-back sees
    constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
    c.of_int32.most = upsweep::scan::detail::elements_in_view<space, scan_problem<std::int32_t>, Shape>(any);
    c.of_int64.most = upsweep::scan::detail::elements_in_view<space, scan_problem<std::int64_t>, Shape>(any);
  }
  all.push_back(std::move(c));
}

// Warps, bytes per thread, teams, pauses, window.
template <int... Numbers>
void add_few_tiles(std::vector<candidate>& all) {
  add_striped<upsweep::engine::striped_shape<Numbers...>, false, typename default_tuning::few_tiles_4,
              typename default_tuning::few_tiles_8>(all, "few_tiles", "few_tiles_{}", 1);
}
template <int... Numbers>
void add_few_large_tiles(std::vector<candidate>& all) {
  add_striped<upsweep::engine::striped_shape<Numbers...>, false, typename default_tuning::few_large_tiles_4,
              typename default_tuning::few_large_tiles_8>(all, "few_large_tiles", "few_large_tiles_{}", least_many);
}
template <int... Numbers>
void add_look_back(std::vector<candidate>& all) {
  add_striped<upsweep::engine::striped_shape<Numbers...>, true, typename default_tuning::warp_look_back_4,
              typename default_tuning::warp_look_back_8>(all, "look_back", "warp_look_back_{}", least_many);
}

}  // namespace perf::autotune
