// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../backend.hpp"
#include "operation.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace perf {

/// One scan or reduction to be made. Both arrays are one element longer in memory than n, for those who make the total
/// by scanning a last element too.
template <class T>
struct problem {
  space instance;
  Kokkos::View<T const*, memory> in;
  Kokkos::View<T*, memory> out;
  Kokkos::View<T, memory> total;  ///< the result of reduce, too
  Kokkos::View<std::int32_t const*, memory> keys;
  Kokkos::View<std::int8_t const*, memory> flags;  ///< where segments start
  Kokkos::View<std::int64_t const*, memory> offsets;
  Kokkos::View<std::int32_t*, memory> run_keys;  ///< reduce_by_key: the key of each run; the sums are in out
  Kokkos::View<std::size_t, memory> runs;        ///< reduce_by_key: how many there are
  std::size_t n() const { return in.extent(0); }
};

/// What exclusive_scan_for_each calls: it stores the prefix, as exclusive_scan does, so that the two compare.
template <class T>
struct store_prefix {
  T* out;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i, T const& prefix, T const&) const { out[i] = prefix; }
};

/// A scan with everything prepared that a user would keep between calls, such as temporary memory.
template <class T>
struct prepared {
  /// Runs it once, asynchronously where the implementation can.
  std::function<void()> call;
  /// Where the total goes, unless to problem::total.
  T const* total = nullptr;
  /// Brings results to where the verification looks for them, outside of the timing. May be empty.
  std::function<void()> finish = {};
};

/// One implementation of scans of T: ours, or a peer's.
template <class T>
struct implementation {
  std::string name;
  /// Goes behind the operation's name.
  std::string variant;
  std::vector<operation> operations;
  std::function<prepared<T>(operation, problem<T> const&)> prepare;
  /// Elements that it can scan.
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

/// The names of our own engines to run, as in upsweep/scan/study/engines.hpp. Peers have none.
using engine_names = std::vector<std::string>;

/// All of them, by who makes them. Each is in the header of its name, and instantiated in files of its own
/// (CMakeLists.txt), because they take long to compile.
template <class T>
struct scans {
  static std::vector<implementation<T>> by_copy(engine_names const&), by_upsweep(engine_names const&),
      by_kokkos(engine_names const&), by_kokkos_std(engine_names const&), by_cub(engine_names const&),
      by_thrust(engine_names const&), by_std(engine_names const&), by_std_par(engine_names const&),
      by_tbb(engine_names const&);
};

}  // namespace perf
