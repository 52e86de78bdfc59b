// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/compiled_packing.hpp>
#include <upsweep/pack/detail/lists/pack_memory.hpp>
#include <upsweep/pack/detail/lists/row_errors.hpp>
#include <upsweep/pack/detail/unique_rows/cpu_unique_rows.hpp>
#include <upsweep/pack/detail/unique_rows/long_rows.hpp>
#include <upsweep/pack/detail/unique_rows/row_source.hpp>
#include <upsweep/pack/detail/unique_rows/warp_unique_rows.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/pack_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace upsweep::pack::detail {

/// Who sorts short rows. Without warps a GPU has none: teams sort all rows in memory, as long ones.
enum class short_rows_by { cpu_threads, warps, nobody };
template <class ExecutionSpace>
inline constexpr short_rows_by short_rows_of = !compat::is_gpu<ExecutionSpace>     ? short_rows_by::cpu_threads
                                               : compat::has_warps<ExecutionSpace> ? short_rows_by::warps
                                                                                   : short_rows_by::nobody;

/// What can be sorted in rows.
template <class T>
inline constexpr bool is_row_value = std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;

/// All rows are long. In the second pass there is nothing to do.
template <class T, class Rows>
struct all_rows_long {
  Rows rows;
  unique_rows_pass<T> pass;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (pass.emits()) return;
    std::size_t size = 0;
    if constexpr (Rows::are_stored) {
      size = rows.size(i);
    } else {
      emitter<T> const emit;
      rows.functor(static_cast<std::size_t>(i), emit);
      pass.report_code(i, emit.code());
      size = emit.count();
    }
    if (size > 0) pass.finish_long(i, size);
    else pass.finish(i, 0);
  }
};

/// One call: rows of a table_rows or functor_rows, sorted, each value once.
template <class T, class ExecutionSpace, class Rows, short_rows_by Short = short_rows_of<ExecutionSpace>>
class unique_rows_call {
  using memory_space = typename ExecutionSpace::memory_space;

 public:
  unique_rows_call(ExecutionSpace const& space, Rows const& rows, std::size_t n, unique_rows_options const& options,
                   char const* function)
      : space_(space),
        rows_(rows),
        n_(n),
        options_(options),
        function_(function),
        memory_(space, options.workspace),
        long_rows_(space, options, function) {}

  /// Throws precondition_error for offsets of a table that are wrong; nothing was read through them.
  template <class Offset>
  void check_offsets(Offset const* offsets, std::size_t extent) {
    workspace& memory = reserve();
    internal::for_each_index(
        space_, [&] { return label("check"); }, n_ + 1,
        check_offsets_kernel<Offset>{offsets, extent, internal::access::errors(memory, space_)});
    std::uint64_t const found = internal::access::take_error(memory, space_);
    if (found == 0) return;
    std::size_t const k = internal::error_word::index(found);
    throw precondition_error(std::string(function_) + ": offsets(" + std::to_string(k) + ") is wrong" +
                             (k == 0 ? ": it is not 0"
                                     : ", the end of row " + std::to_string(k - 1) +
                                           ": it is less than the one before, or more than the " +
                                           std::to_string(extent) + " values"));
  }

  lists<T, memory_space> pack() {
    auto const offsets = internal::allocate<std::size_t, memory_space>(space_, n_ + 1, function_, "offsets");
    std::size_t const total = count(offsets.data());
    auto const values = internal::allocate<T, memory_space>(space_, total, function_, "values");
    emit(offsets.data(), values.data(), total);
    return {offsets, values};
  }

  /// Into memory that is there, of `room` values; returns the total.
  std::size_t pack_into(std::size_t* offsets, T* values, std::size_t room) {
    std::size_t const total = count(offsets);
    if (total > room)
      throw overflow_error(std::string(function_) + ": the rows have " + std::to_string(total) +
                           " different values, but the output has room for " + std::to_string(room));
    emit(offsets, values, total);
    return total;
  }

 private:
  std::string label(std::string_view part) const { return internal::label(function_, part, options_.label); }
  plan_options scan_options_of() const { return {&memory(), label_of_scan(), {}, options_.memory_budget}; }
  std::string_view label_of_scan() const { return internal::inner_label(options_.label, function_); }
  workspace& memory() const { return memory_.get(); }

  /// The workspace with room for the scan, so that nothing moves later.
  workspace& reserve() {
    std::size_t const bytes = compiled_packing<ExecutionSpace>::scan_bytes(scan_options_of(), n_);
    require_budget(options_.memory_budget, internal::access::header_bytes + bytes, function_, "counting");
    internal::access::reserve(memory(), space_, bytes);
    return memory();
  }

  /// Leaves offsets, and returns the last one. Waits.
  std::size_t count(std::size_t* offsets) {
    workspace& m = reserve();
    if (n_ == 0) {
      compiled_packing<ExecutionSpace>::set_offsets_of_no_rows(space_, offsets);
      space_.fence(label("fence"));
      return 0;
    }
    auto* const found = reinterpret_cast<std::uint64_t*>(internal::access::result_slot(m, space_));
    Kokkos::deep_copy(space_, Kokkos::View<std::uint64_t, memory_space, Kokkos::MemoryUnmanaged>(found),
                      std::uint64_t(0));
    run("count",
        {static_cast<std::int64_t>(n_), offsets, nullptr, found, nullptr, 0, internal::access::errors(m, space_)});
    std::uint64_t long_rows = 0;
    throw_row_error(internal::access::take_error(m, space_, &long_rows, 1), function_);
    if (long_rows > 0) {
      long_rows_.sort(rows_, n_, long_rows, offsets, m);
      reserve();
    }
    auto* const last = reinterpret_cast<std::size_t*>(internal::access::result_slot(m, space_));
    internal::access::errors(m, space_);
    compiled_packing<ExecutionSpace>::scan_offsets(space_, offsets, n_, last, scan_options_of(), m);
    std::uint64_t total = 0;
    internal::access::take_error(m, space_, &total, 1);
    return total;
  }

  void emit(std::size_t* offsets, T* values, std::size_t total) {
    if (total == 0) return;
    run("emit", {static_cast<std::int64_t>(n_), offsets, values, nullptr, long_rows_.rows(), long_rows_.count(),
                 internal::access::errors(memory(), space_)});
    long_rows_.copy(offsets, values);
    throw_row_error(internal::access::take_error(memory(), space_), function_);
  }

  /// One pass over short rows.
  void run(char const* part, unique_rows_pass<T> const& pass) {
    if constexpr (Short == short_rows_by::cpu_threads) {
      cpu_unique_rows<T, Rows>::launch(space_, label(part), rows_, pass);
    } else if constexpr (Short == short_rows_by::warps) {
      using lanes = internal::lanes_of<ExecutionSpace>;
      using kernel =
          std::conditional_t<Rows::are_stored, warp_table_rows<T, Rows, lanes>, warp_functor_rows<T, Rows, lanes>>;
      launch_warp_rows(space_, label(part), kernel{rows_, pass}, function_);
    } else {
      Kokkos::parallel_for(label(part), internal::index_policy(space_, n_), all_rows_long<T, Rows>{rows_, pass});
    }
  }

  ExecutionSpace space_;
  Rows rows_;
  std::size_t n_;
  unique_rows_options options_;
  char const* function_;
  mutable internal::temporary_memory memory_;
  long_rows<T, ExecutionSpace, Short == short_rows_by::cpu_threads> long_rows_;
};

}  // namespace upsweep::pack::detail
