// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/fetch.hpp>
#include <upsweep/base/internal/index_policy.hpp>
#include <upsweep/base/internal/label.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/host_copy.hpp>
#include <upsweep/pack/internal/key_order.hpp>
#include <upsweep/pack/sort_options.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace upsweep::mpi::detail {

/// The bits of a key that a sort compares, as an integer that ascends in the order of the sort.
template <class Key>
struct key_bits {
  internal::key_order<Key> order;
  int first;
  std::uint64_t mask;

  /// Without bits, or with more than a key has, which sorts refuse, all keys are equal.
  explicit key_bits(sort_options const& options) {
    using word = typename internal::key_order<Key>::word;
    order.flip = static_cast<word>(options.order == sort_order::descending ? ~word(0) : word(0));
    first = options.first_bit;
    int const last = options.last_bit == sort_options::all_bits ? 8 * static_cast<int>(sizeof(Key)) : options.last_bit;
    int const bits = last - first;
    mask = bits < 1 || bits > 64 ? 0 : ~std::uint64_t(0) >> (64 - bits);
    if (mask == 0) first = 0;  // a shift by all bits is not defined
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(Key const& key) const {
    return static_cast<std::uint64_t>(order(key)) >> first & mask;
  }
};

/// How many of the sorted keys are less than candidate c, which is splitter c / radix with digit c % radix; or, to cut,
/// less than splitter c / 2 (c is even) or not greater.
template <class Keys>
struct count_keys {
  using bits_type = key_bits<typename Keys::non_const_value_type>;
  Keys keys;
  bits_type bits;
  std::uint64_t const* splitters;
  std::uint64_t* counts;
  int shift, width;
  bool cuts;

  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    auto const candidate = static_cast<std::uint64_t>(c);
    std::uint64_t const digit = candidate & ((std::uint64_t(1) << width) - 1);
    bool const with_equal = cuts && digit == 1;
    std::uint64_t const limit = splitters[candidate >> width] | (cuts ? 0 : digit << shift);
    std::size_t first = 0, last = keys.extent(0);
    while (first < last) {
      std::size_t const middle = first + (last - first) / 2;
      std::uint64_t const key = bits(keys(middle));
      if (key < limit || (with_equal && key == limit)) first = middle + 1;
      else last = middle;
    }
    counts[candidate] = first;
  }
};

template <class Keys>
struct load_ends {
  Keys keys;
  key_bits<typename Keys::non_const_value_type> bits;
  std::uint64_t* ends;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { ends[i] = bits(keys(i == 0 ? 0 : keys.extent(0) - 1)); }
};

/// Number, smallest and largest key of a rank, or of all.
struct key_range {
  std::uint64_t keys = 0;
  std::uint64_t smallest = ~std::uint64_t(0), largest = 0;
};

/// Finds where to cut the sorted keys of each rank, so that the parts of all ranks for one rank are exactly those
/// between two places in the sorted whole. A splitter is the key at such a place. Splitters are found digit by digit,
/// from the bits in which keys differ down: all ranks count their keys below every candidate, and sum the counts. Equal
/// keys are divided in the order of ranks, so that the sort is stable.
/// Cost: for each digit of eight bits (fewer from 258 ranks on) an MPI_Allreduce of 2 KiB for each place; one
/// MPI_Exscan.
template <class ExecutionSpace, class Keys>
class splitter_search {
 public:
  using bits_type = key_bits<typename Keys::non_const_value_type>;

  /// Whose search it is, and the label of the caller's; both live as long.
  splitter_search(char const* function, std::string_view caller) : function_(function), caller_(caller) {}

  /// Takes all memory. Local; may throw on one rank.
  void reserve(communicator const& comm, ExecutionSpace const& space) {
    places_ = static_cast<std::size_t>(comm.size()) - 1;
    while (digit_bits_ > 1 && places_ << digit_bits_ > largest_counts) --digit_bits_;
    std::size_t const counts = places_ << digit_bits_;
    for (auto* v : {&splitters_, &below_, &equal_, &equal_before_}) v->resize(places_);
    local_.resize(counts + 1);
    all_.resize(counts + 1);
    on_device_ = allocate<std::uint64_t>(space, std::max<std::size_t>(2, places_ + counts), function_, "splitters");
  }

  /// The range of sorted keys on this rank; waits for the instance. Local; may throw.
  key_range range_of(ExecutionSpace const& space, Keys const& keys, bits_type const& bits) {
    if (keys.extent(0) == 0) return {};
    Kokkos::parallel_for(internal::label(function_, "ends", caller_), internal::index_policy(space, 2),
                         load_ends<Keys>{keys, bits, on_device_.data()});
    std::uint64_t ends[2];
    internal::fetch(space, on_device_.data(), ends, 2, internal::label(function_, "fetch"));
    return {keys.extent(0), ends[0], ends[1]};
  }

  /// cuts[p] becomes the first of this rank's keys behind place begins[p] of the whole, for p from 1 on to behind the
  /// last rank. Collective; throws on all ranks alike. `range` is that of all keys, of which there are some.
  void find(communicator const& comm, ExecutionSpace const& space, Keys const& keys, bits_type const& bits,
            key_range const& range, std::vector<std::size_t> const& begins, std::vector<std::size_t>& cuts) {
    int shift = static_cast<int>(std::bit_width(range.smallest ^ range.largest));
    std::uint64_t const common = shift == 64 ? 0 : range.smallest >> shift << shift;
    std::fill(splitters_.begin(), splitters_.end(), common);
    std::fill(below_.begin(), below_.end(), 0);
    while (shift > 0) {
      int const width = std::min(shift, digit_bits_);
      shift -= width;
      sum_on_ranks(comm, places_ << width, [&] { count(space, keys, bits, shift, width, false); });
      for (std::size_t p = 0; p < places_; ++p) {
        auto const counts = all_.begin() + static_cast<std::ptrdiff_t>(p << width);
        auto const end = counts + (std::ptrdiff_t(1) << width);
        // The largest candidate with no more than so many keys before it.
        auto const chosen = std::upper_bound(counts, end, begins[p + 1]) - 1;
        below_[p] = *chosen;
        splitters_[p] |= static_cast<std::uint64_t>(chosen - counts) << shift;
      }
    }
    all_or_none(comm, [&] { count(space, keys, bits, 0, 1, true); });
    for (std::size_t p = 0; p < places_; ++p) equal_[p] = local_[2 * p + 1] - local_[2 * p];
    std::fill(equal_before_.begin(), equal_before_.end(), 0);
    check(comm,
          MPI_Exscan(equal_.data(), equal_before_.data(), static_cast<int>(places_), MPI_UINT64_T, MPI_SUM, comm.get()),
          "MPI_Exscan");
    if (comm.rank() == 0) std::fill(equal_before_.begin(), equal_before_.end(), 0);
    cuts[0] = 0;
    for (std::size_t p = 0; p < places_; ++p) {
      // So many of the keys equal to the splitter are before the place, and the first of them on lower ranks.
      std::uint64_t const before = begins[p + 1] - below_[p];
      std::uint64_t const left = before - std::min(before, equal_before_[p]);
      cuts[p + 1] = local_[2 * p] + std::min(left, equal_[p]);
    }
    cuts[places_ + 1] = keys.extent(0);
  }

 private:
  static constexpr std::size_t largest_counts = std::size_t(1) << 16;

  void count(ExecutionSpace const& space, Keys const& keys, bits_type const& bits, int shift, int width, bool cuts) {
    std::size_t const n = places_ << width;
    std::uint64_t* const counts = on_device_.data() + places_;
    using device_words = Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(space, device_words(on_device_.data(), places_),
                      host_span<std::uint64_t const>(splitters_.data(), places_));
    Kokkos::parallel_for(internal::label(function_, cuts ? "cut" : "count", caller_), internal::index_policy(space, n),
                         count_keys<Keys>{keys, bits, on_device_.data(), counts, shift, width, cuts});
    internal::fetch(space, counts, local_.data(), n, internal::label(function_, "fetch"));
  }

  /// Sums the first n entries of local_, which f() makes, over the ranks, and agrees on how it went.
  template <class F>
  void sum_on_ranks(communicator const& comm, std::size_t n, F const& f) {
    failure failed;
    try {
      f();
    } catch (...) {
      failed = current_failure();
    }
    local_[n] = failed.kind == error_kind::none ? 0 : 1;
    check(comm, MPI_Allreduce(local_.data(), all_.data(), static_cast<int>(n + 1), MPI_UINT64_T, MPI_SUM, comm.get()),
          "MPI_Allreduce");
    if (all_[n] != 0) agree(comm, failed.kind, failed.message);
  }

  char const* function_;
  std::string_view caller_;
  int digit_bits_ = 8;
  std::size_t places_ = 0;
  std::vector<std::uint64_t> splitters_, below_, equal_, equal_before_;
  std::vector<std::uint64_t> local_, all_;
  Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space> on_device_;  ///< splitters, then counts
};

}  // namespace upsweep::mpi::detail
