// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/cpu/guided_tickets.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/detail/lists/pack_memory.hpp>
#include <upsweep/pack/detail/unique_rows/long_row_kernels.hpp>
#include <upsweep/pack/detail/unique_rows/row_source.hpp>
#include <upsweep/pack/pack_options.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/pack/unique.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::pack::detail {

/// How many values a row has that one team, or one thread of a CPU, sorts at most. Longer ones, huge rows, are sorted
/// by all threads of the device, one row after the other.
inline constexpr std::size_t longest_team_row = std::size_t(1) << 17;

/// The long rows of a call in memory of their own: sorted, each value once. ByThreads: whether one thread sorts a row.
template <class T, class ExecutionSpace, bool ByThreads>
class long_rows {
  using memory_space = typename ExecutionSpace::memory_space;
  template <class U>
  using view = Kokkos::View<U*, memory_space>;
  template <class U>
  using part = Kokkos::View<U*, memory_space, Kokkos::MemoryUnmanaged>;

 public:
  long_rows(ExecutionSpace const& space, unique_rows_options const& options, char const* function)
      : space_(space), options_(options), function_(function) {}

  std::int64_t count() const { return static_cast<std::int64_t>(rows_.extent(0)); }
  std::int64_t const* rows() const { return rows_.data(); }

  /// Takes the `count` long rows of a call's n, sorts them, and replaces their marks by the counts of their
  /// different values. Waits. What the workspace held is lost.
  template <class Rows>
  void sort(Rows const& rows, std::size_t n, std::size_t count, std::size_t* counts, workspace& memory) {
    counts_ = counts;
    find(n, count, memory);
    take_memory();
    if constexpr (!Rows::are_stored) {
      internal::for_each_index(
          space_, [&] { return label("emit long rows"); }, count,
          emit_long_rows_kernel<T, decltype(rows.functor)>{rows.functor, of(),
                                                           internal::access::errors(memory, space_)});
      check_rows(space_, memory, function_);
    }
    sort_by_teams(rows);
    for (huge_row& huge : huge_) sort_huge(rows, huge, memory);
    space_.fence(internal::label(function_, "long rows"));
  }

  /// Copies them to their places. Asynchronous; their memory is this object's.
  void copy(std::size_t const* offsets, T* values) const {
    if (count() == 0) return;
    long_row_target<T> const target{offsets, values};
    copy_long_rows_kernel<T> const kernel{of(), target, longest_team_row};
    if constexpr (ByThreads)
      internal::run_on_cpu(
          space_, [&] { return label("copy long rows"); }, rows_.extent(0),
          [kernel](std::int64_t j) { kernel.copy(j, 0, 1); }, {}, internal::tile_cost::uneven);
    else Kokkos::parallel_for(label("copy long rows"), teams(), kernel);
    for (huge_row const& huge : huge_)
      internal::for_each_index(
          space_, [&] { return label("copy a row"); }, huge.found,
          copy_huge_row_kernel<T>{huge.values.data(), target, huge.row});
  }

 private:
  struct huge_row {
    std::int64_t row;
    part<T> values;
    std::size_t found = 0;
  };

  std::string label(std::string_view of) const { return internal::label(function_, of, options_.label); }
  std::string_view inner_label() const { return internal::inner_label(options_.label, function_); }
  long_row_memory<T> of() const { return {rows_.data(), begins_.data(), sizes_.data(), values_.data(), counts_}; }
  static constexpr int team_size = compat::is_gpu<ExecutionSpace> ? 256 : 1;
  auto teams() const {
    return Kokkos::TeamPolicy<ExecutionSpace>(
        space_, internal::narrow<int>(count(), function_, "the number of long rows"), team_size);
  }

  /// Which they are, and their sizes.
  void find(std::size_t n, std::size_t count, workspace& memory) {
    rows_ = internal::allocate<std::int64_t, memory_space>(space_, count, function_, "long rows");
    sizes_ = internal::allocate<std::size_t, memory_space>(space_, count, function_, "sizes of long rows");
    begins_ = internal::allocate<std::size_t, memory_space>(space_, count, function_, "begins of long rows");
    compact_indices(space_, n, rows_, is_long_row{counts_}, {.workspace = &memory, .label = inner_label()});
    internal::for_each_index(
        space_, [&] { return label("sizes"); }, count, long_row_size_kernel{counts_, rows_.data(), sizes_.data()});
  }

  /// Memory for the values, and the host's notes of huge rows.
  void take_memory() {
    auto const rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows_);
    auto const sizes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sizes_);
    std::vector<std::size_t> begins(sizes.extent(0));
    std::size_t total = 0, longest = 0;
    for (std::size_t j = 0; j < begins.size(); ++j) {
      begins[j] = total;
      total += padded_row(sizes(j));
      if (sizes(j) > longest_team_row) longest = std::max(longest, sizes(j));
    }
    // The library's sort and unique take as much as the row, and some for their counts.
    constexpr std::size_t counts = std::size_t(1) << 20;
    std::size_t const bytes = internal::checked_multiply(total + longest, sizeof(T), function_, "bytes of long rows") +
                              begins.size() * (2 * sizeof(std::size_t) + sizeof(std::int64_t)) +
                              (longest > 0 ? counts : 0);
    require_budget(options_.memory_budget, internal::access::header_bytes + bytes, function_, "sorting long rows");
    values_ = internal::allocate<T, memory_space>(space_, total, function_, "values of long rows");
    Kokkos::deep_copy(
        space_, begins_,
        Kokkos::View<std::size_t const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(begins.data(), begins.size()));
    space_.fence(internal::label(function_, "begins"));  // the host's copy ends here
    for (std::size_t j = 0; j < begins.size(); ++j)
      if (sizes(j) > longest_team_row) huge_.push_back({rows(j), part<T>(values_.data() + begins[j], sizes(j))});
  }

  template <class Rows>
  void sort_by_teams(Rows const& rows) {
    if constexpr (ByThreads) {
      internal::run_on_cpu(
          space_, [&] { return label("sort long rows"); }, rows_.extent(0),
          unique_long_rows_cpu<T, Rows>{rows, of(), longest_team_row, {}}, {}, internal::tile_cost::uneven);
    } else {
      using kernel = unique_long_rows_team<T, Rows>;
      Kokkos::parallel_for(
          label("sort long rows"),
          teams().set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel::scratch_bytes(team_size)))),
          kernel{rows, of(), longest_team_row});
    }
  }
  template <class Rows>
  void sort_huge(Rows const& rows, huge_row& huge, workspace& memory) {
    if constexpr (Rows::are_stored)
      internal::for_each_index(
          space_, [&] { return label("take a row"); }, huge.values.extent(0),
          take_huge_row_kernel<T, Rows>{rows, huge.row, huge.values.data()});
    upsweep::sort(space_, huge.values, {.workspace = &memory, .label = inner_label()});
    huge.found = unique_in_place(space_, huge.values, equal_keys{}, {.workspace = &memory, .label = inner_label()});
    Kokkos::deep_copy(space_, Kokkos::View<std::size_t, memory_space, Kokkos::MemoryUnmanaged>(counts_ + huge.row),
                      huge.found);
  }

  ExecutionSpace space_;
  unique_rows_options options_;
  char const* function_;
  std::size_t* counts_ = nullptr;
  view<std::int64_t> rows_;
  view<std::size_t> sizes_, begins_;
  view<T> values_;
  std::vector<huge_row> huge_;
};

}  // namespace upsweep::pack::detail
