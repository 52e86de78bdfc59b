// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Our own lists: as the library chooses, by the plain builder, and with options.

#include "implementation.hpp"
#include "option_lists.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

#include <memory>
#include <vector>

namespace perf::neighbors {

template <class Real>
implementation<Real> upsweep_list(char const* name, upsweep::neighbor_options const& options) {
  return {
      .name = name, .exact = true, .prepare = [options](space const& instance, particles<Real> const& p) -> prepared {
        using list = upsweep::neighbor_list<space, Real>;
        auto const kept = std::make_shared<list>(instance, p.box, static_cast<Real>(cutoff), options);
        return {[=] { kept->update(instance, p.x); }, [=] { return kept->pairs(); },
                [=] { return kept->last_plan().bytes(); }, [=] { return rows{kept->offsets(), kept->neighbors()}; }};
      }};
}

template <class Real>
std::vector<implementation<Real>> lists<Real>::by_upsweep() {
  std::vector<implementation<Real>> all{
      upsweep_list<Real>("upsweep", {}),
      upsweep_list<Real>("upsweep_plain", {.builder = upsweep::neighbor_builder::plain})};
  for (auto const& with_option : lists_with_options<Real>()) all.push_back(with_option);
  return all;
}

}  // namespace perf::neighbors
