// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/sort/key_bits.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace upsweep::mpi::detail {

/// A splitter as far as it is known, and this rank's keys that agree with it so far: [begin, end).
struct splitter {
  std::uint64_t key = 0;
  std::uint64_t begin = 0, end = 0;
};

/// How many of this rank's keys are less than candidate c, which is splitter c / radix with digit c % radix.
template <class Keys>
struct count_keys {
  Keys keys;
  key_bits<typename Keys::non_const_value_type> bits;
  splitter const* splitters;
  std::uint64_t* counts;
  int shift, width;

  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    auto const candidate = static_cast<std::uint64_t>(c);
    auto const& s = splitters[candidate >> width];
    std::uint64_t const limit = s.key | (candidate & ((std::uint64_t(1) << width) - 1)) << shift;
    std::size_t first = s.begin, last = s.end;
    while (first < last) {
      std::size_t const middle = first + (last - first) / 2;
      if (bits(keys(middle)) < limit) first = middle + 1;
      else last = middle;
    }
    counts[candidate] = first;
  }
};

/// Orders keys of each rank just as far as it takes to cut them, so that the parts of all ranks for one rank are
/// exactly those between two places in the sorted whole. A splitter is the key at such a place. For keys that are
/// sorted already, sort_range() has nothing to do.
///
/// Digit by digit, from the bits in which keys differ down: each rank sorts by the digit the keys that may be
/// splitters, all of them at first, then only those that agree with a splitter so far; all ranks count their keys below
/// every candidate, and sum the counts. Equal keys are divided in the order of ranks, so that the sort is stable.
/// Cost: a sort of all keys by one digit of eight bits (fewer from 258 ranks on), and of those that agree with a
/// splitter in it by the others. For each digit an MPI_Allreduce of 2 KiB for each place; one MPI_Exscan.
template <class ExecutionSpace, class Keys>
class splitter_search {
 public:
  using bits_type = key_bits<typename Keys::non_const_value_type>;

  /// Whose search it is, and the label of the caller's; both live as long. Each range of candidates is sorted by
  /// launches of its own; more ranges than `most_ranges` are sorted as one.
  splitter_search(char const* function, std::string_view caller, std::size_t most_ranges = 64)
      : function_(function), caller_(caller), most_ranges_(most_ranges) {}

  /// Takes all memory. Local; may throw on one rank.
  void reserve(communicator const& comm, ExecutionSpace const& space) {
    places_ = static_cast<std::size_t>(comm.size()) - 1;
    while (digit_bits_ > 1 && places_ << digit_bits_ > largest_counts) --digit_bits_;
    std::size_t const counts = places_ << digit_bits_;
    splitters_.resize(places_);
    for (auto* v : {&below_, &equal_, &equal_before_}) v->resize(places_);
    for (auto* v : {&first_local_, &first_all_}) v->reserve(std::size_t(1) << digit_bits_);
    local_.resize(counts + 1);
    all_.resize(counts + 1);
    splitters_on_device_ = allocate<splitter>(space, places_, function_, "splitters");
    counts_on_device_ = allocate<std::uint64_t>(space, counts, function_, "splitter_counts");
  }

  /// cuts[p * steps] becomes the first of this rank's keys behind place begins[p] of the whole, for p from 1 on to
  /// behind the last rank. Entries between them cut a share into about equal parts of ascending keys, at borders of
  /// the first digit; keys that share it are in one part, so that parts may be empty. sort_range(begin, end, first,
  /// last) sorts keys [begin, end) of this rank, by bits [first, last) of those that count, stably; it is local and
  /// may throw. `shift` is the number of lowest bits in which the keys of all ranks differ; `common` has the others.
  /// There are keys. Collective; throws on all ranks alike.
  template <class SortRange>
  void find(communicator const& comm, ExecutionSpace const& space, Keys const& keys, bits_type const& bits,
            std::uint64_t common, int shift, std::vector<std::size_t> const& begins, SortRange const& sort_range,
            std::size_t steps, std::vector<std::size_t>& cuts) {
    std::size_t const n = keys.extent(0);
    for (auto* v : {&first_local_, &first_all_}) v->clear();
    std::fill(splitters_.begin(), splitters_.end(), splitter{common, 0, n});
    std::fill(below_.begin(), below_.end(), 0);
    bits_ = sorted_from_ = shift;
    while (shift > 0) {
      int const width = std::min(shift, digit_bits_);
      sum_on_ranks(comm, places_ << width, [&] {
        if (shift - width < sorted_from_) sort_candidates(n, shift, width, sort_range);
        count(space, keys, bits, shift - width, width);
      });
      if (shift == bits_) {
        first_local_.assign(local_.begin(), local_.begin() + (std::ptrdiff_t(1) << width));
        first_all_.assign(all_.begin(), all_.begin() + (std::ptrdiff_t(1) << width));
      }
      shift -= width;
      for (std::size_t p = 0; p < places_; ++p) choose(p, begins[p + 1], shift, width);
    }
    for (std::size_t p = 0; p < places_; ++p) equal_[p] = splitters_[p].end - splitters_[p].begin;
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
      cuts[(p + 1) * steps] = splitters_[p].begin + std::min(left, equal_[p]);
    }
    cuts[(places_ + 1) * steps] = n;
    for (std::size_t r = 0; r <= places_; ++r) cut_share(r, begins, steps, cuts);
  }

 private:
  static constexpr std::size_t largest_counts = std::size_t(1) << 16;
  /// Candidates are sorted by one more digit where they are more than this part of all keys, else by all their bits.
  static constexpr std::size_t few = 8;

  /// Sorts the keys that agree with a splitter, by the `width` bits below bit `shift` at least.
  template <class SortRange>
  void sort_candidates(std::size_t n, int shift, int width, SortRange const& sort_range) {
    std::size_t ranges = 0, candidates = 0;
    for_each_range([&](splitter const& s) { ++ranges, candidates += s.end - s.begin; });
    if (ranges > most_ranges_) {
      // What lies between the ranges is sorted with them, by all bits, since it differs in higher ones.
      sort_range(splitters_.front().begin, splitters_.back().end, 0, bits_);
      sorted_from_ = 0;
      return;
    }
    sorted_from_ = candidates > n / few ? shift - width : 0;
    for_each_range([&](splitter const& s) { sort_range(s.begin, s.end, sorted_from_, shift); });
  }
  /// Splitters that are not distinguished yet have one range.
  template <class F>
  void for_each_range(F const& f) const {
    for (std::size_t p = 0; p < places_; ++p)
      if (p == 0 || splitters_[p].key != splitters_[p - 1].key) f(splitters_[p]);
  }

  void count(ExecutionSpace const& space, Keys const& keys, bits_type const& bits, int shift, int width) {
    std::size_t const n = places_ << width;
    using device_splitters = Kokkos::View<splitter*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(space, device_splitters(splitters_on_device_.data(), places_),
                      host_span<splitter const>(splitters_.data(), places_));
    upsweep::internal::for_each_index(
        space, [&] { return internal::label(function_, "count", caller_); }, n,
        count_keys<Keys>{keys, bits, splitters_on_device_.data(), counts_on_device_.data(), shift, width});
    internal::fetch(space, counts_on_device_.data(), local_.data(), n, internal::label(function_, "fetch"));
  }

  /// The digit of splitter p: the largest candidate with no more than `place` keys of all ranks before it.
  void choose(std::size_t p, std::size_t place, int shift, int width) {
    auto const counts = all_.begin() + static_cast<std::ptrdiff_t>(p << width);
    auto const end = counts + (std::ptrdiff_t(1) << width);
    auto const chosen = std::upper_bound(counts, end, place) - 1;
    below_[p] = *chosen;
    auto const digit = static_cast<std::size_t>(chosen - counts);
    auto const* const here = local_.data() + (p << width) + digit;
    auto& s = splitters_[p];
    s.key |= static_cast<std::uint64_t>(digit) << shift;
    s.begin = here[0];
    if (chosen + 1 != end) s.end = here[1];
  }

  /// The cuts within the share of rank r.
  void cut_share(std::size_t r, std::vector<std::size_t> const& begins, std::size_t steps,
                 std::vector<std::size_t>& cuts) const {
    for (std::size_t k = 1; k < steps; ++k) {
      std::uint64_t const wanted = begins[r] + (begins[r + 1] - begins[r]) / steps * k;
      auto const border = std::lower_bound(first_all_.begin(), first_all_.end(), wanted);
      bool const is_inside = border != first_all_.end() && *border < begins[r + 1];
      cuts[r * steps + k] =
          is_inside ? first_local_[static_cast<std::size_t>(border - first_all_.begin())] : cuts[(r + 1) * steps];
    }
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
  std::size_t most_ranges_;
  int digit_bits_ = 8;
  int bits_ = 0;         ///< in which keys differ
  int sorted_from_ = 0;  ///< candidates are sorted by their bits from this one on
  std::size_t places_ = 0;
  std::vector<splitter> splitters_;
  std::vector<std::uint64_t> below_, equal_, equal_before_;
  std::vector<std::uint64_t> local_, all_;
  std::vector<std::uint64_t> first_local_, first_all_;  ///< what local_ and all_ were for the first digit
  Kokkos::View<splitter*, typename ExecutionSpace::memory_space> splitters_on_device_;
  Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space> counts_on_device_;
};

}  // namespace upsweep::mpi::detail
