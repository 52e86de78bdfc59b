// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../measure.hpp"
#include "choice.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace perf {
namespace {

/// The size that an often cited comparison of scans used.
constexpr std::size_t named_size = 100000000;

template <class T>
std::vector<std::size_t> usual_sizes() {
  return parse_sizes(on_host ? "2^10..2^26" : sizeof(T) == 4 ? "2^10..2^32" : "2^10..2^30");
}

template <class T>
void add_type(scan_selection const& selection, std::shared_ptr<current_buffers> const& shared) {
  if (!chosen(selection.types, type_name<T>())) return;
  // Memory for the input, the output and the segments, and a tenth of the first two for temporary memory.
  std::size_t const bytes = free_memory(), with_keys = bytes * 10 / (22 * sizeof(T) + 10 * segment_bytes);
  std::size_t const most =
      with_keys <= most_keys ? with_keys : (bytes - most_keys * segment_bytes) / 22 * 10 / sizeof(T);
  std::vector<std::size_t> fitting;
  for (std::size_t n : selection.sizes.empty() ? usual_sizes<T>() : selection.sizes)
    if (n < most) fitting.push_back(n);
    else
      fmt::print(stderr, "upsweep-perf: {} elements of {} do not fit into the memory that is free; left out\n", n,
                 type_name<T>());
  bool const named = selection.sizes.empty() && std::is_same_v<T, std::int32_t> && named_size < most;
  add_scans_of<T>(selection, fitting, named ? named_size : 0, shared);
}

using types = type_list<std::int32_t, std::int64_t, float, double, std::int8_t, std::int16_t, int64x2, matrix2x2>;

}  // namespace

std::vector<std::string> scan_types() { return types::names(); }

std::vector<std::string> scan_impls() {
  std::vector<std::string> names;
  for (auto const& impl : all_implementations<double>({"automatic"}))
    if (names.empty() || names.back() != impl.name) names.push_back(impl.name);
  return names;
}

std::vector<std::string> scan_operations() {
  std::vector<std::string> names{latency};
  for (auto const op : timed_operations) names.push_back(name_of(op));
  return names;
}

struct empty_kernel {
  KOKKOS_FUNCTION void operator()(int) const {}
};

namespace {

/// What one launch and the wait for it cost: no call can be faster.
void add_empty_kernel(scan_selection const& selection) {
  if (!chosen(selection.impls, "kokkos") || !chosen(selection.operations, latency) ||
      !chosen(selection.types, type_name<std::int32_t>()))
    return;
  add(key("scan", "kokkos", "empty_kernel_latency", type_name<std::int32_t>(), 0),
      selection.measurements > 0 ? selection.measurements : 101, [](benchmark::State& state) {
        space const instance;
        time_latency(state, instance, [&] {
          Kokkos::parallel_for("upsweep::perf::empty", Kokkos::RangePolicy<space>(instance, 0, 1), empty_kernel{});
        });
      });
}

}  // namespace

void add_scans(scan_selection const& selection) {
  add_empty_kernel(selection);
  auto const shared = std::make_shared<current_buffers>();
  types::for_each([&]<class T>() { add_type<T>(selection, shared); });
}

}  // namespace perf
