// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What tests of lists in boxes of any three edges share.

#include "../oracle/lattice.hpp"
#include "host_list.hpp"
#include "random_edges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

template <class Real>
Kokkos::Array<Real, 3> to_vector(std::array<Real, 3> const& p) {
  return {p[0], p[1], p[2]};
}

template <class To, class Real>
std::vector<std::array<To, 3>> converted(points<Real> const& x) {
  std::vector<std::array<To, 3>> result;
  for (auto const& p : x) result.push_back({static_cast<To>(p[0]), static_cast<To>(p[1]), static_cast<To>(p[2])});
  return result;
}

template <class Number, class Real>
lattice<Number> to_lattice(edge_box<Real> const& box) {
  lattice<Number> result{{}, box.periodic};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t d = 0; d < 3; ++d) result.edges[k][d] = static_cast<Number>(box.edges[k][d]);
  return result;
}

/// All builders make this list.
template <class Real>
host_list build_both_ways(points<Real> const& x, upsweep::box<Real> const& box, Real cutoff,
                          pair_rules const& rules = {}, build_settings how = {}) {
  auto const list = build_list(x, box, cutoff, rules, how);
  how.builder = upsweep::neighbor_builder::plain;
  EXPECT_EQ(build_list(x, box, cutoff, rules, how), list);
  return list;
}

inline std::string first_difference(std::vector<lattice_pair> const& a, std::vector<lattice_pair> const& b) {
  auto const [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  std::string text = std::to_string(a.size()) + " and " + std::to_string(b.size()) + " pairs";
  for (auto const& [at, end] : {std::pair(in_a, a.end()), std::pair(in_b, b.end())}) {
    text += "; ";
    if (at != end)
      for (int const n : *at) text += std::to_string(n) + ' ';
  }
  return text;
}

}  // namespace oracle
