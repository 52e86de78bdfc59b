// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Tables with repeated values, and what sorting their rows must give, by std::sort and std::unique.

#include "../oracle/views.hpp"

#include <upsweep/pack/emitter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace row_table {

template <class T>
struct table {
  std::vector<std::size_t> offsets{0};
  std::vector<T> values;

  template <class Row>
  void add(Row const& row) {
    values.insert(values.end(), row.begin(), row.end());
    offsets.push_back(values.size());
  }
  std::size_t rows() const { return offsets.size() - 1; }
  friend bool operator==(table const&, table const&) = default;
};

template <class T>
table<T> sorted_and_unique(table<T> const& in) {
  table<T> result;
  for (std::size_t i = 0; i < in.rows(); ++i) {
    std::vector<T> row(in.values.begin() + std::ptrdiff_t(in.offsets[i]),
                       in.values.begin() + std::ptrdiff_t(in.offsets[i + 1]));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    result.add(row);
  }
  return result;
}

/// What a row holds.
enum class pattern { few_values, any_bits, ascending, descending, all_equal, extremes };
inline constexpr pattern patterns[] = {pattern::few_values, pattern::any_bits,  pattern::ascending,
                                       pattern::descending, pattern::all_equal, pattern::extremes};

template <class T>
std::vector<T> row_of(pattern which, std::size_t n, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed * 1000003 + n);
  using limits = std::numeric_limits<T>;
  T const ends[] = {limits::min(), limits::max(), T(0), T(limits::max() - 1), T(-1)};
  std::vector<T> row(n);
  for (std::size_t k = 0; k < n; ++k) switch (which) {
      case pattern::few_values: row[k] = static_cast<T>(random() % (n / 3 + 1)) - T(5); break;
      case pattern::any_bits: row[k] = static_cast<T>(random()); break;
      case pattern::ascending: row[k] = static_cast<T>(k / 2); break;
      case pattern::descending: row[k] = static_cast<T>((n - k) * 3); break;
      case pattern::all_equal: row[k] = limits::max(); break;
      case pattern::extremes: row[k] = ends[random() % 5]; break;
    }
  return row;
}

/// Rows of these lengths, of all patterns in turn.
template <class T>
table<T> of_lengths(std::vector<std::size_t> const& lengths) {
  table<T> result;
  for (std::size_t i = 0; i < lengths.size(); ++i) result.add(row_of<T>(patterns[i % 6], lengths[i], i));
  return result;
}

/// Around the sizes of vectors, warps, blocks of registers and buffers: 0, 1, powers of two and their neighbours.
inline std::vector<std::size_t> lengths_up_to(std::size_t most) {
  std::vector<std::size_t> lengths{0, 0, 3, 5, 27, 48, 100, 300};
  for (std::size_t n = 1; n <= most; n *= 2)
    for (std::size_t m : {n - 1, n, n + 1}) lengths.insert(lengths.end(), 6, m);  // each in every pattern
  return lengths;
}

/// Tables that calls may trip over.
template <class T>
std::vector<std::pair<std::string, table<T>>> shapes() {
  std::vector<std::pair<std::string, table<T>>> all{{"no rows", {}},
                                                    {"many lengths", of_lengths<T>(lengths_up_to(8192))}};
  all.push_back({"empty rows", of_lengths<T>(std::vector<std::size_t>(1000, 0))});
  std::vector<std::size_t> lengths(5000, 3);
  all.push_back({"rows of 3", of_lengths<T>(lengths)});
  lengths[2777] = 300001;
  all.push_back({"one huge row", of_lengths<T>(lengths)});
  for (std::size_t i = 0; i < lengths.size(); i += 50) lengths[i] = i % 300 == 0 ? 0 : 70 + i;
  lengths[4999] = 131073;
  lengths[0] = 131072;
  all.push_back({"rows of all kinds", of_lengths<T>(lengths)});
  return all;
}

/// Emits the table's rows.
template <class T>
struct emit_row {
  Kokkos::View<std::size_t const*, oracle::memory> offsets;
  Kokkos::View<T const*, oracle::memory> values;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<T> const& emit) const {
    for (std::size_t k = offsets(i); k < offsets(i + 1); ++k) emit(values(k));
  }
};

template <class Lists>
auto on_host(Lists const& found) {
  using T = typename decltype(found.values)::non_const_value_type;
  return table<T>{oracle::to_host(found.offsets), oracle::to_host(found.values)};
}

}  // namespace row_table
