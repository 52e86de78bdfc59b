// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/byte_layout.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/key_bits.hpp>
#include <upsweep/mpi/detail/move_in_steps.hpp>
#include <upsweep/pack/internal/merge_runs.hpp>

#include <bit>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace upsweep::mpi::detail {

/// Merges the sorted rows that come from all ranks, two runs at a time and step by step. Rounds go to and fro between
/// the new Views and memory of a workspace; rows arrive where the last round then ends in the new Views. Rows of this
/// rank are merged from where they are.
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

  /// Takes all memory for n rows that this rank will have; its own are in `from`. Local; may throw.
  void reserve(ExecutionSpace const& space, workspace& memory, std::size_t n, Keys const& from,
               Values const&... values_from) {
    internal::byte_layout layout;
    std::size_t const room = ranges_.room(n);
    std::size_t const keys_at = layout.add<key>(room), values_at = layout.add<value>(has_values ? room : 0);
    std::size_t const words_at = layout.add<std::size_t>(merger::template words<ExecutionSpace>(n));
    std::byte* const start = memory.reserve(space, layout.bytes());
    words_ = reinterpret_cast<std::size_t*>(start + words_at);
    result_ = std::tuple<Keys, Values...>(with_rows(space, from, n), with_rows(space, values_from, n)...);
    runs_.reserve(ranges_.ranks);
    own_.keys = from.data();
    buffer& in_views = buffers_[0];
    buffer& in_workspace = buffers_[1];
    in_views.keys = std::get<0>(result_).data();
    in_workspace.keys = reinterpret_cast<key*>(start + keys_at);
    if constexpr (has_values) {
      own_.values = std::get<0>(std::tuple<Values const&...>(values_from...)).data();
      in_views.values = std::get<1>(result_).data();
      in_workspace.values = reinterpret_cast<value*>(start + values_at);
    }
  }
  /// Where rows have to arrive.
  std::tuple<Keys, Values...> targets() const {
    buffer const& target = buffers_[rounds_ % 2];
    std::size_t const n = ranges_.room(std::get<0>(result_).extent(0));
    if constexpr (has_values) return {Keys(target.keys, n), value_view(target.values, n)};
    else return {Keys(target.keys, n)};
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
      buffer const& to = buffers_[1 - from];
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

 private:
  struct buffer {
    key* keys = nullptr;
    value* values = nullptr;
  };

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
  buffer buffers_[2];  ///< of the result, of the workspace
  run own_;
  std::vector<run> runs_;
  std::size_t* words_ = nullptr;
};

}  // namespace upsweep::mpi::detail
