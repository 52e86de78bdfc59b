// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The compiled kernels, of every instruction set that this processor has, against the expression that they
// promise, bit by bit.

#include "../oracle/instruction_sets.hpp"

#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#if defined(UPSWEEP_CPU_KERNELS)
namespace {

namespace detail = upsweep::scan::detail;
using detail::cpu_operation;
using upsweep::internal::instruction_set;

template <class T, cpu_operation Operation>
struct reference {
  static T neutral() {
    if (Operation == cpu_operation::min) return std::numeric_limits<T>::max();
    if (Operation == cpu_operation::max) return std::numeric_limits<T>::lowest();
    return std::is_floating_point_v<T> ? T(-0.0) : T(0);
  }
  static T combine(T a, T b) {
    if constexpr (Operation == cpu_operation::min) return std::min(a, b);
    else if constexpr (Operation == cpu_operation::max) return std::max(a, b);
    else return a + b;
  }

  /// Windows of 1, 2, 4 ... L elements, then steps of L.
  static std::vector<T> scan(bool inclusive, std::vector<T> x, T prefix) {
    std::size_t const width = 64 / sizeof(T);
    if (!inclusive && !x.empty()) {
      std::rotate(x.begin(), x.end() - 1, x.end());
      x.front() = neutral();
    }
    for (std::size_t d = 1; d < width; d *= 2) {
      auto const before = x;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = combine(i < d ? neutral() : before[i - d], before[i]);
    }
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = combine(i < width ? prefix : x[i - width], x[i]);
    return x;
  }
  static T fold(std::vector<T> const& x) {
    std::size_t const width = 64 / sizeof(T);
    std::vector<T> a(4 * width, neutral());
    for (std::size_t i = 0; i < x.size(); ++i) a[i % a.size()] = combine(a[i % a.size()], x[i]);
    for (std::size_t half : {1, 2})
      for (std::size_t k = 0; k < 4 * width; k += 2 * half * width)
        for (std::size_t i = 0; i < width; ++i) a[k + i] = combine(a[k + i], a[k + i + half * width]);
    for (std::size_t half = width / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) a[i] = combine(a[i], a[i + half]);
    return a[0];
  }
};

template <class T>
bool same_bits(T const* a, T const* b, std::size_t n) {
  return n == 0 || std::memcmp(a, b, n * sizeof(T)) == 0;
}

template <class T>
std::vector<T> values(std::size_t n) {
  std::mt19937_64 engine(n);
  std::vector<T> v(n);
  for (auto& x : v) {
    if constexpr (std::is_floating_point_v<T>) x = T(std::normal_distribution<double>(0, 1000)(engine));
    else x = static_cast<T>(engine());
  }
  return v;
}

template <class T, cpu_operation Operation>
void check(instruction_set which, std::size_t n) {
  auto const& kernels = detail::cpu_kernels_for<T, Operation>(which);
  using expected = reference<T, Operation>;
  auto const in = values<T>(n);
  auto const where = "instruction set " + std::to_string(int(which)) + ", " + std::to_string(sizeof(T)) +
                     " bytes, operation " + std::to_string(int(Operation)) + ", n = " + std::to_string(n);
  if (n > 0) {
    T const want = expected::fold(in);
    for (auto const fold : {kernels.fold, kernels.fold_cached}) {
      T const got = fold(in.data(), n);
      EXPECT_TRUE(same_bits(&got, &want, 1)) << "fold, " << where;
    }
  }
  T const prefix = T(41), guard = T(77);
  for (bool inclusive : {false, true}) {
    auto const want = expected::scan(inclusive, in, prefix);
    for (std::size_t offset : {0, 1, 3}) {  // elements off a cache line
      std::vector<T> memory(n + 64 + offset, guard);
      T* const line = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64 / sizeof(T);
      T* const out = line + offset;
      kernels.scan[inclusive](in.data(), out, n, prefix, nullptr, 0);
      EXPECT_TRUE(same_bits(out, want.data(), n)) << "scan " << inclusive << " at " << offset << ", " << where;
      EXPECT_EQ(out[n], guard) << where;
      std::copy(in.begin(), in.end(), out);
      kernels.scan[inclusive](out, out, n, prefix, in.data(), n / 4);
      EXPECT_TRUE(same_bits(out, want.data(), n)) << "in place " << inclusive << " at " << offset << ", " << where;
      EXPECT_EQ(out[n], guard) << where;
      if (offset > 0) continue;
      std::fill(memory.begin(), memory.end(), guard);
      kernels.scan_streaming[inclusive](in.data(), out, n, prefix, in.data(), n / 4);
      kernels.drain();
      EXPECT_TRUE(same_bits(out, want.data(), n)) << "streaming " << inclusive << ", " << where;
      EXPECT_EQ(out[n], guard) << where;
    }
  }
}

class cpu_kernels : public oracle::instruction_set_test {};
INSTANTIATE_TEST_SUITE_P(all, cpu_kernels, oracle::all_instruction_sets(), oracle::name_of_instruction_set);

template <cpu_operation Operation, class... Ts>
void check_types(instruction_set which) {
  for (std::size_t n : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 1000, 4099})
    (check<Ts, Operation>(which, n), ...);
}

TEST_P(cpu_kernels, plus_is_the_promised_expression) {
  check_types<cpu_operation::plus, float, double, std::uint32_t, std::uint64_t>(GetParam());
}
TEST_P(cpu_kernels, min_and_max) {
  check_types<cpu_operation::min, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>(GetParam());
  check_types<cpu_operation::max, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>(GetParam());
}

TEST_P(cpu_kernels, infinity_and_signed_zero_reach_no_earlier_element) {
  auto const& kernels = detail::cpu_kernels_for<double, cpu_operation::plus>(GetParam());
  std::vector<double> in(40, -0.0), out(40);
  kernels.scan[1](in.data(), out.data(), in.size(), -0.0, nullptr, 0);
  for (double x : out) EXPECT_TRUE(x == 0 && std::signbit(x));
  in[21] = std::numeric_limits<double>::infinity();
  kernels.scan[1](in.data(), out.data(), in.size(), 1.0, nullptr, 0);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i < 21 ? 1.0 : in[21]) << i;
}

}  // namespace
#endif
