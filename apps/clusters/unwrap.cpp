// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "unwrap.hpp"

#include "../support/groups/disjoint_sets.hpp"

#include <upsweep/neighbors/for_each_pair.hpp>

#include <utility>

namespace clusters {
namespace {

using triples = Kokkos::View<int* [3], Kokkos::LayoutRight, memory_space>;
using upsweep::image;

/// j is seen in this image from i.
struct link {
  int i, j;
  image shift;
};
using links_view = Kokkos::View<link*, memory_space>;

struct linked {
  numbers label;
  flags core;
  KOKKOS_FUNCTION bool operator()(int i, int j) const {
    return label(i) == label(j) && (core.extent(0) == 0 || core(i) != 0 || core(j) != 0);
  }
};

/// Links that unite sets make trees of the groups. Each is kept at the root that it has hooked, which is hooked once.
struct keep_link {
  linked are_linked;
  disjoint_sets sets;
  links_view links;
  KOKKOS_FUNCTION void operator()(int i, int j, image shift) const {
    if (j >= i || !are_linked(i, j)) return;
    int const hooked = sets.unite(i, j);
    if (hooked >= 0) links(hooked) = {i, j, shift};
  }
};

// Trees are contracted in rounds. A part of a group is a star: all its members know its root and their lengths from
// there. In each round a root hooks itself to that of the neighbouring part with the smallest root, if that is smaller.
// Two rounds leave at most half of the parts that have neighbours: a root that is smaller than those around it stays in
// the first; in the second it hooks itself to a neighbour that has got a smaller root, unless all have joined it.

constexpr std::uint64_t no_choice = ~std::uint64_t(0);

struct begin_rounds {
  indices root;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { root(i) = static_cast<int>(i); }
};

struct choose_links {
  links_view links;
  indices root;
  Kokkos::View<std::uint64_t*, memory_space> choice;
  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t& open) const {
    link const l = links(e);
    if (l.i == l.j) return;  // none
    int const a = root(l.i), b = root(l.j);
    if (a == b) return;
    ++open;
    auto const lower = static_cast<std::uint64_t>(Kokkos::min(a, b));
    Kokkos::atomic_min(&choice(Kokkos::max(a, b)), lower << 32 | static_cast<std::uint64_t>(e));
  }
};

struct hook_roots {
  links_view links;
  indices root;
  triples lengths;
  Kokkos::View<std::uint64_t*, memory_space> choice;
  indices parent;
  triples way;  ///< from the root's parent to the root
  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    parent(r) = static_cast<int>(r);
    for (int d = 0; d < 3; ++d) way(r, d) = 0;
    if (choice(r) == no_choice) return;
    parent(r) = static_cast<int>(choice(r) >> 32);
    link const l = links(static_cast<std::uint32_t>(choice(r)));
    // lengths(j) = lengths(i) + shift, once both are from one root.
    bool const moves_i = root(l.i) == r;
    for (int d = 0; d < 3; ++d) {
      int const missing = lengths(l.j, d) - lengths(l.i, d) - l.shift[d];
      way(r, d) = moves_i ? missing : -missing;
    }
  }
};

/// Parents of parents, from one pair of arrays to another.
struct jump {
  indices parent, next_parent;
  triples way, next_way;
  KOKKOS_FUNCTION void operator()(std::int64_t r, int& changes) const {
    int const p = parent(r), above = parent(p);
    next_parent(r) = above;
    for (int d = 0; d < 3; ++d) next_way(r, d) = way(r, d) + (p != r ? way(p, d) : 0);
    if (above != p) changes = 1;
  }
};

struct move_members {
  indices root;
  triples lengths;
  indices parent;
  triples way;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    int const r = root(i);
    root(i) = parent(r);
    for (int d = 0; d < 3; ++d) lengths(i, d) += way(r, d);
  }
};

/// A link that does not fit leads around the box.
struct find_spanning {
  linked are_linked;
  indices root;
  triples lengths;
  indices spans;
  KOKKOS_FUNCTION void operator()(int i, int j, image shift) const {
    if (!are_linked(i, j)) return;
    bool fits = true;
    for (int d = 0; d < 3; ++d) fits = fits && lengths(i, d) + shift[d] == lengths(j, d);
    if (!fits) Kokkos::atomic_store(&spans(root(i)), 1);
  }
};

}  // namespace

unwrapped_groups unwrap(space_type const& space, grouped_points const& points, double length) {
  std::size_t const n = points.positions.extent(0);
  linked const are_linked{points.label, points.core};
  links_view const links("upsweep-clusters::links", n);
  {
    auto const sets = disjoint_sets::make(space, n);
    upsweep::for_each_pair(space, points.positions, points.box, length, keep_link{are_linked, sets, links});
  }
  auto const root = make<indices>(space, "root", n);
  triples const lengths("upsweep-clusters::lengths", n);
  Kokkos::parallel_for("upsweep-clusters::unwrap::begin", points_range(space, n), begin_rounds{root});
  {
    auto const choice = make<Kokkos::View<std::uint64_t*, memory_space>>(space, "choice", n);
    auto parent = make<indices>(space, "parent", n), next_parent = make<indices>(space, "next_parent", n);
    auto way = make<triples>(space, "way", n), next_way = make<triples>(space, "next_way", n);
    for (;;) {
      Kokkos::deep_copy(space, choice, no_choice);
      std::int64_t open = 0;
      Kokkos::parallel_reduce("upsweep-clusters::unwrap::choose", points_range(space, n),
                              choose_links{links, root, choice}, open);
      if (open == 0) break;
      Kokkos::parallel_for("upsweep-clusters::unwrap::hook", points_range(space, n),
                           hook_roots{links, root, lengths, choice, parent, way});
      // The largest of no changes is the smallest int.
      for (int changed = 1; changed > 0;) {
        Kokkos::parallel_reduce("upsweep-clusters::unwrap::jump", points_range(space, n),
                                jump{parent, next_parent, way, next_way}, Kokkos::Max<int>(changed));
        std::swap(parent, next_parent);
        std::swap(way, next_way);
      }
      Kokkos::parallel_for("upsweep-clusters::unwrap::move", points_range(space, n),
                           move_members{root, lengths, parent, way});
    }
  }
  indices const spans("upsweep-clusters::spans", n);
  upsweep::for_each_pair(space, points.positions, points.box, length, find_spanning{are_linked, root, lengths, spans});
  return {lengths, spans};
}

}  // namespace clusters
