// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "backend.hpp"
#include "describe.hpp"
#include "groups/selection.hpp"
#include "neighbors/selection.hpp"
#include "pack/selection.hpp"
#include "revision.hpp"
#include "scan/selection.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perf {

void describe() {
  std::set<std::string> impls;
  for (auto const& names : {scan_impls(), pack::pack_impls(), neighbors::list_impls(), groups::group_impls()})
    impls.insert(names.begin(), names.end());
  std::string all;
  for (auto const& impl : impls) all += (all.empty() ? "" : " ") + impl;
  std::vector<std::pair<std::string, std::string>> lines{
      {"revision", revision()},
      {"machine", processor_name()},
      {"backend", space::name()},
      {"threads", std::to_string(space().concurrency())},
      {"kokkos", fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100)},
      {"implementations", all}};
  for (auto const& line : compiled_with()) lines.push_back(line);
  for (auto const& [name, value] : lines) fmt::print("{}: {}\n", name, value);
}

}  // namespace perf
