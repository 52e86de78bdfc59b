// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/mpi/agree.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace upsweep::mpi::detail {

/// Sums of all ranks in place of what each has, in messages of at most 1 GiB. Collective.
void sum_on_ranks(communicator const& comm, std::uint64_t* numbers, std::size_t n);

template <class Counts>
struct counts_to_words {
  Counts counts;
  std::uint64_t* words;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { words[i] = static_cast<std::uint64_t>(counts(i)); }
};
template <class Counts>
struct words_to_counts {
  std::uint64_t const* words;
  Counts counts;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    counts(i) = static_cast<typename Counts::value_type>(words[i]);
  }
};

/// Runs count(options), which fills `counts` on this rank, and sums these bins over the ranks, on the host; then
/// finish(options), which communicates nothing.
template <class ExecutionSpace, class Counts, class Count, class Finish>
void sum_bins(communicator const& comm, ExecutionSpace const& space, Counts const& counts, char const* function,
              call_options options, Count const& count, Finish const& finish) {
  using internal::label;
  using value = typename Counts::non_const_value_type;
  std::size_t const bins = counts.extent(0);
  internal::fingerprint arguments;
  arguments.text(function).template type<value>().value(bins);
  std::vector<std::uint64_t> sums;  // in front of the memory, which waits for copies from it when it goes
  std::optional<internal::temporary_memory> memory;
  std::uint64_t* words = nullptr;
  all_or_none_checked(comm, arguments, function, "types or numbers of bins", [&] {
    memory.emplace(space, options.workspace);
    options.workspace = &memory->get();
    sums.resize(bins);
    count(options);
    if (bins == 0) return;
    words = reinterpret_cast<std::uint64_t*>(
        upsweep::internal::access::reserve(memory->get(), space, bins * sizeof(std::uint64_t)));
    upsweep::internal::for_each_index(
        space, [&] { return label(function, "widen", options.label); }, bins, counts_to_words<Counts>{counts, words});
    internal::fetch(space, words, sums.data(), bins, label(function, "fetch"));
  });
  sum_on_ranks(comm, sums.data(), bins);
  // All ranks have the same sums.
  if (bins > 0) internal::narrow<value>(*std::max_element(sums.begin(), sums.end()), function, "a count");
  all_or_none(comm, [&] {
    if (bins > 0) {
      using memory_space = typename ExecutionSpace::memory_space;
      Kokkos::deep_copy(
          space, Kokkos::View<std::uint64_t*, memory_space, Kokkos::MemoryUnmanaged>(words, bins),
          Kokkos::View<std::uint64_t const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(sums.data(), bins));
      upsweep::internal::for_each_index(
          space, [&] { return label(function, "narrow", options.label); }, bins,
          words_to_counts<Counts>{words, counts});
    }
    finish(options);
    space.fence(label(function, "fence"));
    memory.reset();
  });
}

}  // namespace upsweep::mpi::detail
