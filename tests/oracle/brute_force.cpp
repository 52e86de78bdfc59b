// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "brute_force.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace oracle {
namespace {

/// Whether a half list keeps the pair in the row of the first one.
bool kept_in_half(std::int64_t i, std::int64_t j, std::array<int, 3> const& s) {
  if (i == j) {
    auto const first = std::find_if(s.begin(), s.end(), [](int c) { return c != 0; });
    return first != s.end() && *first > 0;
  }
  bool const even = (i % 2 == 0) == (j % 2 == 0);
  return even ? i < j : i > j;
}

/// The same of a particle and its own ghost, which its maker has shifted.
template <class Real>
bool own_ghost_kept_in_half(std::array<Real, 3> const& x, std::array<Real, 3> const& ghost) {
  for (std::size_t d = 0; d < 3; ++d)
    if (ghost[d] != x[d]) return ghost[d] > x[d];
  return false;
}

template <class Real>
bool within(pair_rules const& rules, std::size_t i, std::size_t j, Real cutoff, Real squared) {
  auto const less = [&](Real most) { return rules.include_cutoff ? squared <= most * most : squared < most * most; };
  if (!less(cutoff)) return false;
  if (!rules.types.empty()) {
    Real const most =
        Real(rules.type_cutoffs[static_cast<std::size_t>(rules.types[i])][static_cast<std::size_t>(rules.types[j])]);
    if (!less(most)) return false;
  }
  if (!rules.radii.empty()) {
    Real const most = Real(rules.radii[i]) + Real(rules.radii[j]);
    if (!less(most)) return false;
  }
  return true;
}

bool excluded(pair_rules const& rules, std::size_t i, std::size_t j) {
  if (rules.excluded_offsets.empty()) return false;
  auto const begin = rules.excluded_ids.begin();
  auto const last = begin + static_cast<std::ptrdiff_t>(rules.excluded_offsets[i + 1]);
  return std::find(begin + static_cast<std::ptrdiff_t>(rules.excluded_offsets[i]), last, rules.id(j)) != last;
}

/// Of a row the nearest that the rules ask for, by squared distance, then id, then image (by z, then y, then x); they
/// stay in their order.
template <class Real>
std::vector<neighbor> nearest(std::vector<neighbor> const& row, std::vector<Real> const& squared,
                              pair_rules const& rules) {
  if (!rules.max_neighbors || row.size() <= static_cast<std::size_t>(*rules.max_neighbors)) return row;
  std::size_t const skipped = rules.queries >= 0 ? static_cast<std::size_t>(rules.queries) : 0;
  std::vector<std::tuple<Real, std::int64_t, int, int, int, std::size_t>> order;
  for (std::size_t k = 0; k < row.size(); ++k) {
    auto const [j, x, y, z] = row[k];
    order.emplace_back(squared[k], rules.id(skipped + static_cast<std::size_t>(j)), z, y, x, k);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < static_cast<std::size_t>(*rules.max_neighbors); ++k)
    which.push_back(std::get<5>(order[k]));
  std::sort(which.begin(), which.end());
  std::vector<neighbor> result;
  for (auto const k : which) result.push_back(row[k]);
  return result;
}

}  // namespace

template <class Real>
neighbor_rows brute_force(std::vector<std::array<Real, 3>> x, cell_box<Real> const& box, Real cutoff,
                          pair_rules const& rules) {
  for (auto& p : x) p = wrapped(box, p);
  bool const two = rules.queries >= 0;
  std::size_t const first_point = two ? static_cast<std::size_t>(rules.queries) : 0;
  std::size_t const rows = two ? first_point : rules.rows < 0 ? x.size() : static_cast<std::size_t>(rules.rows);
  auto const reach = rules.images.empty() ? image_reach(box, double(cutoff)) : std::array<int, 3>{};
  neighbor_rows found(rows);
  std::vector<Real> distances;  // squared, of the row
  auto const test = [&](std::size_t i, std::size_t j, std::array<int, 3> const& s) {
    if (!two && i == j && s == std::array<int, 3>{}) return;
    auto const shift = image_shift(box, s);
    std::array<Real, 3> d;
    for (int k = 0; k < 3; ++k) d[k] = (x[j][k] - x[i][k]) + shift[k];
    Real const squared = std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0]));
    if (!within(rules, i, j, cutoff, squared) || excluded(rules, i, j)) return;
    bool const halves = rules.half && (rules.newton || j < rows);
    bool const own_ghost = rules.id(i) == rules.id(j) && i != j && s == std::array<int, 3>{};
    if (halves && !(own_ghost ? own_ghost_kept_in_half(x[i], x[j]) : kept_in_half(rules.id(i), rules.id(j), s))) return;
    found[i].emplace_back(static_cast<int>(j - first_point), s[0], s[1], s[2]);
    distances.push_back(squared);
  };
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = first_point; j < x.size(); ++j)
      for (int sx = -reach[0]; sx <= reach[0]; ++sx)
        for (int sy = -reach[1]; sy <= reach[1]; ++sy)
          for (int sz = -reach[2]; sz <= reach[2]; ++sz)
            test(i, j, rules.images.empty() ? std::array<int, 3>{sx, sy, sz} : rules.images[j]);
    found[i] = nearest(found[i], distances, rules);
    distances.clear();
  }
  return found;
}

template neighbor_rows brute_force(std::vector<std::array<float, 3>>, cell_box<float> const&, float, pair_rules const&);
template neighbor_rows brute_force(std::vector<std::array<double, 3>>, cell_box<double> const&, double,
                                   pair_rules const&);

}  // namespace oracle
