// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../names.hpp"
#include "batches.hpp"
#include "choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace perf::neighbors {
namespace {

/// Fewer particles do not fill a periodic box of two cutoffs.
constexpr std::size_t fewest = 256;

std::vector<std::size_t> usual_sizes() {
  std::vector<std::size_t> sizes{32000, 256000, 1000000};
  if (!on_host) sizes.insert(sizes.end(), {4000000, 16000000, 64000000});
  return sizes;
}

template <class Real>
void add_type(list_selection const& selection) {
  if (!chosen(selection.types, type_name<Real>())) return;
  // The list, particles in two orders, and 192 bytes per particle for the build.
  double const each = sizeof(int) * expected_pairs(1) + 6 * sizeof(Real) + 8 + 192;
  std::vector<std::size_t> fitting;
  for (std::size_t n : selection.sizes.empty() ? usual_sizes() : selection.sizes)
    if (n < fewest || n > 1u << 30 || each * static_cast<double>(n) > 0.9 * static_cast<double>(free_memory()))
      fmt::print(stderr,
                 "upsweep-perf: lists of {} {} particles are too small for a periodic box or do not fit into the free "
                 "memory; left out\n",
                 n, type_name<Real>());
    else fitting.push_back(n);
  add_lists_of<Real>(selection, fitting);
}

}  // namespace

std::vector<std::string> list_types() { return {"float", "double"}; }

std::vector<std::string> list_impls() {
  std::vector<std::string> names{"copy"};
  for (auto const& impl : all_implementations<float>()) names.push_back(impl.name);
  for (auto const& impl : batch_impls())
    if (std::find(names.begin(), names.end(), impl) == names.end()) names.push_back(impl);
  return names;
}

std::vector<std::string> list_workloads() {
  std::vector<std::string> names;
  for (auto const& w : workloads) names.push_back(w.name);
  append(names, batch_workloads());
  return names;
}

void add_lists(list_selection const& selection) {
  add_type<float>(selection);
  add_type<double>(selection);
  add_batches(selection);
}

}  // namespace perf::neighbors
