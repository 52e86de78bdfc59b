// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Operations on trees by a scan of an Euler tour, which goes down and up every edge: how deep nodes are, in which order
// they are met, and how many are below each.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/scan/inclusive_scan_for_each.hpp>

#include <cstddef>
#include <random>
#include <vector>

struct step {
  int node;
  bool down;
};

/// Steps down less those up, and steps down: two sums in one scan.
struct visits {
  int depth, met;
};
struct sum_of_visits {
  using value_type = visits;
  KOKKOS_FUNCTION visits identity() const { return {0, 0}; }
  KOKKOS_FUNCTION visits operator()(visits const& left, visits const& right) const {
    return {left.depth + right.depth, left.met + right.met};
  }
  KOKKOS_FUNCTION visits lift(step const& s) const { return s.down ? visits{1, 1} : visits{-1, 0}; }
};

struct tree_numbers {
  std::vector<int> depth, preorder, below;
};

tree_numbers by_scan(std::vector<step> const& tour) {
  Kokkos::DefaultExecutionSpace const space;
  std::size_t const nodes = tour.size() / 2;
  Kokkos::View<int*> const depth("depth", nodes), preorder("preorder", nodes), last("last", nodes);
  upsweep::inclusive_scan_for_each(
      space, example::to_device(tour),
      KOKKOS_LAMBDA(std::size_t, visits const& so_far, step const& s) {
        if (s.down) {
          depth(s.node) = so_far.depth - 1;
          preorder(s.node) = so_far.met - 1;
        } else {
          last(s.node) = so_far.met;
        }
      },
      sum_of_visits{});
  Kokkos::parallel_for(
      "below", Kokkos::RangePolicy<>(space, 0, nodes), KOKKOS_LAMBDA(std::size_t v) { last(v) -= preorder(v) + 1; });
  return {upsweep::to_host(space, depth), upsweep::to_host(space, preorder), upsweep::to_host(space, last)};
}

/// The tour of a tree whose node v > 0 hangs below parents[v] < v; children in ascending order.
std::vector<step> tour_of(std::vector<int> const& parents) {
  std::vector<std::vector<int>> children(parents.size());
  for (std::size_t v = parents.size() - 1; v > 0; --v) children[parents[v]].push_back(static_cast<int>(v));
  std::vector<step> tour{{0, true}};
  for (std::vector<int> path{0}; !path.empty();) {
    auto& left = children[path.back()];
    if (left.empty()) {
      tour.push_back({path.back(), false});
      path.pop_back();
    } else {
      path.push_back(left.back());
      left.pop_back();
      tour.push_back({path.back(), true});
    }
  }
  return tour;
}

/// The same numbers from the parents alone.
tree_numbers serially(std::vector<int> const& parents) {
  std::size_t const n = parents.size();
  tree_numbers result{std::vector<int>(n), std::vector<int>(n), std::vector<int>(n)};
  for (std::size_t v = n - 1; v > 0; --v) result.below[parents[v]] += result.below[v] + 1;
  std::vector<int> next(n, 1);  // the number of the next child's first node
  for (std::size_t v = 1; v < n; ++v) {
    int& place = next[parents[v]];
    result.depth[v] = result.depth[parents[v]] + 1;
    result.preorder[v] = place;
    place += result.below[v] + 1;
    next[v] = result.preorder[v] + 1;
  }
  return result;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  // Node 0 has the children 1 and 2, node 1 has 3 and 4, node 2 has 5.
  auto const small = by_scan(tour_of({-1, 0, 0, 1, 1, 2}));
  example::expect("depth", small.depth, {0, 1, 1, 2, 2, 2});
  example::expect("place in preorder", small.preorder, {0, 1, 4, 2, 3, 5});
  example::expect("nodes below", small.below, {5, 2, 1, 0, 0, 0});

  std::mt19937 random(1);
  std::vector<int> parents{-1};
  for (unsigned v = 1; v < 50'000; ++v) parents.push_back(static_cast<int>(random() % v));
  auto const found = by_scan(tour_of(parents)), expected = serially(parents);
  example::confirm("50,000 nodes are as deep as by their parents", found.depth == expected.depth);
  example::confirm("and as many below each, in the same order",
                   found.below == expected.below && found.preorder == expected.preorder);
  return example::exit_code();
}
