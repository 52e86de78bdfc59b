// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// From the nodes of each element to the graph of nodes: what a finite-element program does before it assembles.

#include "implementation.hpp"

#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/pack_unique_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace perf::pack {

/// Puts every element to its nodes, in any order: the rows that follow are sorted.
template <class T>
struct put_elements {
  T const* nodes;
  std::uint32_t const* first;
  std::uint32_t* taken;
  T* elements;
  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    auto const node = static_cast<std::size_t>(nodes[k]);
    elements[first[node] + Kokkos::atomic_fetch_add(&taken[node], std::uint32_t(1))] = static_cast<T>(k / 8);
  }
};

/// The nodes of a node's elements.
template <class T>
struct nodes_around {
  T const *nodes, *elements;
  std::uint32_t const* first;
  KOKKOS_FUNCTION void operator()(std::size_t node, upsweep::emitter<T> const& emit) const {
    std::uint32_t const end = first[node + 1];
    for (std::uint32_t k = first[node]; k < end; ++k) {
      T const* const corners = nodes + 8 * static_cast<std::size_t>(elements[k]);
      for (int c = 0; c < 8; ++c) emit(corners[c]);
    }
  }
};

template <class T>
prepared prepare_mesh_graph(problem<T> const& p, std::shared_ptr<upsweep::workspace> const& workspace) {
  std::size_t const nodes = p.table.rows;
  auto const made = std::make_shared<upsweep::lists<T, memory>>();
  array<std::uint32_t> const counts("upsweep::perf::counts", nodes), first("upsweep::perf::first", nodes + 1);
  array<T> const elements("upsweep::perf::elements_of_nodes", p.elements.extent(0));
  return {[=] {
            upsweep::histogram(p.instance, p.elements, counts, first, {.workspace = workspace.get()});
            Kokkos::deep_copy(p.instance, counts, std::uint32_t(0));
            Kokkos::parallel_for("upsweep::perf::put_elements", range(p.instance, p.elements.extent(0)),
                                 put_elements<T>{p.elements.data(), first.data(), counts.data(), elements.data()});
            *made = {};
            *made = upsweep::pack_unique_rows<T>(p.instance, nodes,
                                                 nodes_around<T>{p.elements.data(), elements.data(), first.data()},
                                                 {.workspace = workspace.get()});
          },
          {},
          order::stable,
          [=] { bring_rows(p, made->offsets, made->values); }};
}

}  // namespace perf::pack
