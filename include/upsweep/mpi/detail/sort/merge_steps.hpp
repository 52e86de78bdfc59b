// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/detail/sort/key_bits.hpp>
#include <upsweep/mpi/detail/sort/move_in_steps.hpp>
#include <upsweep/pack/internal/merge_runs.hpp>
#include <upsweep/pack/internal/sort_copy.hpp>
#include <upsweep/pack/sort.hpp>

#include <bit>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// Copies contiguous elements. Not Kokkos::deep_copy: its labels take memory, which may be what is missing.
template <class T>
struct copy_elements {
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to[i] = from[i]; }
};

/// Sorts the rows of this rank, and merges those that come from all ranks, two runs at a time and step by step. Rounds
/// go to and fro between the result and memory of a workspace; rows arrive where the last round then ends in the
/// result. Rows of this rank are sent and merged from where they were sorted to, which is not the result.
template <class ExecutionSpace, class Keys, class... Values>
class step_merger {
  static_assert(sizeof...(Values) <= 1);
  using key = typename Keys::non_const_value_type;
  using value_view = std::tuple_element_t<0, std::tuple<Values..., Kokkos::View<internal::no_values*>>>;
  using value = typename value_view::non_const_value_type;
  using merger = internal::run_merger<key_bits<key>, key, value>;
  using run = internal::sorted_run<key, value>;
  static constexpr bool has_values = sizeof...(Values) == 1;

 public:
  /// How often each element is merged.
  static int rounds_of(std::size_t ranks) { return std::bit_width(ranks - 1); }
  /// Whether rows arrive in the workspace, where they need not be side by side.
  static bool lands_apart(std::size_t ranks) { return rounds_of(ranks) % 2 == 1; }

  step_merger(communicator const& comm, step_ranges const& ranges, key_bits<key> const& bits, char const* function,
              std::string_view caller)
      : rank_(static_cast<std::size_t>(comm.rank())),
        ranges_(ranges),
        bits_(bits),
        rounds_(rounds_of(ranges.ranks)),
        function_(function),
        caller_(caller) {}

  /// Sorts the rows of this rank and takes all memory for the n that it will have. Where it has n already, they are
  /// sorted into the workspace, and `keys` and `values` are the result: no memory is taken and freed for it. Else they
  /// are sorted in place, and the result is new Views. A copy of the rows beside both would take more memory than
  /// these. Local; may throw, with the rows of this rank in `keys` and `values`.
  void sort(ExecutionSpace const& space, sort_options const& options, std::size_t n, Keys const& keys,
            Values const&... values) {
    workspace& memory = *options.workspace;
    runs_.reserve(ranges_.ranks);
    is_result_given_ = n == keys.extent(0);
    internal::byte_layout layout;
    std::size_t const words = layout.add<std::size_t>(merger::template words<ExecutionSpace>(n));
    auto const add_rows = [&](std::size_t rows) {
      std::size_t const keys_at = layout.add<key>(rows);
      return std::pair(keys_at, layout.add<value>(has_values ? rows : 0));
    };
    std::size_t const room = ranges_.room(n);
    auto const place = [&](std::byte* start, std::pair<std::size_t, std::size_t> const& at) {
      return arrays{reinterpret_cast<key*>(start + at.first),
                    has_values ? reinterpret_cast<value*>(start + at.second) : nullptr};
    };
    if (is_result_given_) {
      // The sort has its memory where the words are later.
      std::size_t const sorting = internal::sort_copy_bytes<key, value>(space, n, options);
      if (sorting > layout.bytes()) layout.add<std::byte>(sorting - layout.bytes());
      auto const rows_at = add_rows(room), own_at = add_rows(n);
      std::byte* const start = upsweep::internal::access::reserve(memory, space, layout.bytes());
      words_ = reinterpret_cast<std::size_t*>(start + words);
      result_ = std::tuple<Keys, Values...>(keys, values...);
      buffers_[0] = arrays_of(result_);
      buffers_[1] = place(start, rows_at);
      own_ = place(start, own_at);
      internal::sort_copy(space, buffers_[0], own_, buffers_[1], n, options, has_values ? "sort_by_key" : "sort");
    } else {
      sort_in_place(space, options, keys, values...);
      auto const rows_at = add_rows(room);
      std::byte* const start = upsweep::internal::access::reserve(memory, space, layout.bytes());
      words_ = reinterpret_cast<std::size_t*>(start + words);
      result_ = std::tuple<Keys, Values...>(with_rows(space, keys, n), with_rows(space, values, n)...);
      buffers_[0] = arrays_of(result_);
      buffers_[1] = place(start, rows_at);
      own_ = arrays_of(std::tuple<Keys, Values...>(keys, values...));
    }
    own_rows_ = keys.extent(0);
  }
  /// The sorted rows of this rank.
  std::tuple<Keys, Values...> sorted() const { return views(own_, own_rows_); }
  /// Where rows have to arrive.
  std::tuple<Keys, Values...> targets() const {
    return views(buffers_[rounds_ % 2], ranges_.room(std::get<0>(result_).extent(0)));
  }

  /// Launches the merges of step k, whose rows have arrived.
  void merge(ExecutionSpace const& space, std::size_t k) {
    std::size_t const ranks = ranges_.ranks, steps = ranges_.steps;
    std::size_t const first = ranges_.begin_of_step(k);
    runs_.clear();
    int from = rounds_ % 2;
    for (std::size_t r = 0; r < ranks; ++r) {
      std::size_t const at = ranges_.arriving[k * ranks + r];
      std::size_t const size = ranges_.arriving[k * ranks + r + 1] - at;
      if (r == rank_) runs_.push_back(part(own_.keys, own_.values, ranges_.leaving[r * steps + k], size));
      else runs_.push_back(part(buffers_[from].keys, buffers_[from].values, ranges_.landed(k, r), size));
    }
    while (runs_.size() > 1) {
      arrays const& to = buffers_[1 - from];
      std::size_t place = first, left = 0;
      for (std::size_t r = 0; r < runs_.size(); r += 2) {
        run const a = runs_[r], b = r + 1 < runs_.size() ? runs_[r + 1] : run{};
        std::size_t const size = a.size + b.size;
        value* const values = has_values ? to.values + place : nullptr;
        merger::merge(space, {bits_, a, b, to.keys + place, values}, words_, function_, caller_);
        runs_[left++] = part(to.keys, to.values, place, size);
        place += size;
      }
      runs_.resize(left);
      from = 1 - from;
    }
  }

  std::tuple<Keys, Values...>& result() { return result_; }

  /// Gives the caller's Views the rows of this rank again, after an error. No messages are in flight.
  void put_back(ExecutionSpace const& space) const {
    if (!is_result_given_) return;
    copy(space, own_.keys, buffers_[0].keys);
    if constexpr (has_values) copy(space, own_.values, buffers_[0].values);
    fence_without_memory(space, "upsweep::mpi::sort");
  }

 private:
  using arrays = internal::sort_arrays<key, value>;

  static arrays arrays_of(std::tuple<Keys, Values...> const& v) {
    if constexpr (has_values) return {std::get<0>(v).data(), std::get<1>(v).data()};
    else return {std::get<0>(v).data(), nullptr};
  }
  static std::tuple<Keys, Values...> views(arrays const& a, std::size_t n) {
    if constexpr (has_values) return {Keys(a.keys, n), value_view(a.values, n)};
    else return {Keys(a.keys, n)};
  }
  template <class T>
  void copy(ExecutionSpace const& space, T const* from, T* to) const {
    launch_without_memory(space, "upsweep::mpi::sort::put_back", own_rows_, copy_elements<T>{from, to});
  }
  static void sort_in_place(ExecutionSpace const& space, sort_options const& options, Keys const& keys,
                            Values const&... values) {
    if constexpr (has_values) upsweep::sort_by_key(space, keys, values..., options);
    else upsweep::sort(space, keys, options);
  }

  static run part(key const* keys, value const* values, std::size_t first, std::size_t size) {
    return {keys + first, has_values ? values + first : nullptr, size};
  }

  std::size_t rank_;
  step_ranges const& ranges_;
  key_bits<key> bits_;
  int rounds_;
  char const* function_;
  std::string_view caller_;
  std::tuple<Keys, Values...> result_;
  arrays buffers_[2]{};  ///< of the result, of the workspace
  arrays own_{};
  std::size_t own_rows_ = 0;
  bool is_result_given_ = false;
  std::vector<run> runs_;
  std::size_t* words_ = nullptr;
};

}  // namespace upsweep::mpi::detail
