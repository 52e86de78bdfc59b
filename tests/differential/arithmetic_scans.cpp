// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans of numbers. Floating-point inputs are small integers, so that every order of additions gives the same bits.

#include "operations.hpp"
#include "scan_case.hpp"

#include <upsweep/base/monoid.hpp>

namespace differential {
namespace {

template <class T>
std::vector<T> small_numbers(trial& t, int lo, int hi) {
  std::size_t const n = t.size();
  return oracle::random_values<T>(n, lo, hi, static_cast<unsigned>(t.random()()));
}

void int32_sum(trial& t) { scan_case<int>(t, upsweep::plus<int>{}, small_numbers<int>(t, -99, 99), t.between(-9, 9)); }
void int32_sum_strided(trial& t) {
  scan_case<int>(t, upsweep::plus<int>{}, small_numbers<int>(t, -99, 99), t.between(-9, 9), true);
}
void int16_to_int64_sum(trial& t) {
  scan_case<std::int64_t>(t, upsweep::plus<std::int64_t>{}, small_numbers<std::int16_t>(t, -30000, 30000),
                          std::int64_t(1) << 40);
}
void uint16_sum_wraps(trial& t) {
  scan_case<std::uint16_t>(t, upsweep::plus<std::uint16_t>{}, small_numbers<std::uint16_t>(t, 0, 65535),
                           std::uint16_t(65535));
}
void float_sum(trial& t) { scan_case<float>(t, upsweep::plus<float>{}, small_numbers<float>(t, -2, 2), 3.0f); }
void double_sum(trial& t) { scan_case<double>(t, upsweep::plus<double>{}, small_numbers<double>(t, -99, 99), -7.0); }
void double_min(trial& t) {
  scan_case<double>(t, upsweep::min<double>{}, small_numbers<double>(t, -2000000000, 2000000000), 1e6);
}
void int8_max(trial& t) {
  scan_case<std::int8_t>(t, upsweep::max<std::int8_t>{}, small_numbers<std::int8_t>(t, -128, t.between(-120, 127)),
                         std::int8_t(-128));
}
void uint64_xor(trial& t) {
  scan_case<std::uint64_t>(t, upsweep::bit_xor<std::uint64_t>{}, small_numbers<std::uint64_t>(t, 0, 2000000000),
                           ~std::uint64_t(0));
}

}  // namespace

std::vector<operation> arithmetic_scans() {
  return {{"int32_sum", int32_sum},
          {"int32_sum_strided", int32_sum_strided},
          {"int16_to_int64_sum", int16_to_int64_sum},
          {"float_sum", float_sum},
          {"uint16_sum_wraps", uint16_sum_wraps},
          {"double_sum", double_sum},
          {"double_min", double_min},
          {"int8_max", int8_max},
          {"uint64_xor", uint64_xor}};
}

}  // namespace differential
