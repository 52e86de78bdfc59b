// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/instruction_set.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/moving/cpu_moves.hpp>
#include <upsweep/pack/detail/moving/finish_count.hpp>
#include <upsweep/pack/detail/moving/marks.hpp>
#include <upsweep/pack/detail/moving/outputs.hpp>
#include <upsweep/scan/internal/reduce_runs.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/scan_by_key.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

/// Stores keys and results of runs, as many as there is room for.
template <class Keys, class Values, class Monoid>
struct reduced_output : run_firsts<Keys> {
  Values values;
  Monoid monoid;

  KOKKOS_FUNCTION void ends(std::uint64_t run, typename Monoid::value_type const& sum) const {
    if (this->has_room(run)) values.store(run, internal::lower<typename Values::value_type>(monoid, sum));
  }
  /// Both for all runs whose first keys are marked, on CPUs: keys go to their runs, from `run` on, and sums, of what is
  /// in front of each key, to the runs before. Returns how many there are.
  template <class Key, class Sum>
  std::uint64_t runs(Key const* from, Sum const* sums, std::size_t length, std::uint64_t const* heads,
                     std::uint64_t run) const {
    std::size_t const words = internal::divide_up(length, mask_word_bits);
    std::uint64_t found = 0;
    for (std::size_t w = 0; w < words; ++w) found += popcount(heads[w]);
    if constexpr (has_move_kernels<internal::contiguous_sequence<Key const>, Keys> &&
                  has_move_kernels<internal::contiguous_sequence<Sum const>, Values>) {
      bool const are_few = found * 24 < length;
      auto const* const of_keys = move_kernels_for<word_of_size<Key>>(internal::widest_instruction_set());
      auto const* const of_sums = move_kernels_for<word_of_size<Sum>>(internal::widest_instruction_set());
      // The first run of all has none before it; its piece goes one by one.
      if (!are_few && of_keys != nullptr && run > 0 && run + found <= this->firsts.room) {
        of_keys->choose(words_of(internal::contiguous_sequence<Key const>{from}), length, heads,
                        words_of(this->firsts.to) + run);
        of_sums->choose(words_of(internal::contiguous_sequence<Sum const>{sums}), length, heads,
                        words_of(values) + (run - 1));
        return found;
      }
    }
    std::uint64_t next = run;
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t bits = heads[w]; bits != 0; bits &= bits - 1, ++next) {
        std::size_t const at = w * mask_word_bits + lowest_set_bit(bits);
        if (next > 0) ends(next - 1, sums[at]);
        this->begins(next, from[at]);
      }
    return found;
  }
};

/// Both forms; count: where it goes on the device; null: to the host, which is waited for.
template <class ExecutionSpace, class Keys, class Values, class OutKeys, class OutValues, class Monoid, class Equal>
std::uint64_t reduce_by_key_call(ExecutionSpace const& space, Keys const& keys, Values const& values,
                                 OutKeys const& out_keys, OutValues const& out_values, Monoid const& given,
                                 Equal const& equal, std::uint64_t* count, call_options const& options) {
  static constexpr char const* function = "reduce_by_key";
  using internal::named;
  require_runs<ExecutionSpace, Equal>(function, named{keys, "keys"}, named{out_keys, "out_keys"},
                                      named{out_values, "out_values"});
  static_assert(sequence_argument<Values>,
                "upsweep::reduce_by_key: values are a View of rank 1 or a functor of the index.");
  static_assert(internal::reachable<ExecutionSpace, Values>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  std::size_t const n = keys.extent(0), room = out_keys.extent(0);
  if constexpr (Kokkos::is_view_v<Values>)
    internal::require_same_extent(n, values.extent(0), function, "keys", "values");
  internal::require_apart(values, out_keys, function, "values", "out_keys");
  internal::require_apart(values, out_values, function, "values", "out_values");

  internal::temporary_memory memory(space, options.workspace);
  internal::mailbox<ExecutionSpace> mail(space);
  bool const to_host = count == nullptr;
  if (to_host) count = mail.template place<std::uint64_t>();
  auto const to_keys = internal::make_output_sequence(out_keys);
  auto const to_values = internal::make_output_sequence(out_values);
  auto const monoid = internal::resolve<typename OutValues::non_const_value_type>(given);
  using output = reduced_output<std::remove_const_t<decltype(to_keys)>, std::remove_const_t<decltype(to_values)>,
                                std::remove_const_t<decltype(monoid)>>;
  output const out{{{to_keys, room}, count}, to_values, monoid};
  internal::reduce_runs(space, internal::make_sequence(keys), internal::make_sequence(values), n, monoid, equal, out,
                        memory.get(), function, options.label);
  return finish_count(space, mail, count, to_host, room, memory, function);
}

}  // namespace pack::detail

/// Reduces the values of each run of equal neighbouring keys; returns how many runs there are: keys 5 5 2 7 7 with
/// values 1 2 3 4 5 have out_keys 5 2 7 and out_values 3 3 9.
/// `reduce_by_key(space, keys, values, out_keys, out_values, max<>{});`
///
/// Pre: values, a View of rank 1 or a functor of the index, has as many elements as keys; equal(key before, key) may be
///   called by any thread and does not throw; out_keys and out_values have the same extent.
/// Cost: one key and one result per run are written. CUDA from sm_70 on and HIP, keys, values and states of up to 64
///   bytes that can be copied as bytes: n reads of each, equal n - 1 times, 1 launch, workspace 128 bytes (256 for
///   states of more than 56) per tile of up to 77 KB of keys and values. Else a scan. On OpenMP and Serial keys are
///   read, and equal is called, up to four times per element, mostly from a cache, and values are read once, again
///   where a thread falls back for another. On other backends values are read as often as in an exclusive_scan, and
///   keys up to four times.
/// Order: operands (left, right); association fixed by the backend, the keys and n: the same bits in each run
///   of the program.
/// Sync: waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance), overflow_error where the outputs are
///   too short (they have the first runs), out_of_memory_error.
/// Source: D. Merrill and M. Garland, *Single-pass Parallel Prefix Scan with Decoupled Look-back*: the hand-over
///   of GPUs' tiles.
template <execution_space_argument ExecutionSpace, class Keys, class Values, class OutKeys, class OutValues,
          monoid_argument Monoid = plus<>, functor_argument Equal = equal_keys>
std::size_t reduce_by_key(ExecutionSpace const& space, Keys const& keys, Values const& values, OutKeys const& out_keys,
                          OutValues const& out_values, Monoid const& monoid = {}, Equal const& equal = {},
                          call_options const& options = {}) {
  return pack::detail::reduce_by_key_call(space, keys, values, out_keys, out_values, monoid, equal, nullptr, options);
}

/// The same with the number of runs in `count`, a View of rank 0 of std::size_t, on the device: asynchronous with a
/// workspace, and nothing is thrown for outputs that are too short: count is larger than their extent then.
template <execution_space_argument ExecutionSpace, class Keys, class Values, class OutKeys, class OutValues,
          view_argument Count, monoid_argument Monoid = plus<>, functor_argument Equal = equal_keys>
void reduce_by_key(ExecutionSpace const& space, Keys const& keys, Values const& values, OutKeys const& out_keys,
                   OutValues const& out_values, Count const& count, Monoid const& monoid = {}, Equal const& equal = {},
                   call_options const& options = {}) {
  pack::detail::reduce_by_key_call(space, keys, values, out_keys, out_values, monoid, equal,
                                   pack::detail::data_of_counts<ExecutionSpace, 0>(count), options);
}

/// Both with ==. Options follow the outputs, and the monoid is plus<>, or they follow the monoid.
template <execution_space_argument ExecutionSpace, class Keys, class Values, class OutKeys, class OutValues>
std::size_t reduce_by_key(ExecutionSpace const& space, Keys const& keys, Values const& values, OutKeys const& out_keys,
                          OutValues const& out_values, call_options const& options) {
  return upsweep::reduce_by_key(space, keys, values, out_keys, out_values, plus<>{}, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class Keys, class Values, class OutKeys, class OutValues,
          monoid_argument Monoid>
std::size_t reduce_by_key(ExecutionSpace const& space, Keys const& keys, Values const& values, OutKeys const& out_keys,
                          OutValues const& out_values, Monoid const& monoid, call_options const& options) {
  return upsweep::reduce_by_key(space, keys, values, out_keys, out_values, monoid, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class Keys, class Values, class OutKeys, class OutValues,
          view_argument Count>
void reduce_by_key(ExecutionSpace const& space, Keys const& keys, Values const& values, OutKeys const& out_keys,
                   OutValues const& out_values, Count const& count, call_options const& options) {
  upsweep::reduce_by_key(space, keys, values, out_keys, out_values, count, plus<>{}, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class Keys, class Values, class OutKeys, class OutValues,
          view_argument Count, monoid_argument Monoid>
void reduce_by_key(ExecutionSpace const& space, Keys const& keys, Values const& values, OutKeys const& out_keys,
                   OutValues const& out_values, Count const& count, Monoid const& monoid, call_options const& options) {
  upsweep::reduce_by_key(space, keys, values, out_keys, out_values, count, monoid, equal_keys{}, options);
}

UPSWEEP_WITHOUT_SPACE(reduce_by_key)

}  // namespace upsweep
