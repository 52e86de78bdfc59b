// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Sorts by every range of bits [first, last) of every type of key. No key may be lost: each result is checked to be a
// permutation.

#include "sort.hpp"

#include <upsweep/pack/sort.hpp>

namespace {

using oracle::memory;
using oracle::space;
using upsweep::sort_options;
using sorted_values = std::vector<std::uint32_t>;

/// Bits [first, last) of a key.
template <class Key>
std::uint64_t bits_of(Key key, int first, int last) {
  return first == last ? 0 : sorted::place(key) << (64 - last) >> (64 - last + first);
}

/// Whether `found` has the keys, and `moved` their indices, in the stable order of bits [first, last).
template <class Key>
testing::AssertionResult is_stable_order(std::vector<Key> const& keys, std::vector<Key> const& found,
                                         sorted_values const& moved, int first, int last) {
  auto const failure = [&](std::size_t i) {
    return testing::AssertionFailure() << keys.size() << " keys, bits [" << first << ", " << last << "), place " << i
                                       << ": ";
  };
  std::vector<char> seen(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (moved[i] >= keys.size()) return failure(i) << "index " << moved[i] << " was never given";
    if (std::exchange(seen[moved[i]], 1) != 0) return failure(i) << "index " << moved[i] << " is there twice";
    if (sorted::place(found[i]) != sorted::place(keys[moved[i]]))
      return failure(i) << "the key is not that of its value";
    if (i == 0) continue;
    auto const before = bits_of(found[i - 1], first, last), here = bits_of(found[i], first, last);
    if (before > here) return failure(i) << "the key is less than the one before";
    if (before == here && moved[i - 1] > moved[i]) return failure(i) << "equal keys changed places";
  }
  return testing::AssertionSuccess();
}

/// Keys that are sorted again and again, alone and with their indices.
template <class Key>
class sorted_often {
 public:
  explicit sorted_often(std::size_t n)
      : host_(sorted::make_keys<Key>(n)), keys_(oracle::to_device(host_)), indices_(n) {
    std::iota(indices_.begin(), indices_.end(), 0u);
    first_values_ = oracle::to_device(indices_);
    alone_ = Kokkos::View<Key*, memory>("alone", n);
    both_ = Kokkos::View<Key*, memory>("both", n);
    values_ = Kokkos::View<std::uint32_t*, memory>("values", n);
  }
  /// sort_alone(keys) and sort_both(keys, values) sort by bits [first, last).
  template <class Alone, class Both>
  testing::AssertionResult check(int first, int last, Alone const& sort_alone, Both const& sort_both) const {
    oracle::copy(alone_, keys_);
    oracle::copy(both_, keys_);
    oracle::copy(values_, first_values_);
    sort_alone(alone_);
    sort_both(both_, values_);
    auto const found = oracle::to_host(both_);
    if (!sorted::same_bits(oracle::to_host(alone_), found))
      return testing::AssertionFailure() << host_.size() << " keys, bits [" << first << ", " << last
                                         << "): other keys without values";
    return is_stable_order(host_, found, oracle::to_host(values_), first, last);
  }

 private:
  std::vector<Key> host_;
  Kokkos::View<Key*, memory> keys_, alone_, both_;
  sorted_values indices_;
  Kokkos::View<std::uint32_t*, memory> first_values_, values_;
};

template <class Key>
inline constexpr int bits_in = 8 * static_cast<int>(sizeof(Key));

/// All ranges that `wanted(first, last)` takes, by the public functions.
template <class Key, class Wanted>
void check_public(std::size_t n, Wanted const& wanted) {
  space const s;
  upsweep::workspace ws(s);
  sorted_often<Key> const data(n);
  for (int first = 0; first <= bits_in<Key>; ++first)
    for (int last = first; last <= bits_in<Key>; ++last) {
      if (!wanted(first, last)) continue;
      sort_options const options{.workspace = &ws, .first_bit = first, .last_bit = last};
      ASSERT_TRUE(data.check(
          first, last, [&](auto const& keys) { sorted::sort(keys, options); },
          [&](auto const& keys, auto const& values) { sorted::sort_by_key(keys, values, options); }));
    }
}
bool every_range(int, int) { return true; }
/// Ranges about as long as whole bytes, or that begin or end near a byte.
bool near_bytes(int first, int last) { return (last - first) % 8 != 4 && (first + 1) % 8 < 3 && (last + 1) % 8 < 3; }

template <class Key>
class sort_ranges : public testing::Test {};
template <class Key>
class long_sort_ranges : public testing::Test {};
TYPED_TEST_SUITE(sort_ranges, sorted::key_types);
TYPED_TEST_SUITE(long_sort_ranges, sorted::key_types);

TYPED_TEST(sort_ranges, no_range_of_bits_loses_keys) { check_public<TypeParam>(81, every_range); }

TYPED_TEST(long_sort_ranges, no_range_of_bits_loses_keys_around_thresholds) {
  using tuning = upsweep::pack::detail::sort_cpu_tuning;
  for (std::size_t n : {tuning::insertion, 2 * tuning::keys_per_thread - 1, 2 * tuning::keys_per_thread}) {
    check_public<TypeParam>(n, every_range);
    if (this->HasFatalFailure()) return;
  }
  constexpr std::size_t bytes = sizeof(TypeParam) + sizeof(std::uint32_t);
  for (std::size_t n : {tuning::direct_bytes_with_values / bytes, tuning::direct_bytes_with_values / bytes + 1,
                        tuning::streamed_bytes / bytes, tuning::streamed_bytes / bytes + 1}) {
    check_public<TypeParam>(n, near_bytes);
    if (this->HasFatalFailure()) return;
  }
}

/// The sort of CPUs with thresholds so low that all of its ways are gone by few keys.
struct low_thresholds : upsweep::pack::detail::sort_cpu_tuning {
  static constexpr std::size_t insertion = 8, keys_per_thread = 64;
  static constexpr std::size_t direct_bytes = 1024, direct_bytes_with_values = 1536, streamed_bytes = 4096;
  static constexpr unsigned few_digits = 16, few_digits_of_many = 4;
};

template <class Key, class Wanted>
void check_low_thresholds(Wanted const& wanted) {
  if constexpr (upsweep::compat::is_gpu<space>) {
    GTEST_SKIP() << "another sort runs here";
  } else {
    using tuning = low_thresholds;
    space const s;
    upsweep::workspace ws(s);
    constexpr std::size_t alone_bytes = sizeof(Key), both_bytes = sizeof(Key) + sizeof(std::uint32_t);
    for (std::size_t threshold : {tuning::insertion, 2 * tuning::keys_per_thread - 1,
                                  tuning::direct_bytes / alone_bytes, tuning::direct_bytes_with_values / both_bytes,
                                  tuning::streamed_bytes / alone_bytes - 1, tuning::streamed_bytes / both_bytes})
      for (std::size_t n : {threshold, threshold + 1}) {
        sorted_often<Key> const data(n);
        for (int first = 0; first <= bits_in<Key>; ++first)
          for (int last = first + 1; last <= bits_in<Key>; ++last) {
            if (!wanted(first, last)) continue;
            auto const digits = upsweep::pack::detail::digit_plan::of(first, last);
            auto const run = [&]<class Value>(upsweep::pack::detail::sort_arrays<Key, Value> const& arrays) {
              upsweep::pack::detail::cpu_sort<space, Key, Value, tuning>::run(s, arrays, n, {0}, digits, ws, "sort",
                                                                              "test");
            };
            ASSERT_TRUE(data.check(
                first, last,
                [&](auto const& keys) {
                  run(upsweep::pack::detail::sort_arrays<Key, upsweep::pack::detail::no_value>{keys.data(), nullptr});
                },
                [&](auto const& keys, auto const& values) {
                  run(upsweep::pack::detail::sort_arrays<Key, std::uint32_t>{keys.data(), values.data()});
                }));
          }
      }
  }
}

TEST(sort_ranges_of_cpus, no_range_of_a_byte_loses_keys) { check_low_thresholds<std::uint8_t>(every_range); }
TEST(sort_ranges_of_cpus, no_range_of_two_bytes_loses_keys) { check_low_thresholds<std::int16_t>(every_range); }
TEST(sort_ranges_of_cpus, no_range_of_four_bytes_loses_keys) { check_low_thresholds<float>(every_range); }
TEST(sort_ranges_of_cpus, no_range_of_eight_bytes_near_bytes_loses_keys) { check_low_thresholds<double>(near_bytes); }
TEST(long_sort_ranges_of_cpus, no_range_of_eight_bytes_loses_keys) { check_low_thresholds<double>(every_range); }

}  // namespace
