// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../scan/implementation.hpp"

#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace perf::autotune {

using default_tuning = upsweep::engine::default_tuning<space>;

/// A candidate's exclusive scan of one type.
template <class T>
struct scan_of {
  /// The numbers of elements that it may be asked for.
  std::size_t least = 1, most = std::numeric_limits<std::size_t>::max();
  /// Takes what a user keeps between calls; what it returns runs one scan.
  std::function<std::function<void()>(problem<T> const&)> prepare;
};

/// Whether it is what the library does without a header, for elements of 4 bytes and for longer ones.
struct own_constants {
  bool of_4, of_8;
  own_constants(bool both) : of_4(both), of_8(both) {}
  own_constants(bool with_4, bool with_8) : of_4(with_4), of_8(with_8) {}
  /// 0: for all.
  bool for_elements_of(int bytes) const { return (of_4 || bytes == 8) && (of_8 || bytes == 4); }
};

/// Values for some of the library's constants, with scans that use them. Those of a group are compared with each other.
struct candidate {
  std::string group;
  std::string name;
  /// What a header says to choose it. Where there is a "{}", one for 4-byte elements and one for longer
  /// ones are chosen.
  std::vector<std::string> declarations;
  own_constants own;
  scan_of<std::int32_t> of_int32;
  scan_of<std::int64_t> of_int64;
};

/// The least number of elements for which candidates for large inputs are timed. Those for few tiles are timed there,
/// too, as far as they go: a limit between them is chosen from the sizes that both have.
inline constexpr std::size_t least_many = std::size_t(1) << 16;

/// All that this program was built with, those of a group side by side. In a file that CMake writes.
std::vector<candidate> all_candidates();

/// What engines are given.
template <class T>
auto scan_problem_of(problem<T> const& p) {
  typename element<T>::monoid const monoid;
  return upsweep::scan::detail::make_problem<false>(upsweep::internal::make_sequence(p.in),
                                                    upsweep::internal::make_output_sequence(p.out), monoid,
                                                    upsweep::scan::detail::initial_value<T>{monoid.identity()}, p.n());
}
template <class T>
using scan_problem = decltype(scan_problem_of(std::declval<problem<T> const&>()));

}  // namespace perf::autotune
