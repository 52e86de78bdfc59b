// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Packing and neighbour lists, in both precisions, with every option.

#include "gate.hpp"

#include <upsweep/neighbors/batched_neighbor_list.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/boxes_of_edges.hpp>
#include <upsweep/neighbors/compile_lists.hpp>
#include <upsweep/neighbors/count_neighbors.hpp>
#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/detail/pairs/mix.hpp>
#include <upsweep/neighbors/displacement.hpp>
#include <upsweep/neighbors/for_each_pair.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/kept_view.hpp>
#include <upsweep/neighbors/internal/upright_reach.hpp>
#include <upsweep/neighbors/list_hash.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_plan.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/neighbors/particle_ids.hpp>
#include <upsweep/neighbors/position_fault.hpp>
#include <upsweep/neighbors/special_neighbors.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gate {

struct record {
  double weight;
  std::int32_t item;
};

struct emit_records {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<record> const& emit) const {
    if (i > 1000) return emit.fail(3);
    if (emit.counts_only()) return emit.add(i % 4);
    for (std::size_t k = 0; k < i % 4; ++k) emit(record{0.5, static_cast<int>(k)});
  }
};

void pack(view<int const> const& order) {
  space const s;
  upsweep::workspace ws(s);
  upsweep::pack_lists<record>(s, 10, emit_records{});
  // A lambda of a user's own: only an extended one can be a kernel's functor.
  upsweep::pack_lists<int>(
      s, 10, KOKKOS_LAMBDA(std::size_t i, upsweep::emitter<int> const& emit) { emit(static_cast<int>(i)); },
      {.workspace = &ws, .label = "gate", .visit = order});
}

/// Positions on a line, computed.
template <class Real>
struct line {
  KOKKOS_FUNCTION Kokkos::Array<Real, 3> operator()(std::size_t i) const {
    return {static_cast<Real>(i), Real(0), Real(0)};
  }
};

template <class Real, class Positions>
std::uint64_t list(Positions const& positions, upsweep::neighbor_options const& options) {
  space const s;
  upsweep::box<Real> const box({0, 0, 0}, {10, 10, 10}, {true, true, false});
  upsweep::neighbor_list list(s, positions, box, Real(2.5), options);
  list.update(s, positions);
  upsweep::largest_displacement_squared(s, upsweep::now{positions}, upsweep::at_build{positions});
  return list.hash();
}

upsweep::neighbor_plan lists(Kokkos::View<double* [3], memory> const& doubles,
                             Kokkos::View<float const**, Kokkos::LayoutStride, memory> const& floats,
                             view<std::int64_t const> const& ids, view<upsweep::image const> const& images,
                             view<std::int32_t const> const& tags) {
  space const s;
  list<double>(doubles, {.half = true, .rows = 8, .ids = tags});
  list<float>(floats, {.half = true, .newton = false, .rows = 8});
  list<double>(doubles, {.rows = 10, .ids = ids, .images = images});
  list<float>(floats, {.pair_images = true});
  list<double>(doubles, {.max_neighbors = 12, .pair_images = true});
  upsweep::neighbor_list<space, double> const computed(s, 10, line<double>{},
                                                       upsweep::box<double>({0, 0, 0}, {9, 9, 9}), 2.5);
  return upsweep::count_neighbors(s, doubles, upsweep::box<double>({0, 0, 0}, {10, 10, 10}), 2.5,
                                  Kokkos::View<int*, memory>("counts", 10), {.half = true});
}

std::size_t special(Kokkos::View<std::int64_t const* [2], memory> const& bonds,
                    Kokkos::View<double* [3], memory> const& x) {
  space const s;
  auto const rows = upsweep::special_neighbors(s, 10, bonds, {.fewest = 2, .most = 3});
  return list<double>(x, {.exclusions = {rows.offsets, rows.values}}) + rows.total();
}

struct add_images {
  Kokkos::View<int*, memory> sums;
  KOKKOS_FUNCTION void operator()(int i, int j, upsweep::image s) const { sums(i) += s.x() + j; }
};

/// Pairs without a list, for a lambda of a user's own, and for a functor that asks for images.
void visit(Kokkos::View<double* [3], memory> const& doubles,
           Kokkos::View<float const**, Kokkos::LayoutStride, memory> const& floats) {
  space const s;
  Kokkos::View<int*, memory> const degree("degree", 10);
  upsweep::for_each_pair(s, doubles, upsweep::box<double>({0, 0, 0}, {10, 10, 10}), 2.5,
                         KOKKOS_LAMBDA(int i, int) { ++degree(i); }, {.half = true});
  upsweep::for_each_pair(s, floats, upsweep::box<float>({0, 0, 0}, {10, 10, 10}), 2.5f, add_images{degree});
  upsweep::for_each_pair(s, doubles, doubles, upsweep::box<double>({0, 0, 0}, {10, 10, 10}), 2.5, add_images{degree},
                         {.builder = upsweep::neighbor_builder::plain});
  upsweep::for_each_pair(s, 10, line<double>{}, upsweep::box<double>({0, 0, 0}, {9, 9, 9}), 2.5, add_images{degree});
}

/// All that a list keeps of pairs, and a kernel that reads it.
template <class Real>
struct add_pair {
  Kokkos::View<int const*, memory> first;
  Kokkos::View<int const* [3], Kokkos::LayoutRight, memory> images;
  Kokkos::View<Real const* [3], Kokkos::LayoutRight, memory> displacements;
  Kokkos::View<Real const*, memory> distances;
  KOKKOS_FUNCTION void operator()(std::int64_t k, Real& sum) const {
    sum += static_cast<Real>(first(k) + images(k, 2)) + displacements(k, 0) * distances(k);
  }
};

template <class Real>
Real pair_values(Kokkos::View<Real* [3], memory> const& positions) {
  space const s;
  upsweep::neighbor_list const list(
      s, positions, upsweep::box<Real>({0, 0, 0}, {9, 9, 9}), Real(2.5),
      {.first_indices = true, .unwrapped_images = true, .displacements = true, .distances = true});
  Real sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<space>(s, 0, 10),
                          add_pair<Real>{list.first_indices().view(), list.unwrapped_images().view(),
                                         list.displacements().view(), list.distances().view()},
                          sum);
  return sum;
}
template float pair_values<float>(Kokkos::View<float* [3], memory> const&);
template double pair_values<double>(Kokkos::View<double* [3], memory> const&);

template <class Real>
std::size_t batch(Kokkos::View<Real* [3], memory> const& positions, view<std::int64_t const> const& offsets,
                  std::vector<upsweep::box<Real>> const& boxes, view<upsweep::box<Real> const> const& on_device) {
  space const s;
  upsweep::batched_neighbor_list list(s, positions, offsets, boxes, Real(6),
                                      {.half = true, .pair_images = true, .distances = true});
  list.update(s, positions);
  list.plan(s, positions, offsets, on_device);
  list.emit();
  return list.system_of().extent(0) + list.systems();
}
template std::size_t batch<float>(Kokkos::View<float* [3], memory> const&, view<std::int64_t const> const&,
                                  std::vector<upsweep::box<float>> const&, view<upsweep::box<float> const> const&);
template std::size_t batch<double>(Kokkos::View<double* [3], memory> const&, view<std::int64_t const> const&,
                                   std::vector<upsweep::box<double>> const&, view<upsweep::box<double> const> const&);

std::size_t boxes(Kokkos::View<double* [3][3], Kokkos::HostSpace> const& cells,
                  Kokkos::View<bool* [3], Kokkos::HostSpace> const& periodic) {
  return upsweep::boxes_of_edges(cells, periodic).size();
}

/// What a kernel of a user's own may call.
struct geometry_kernel {
  upsweep::box<float> box;
  float* data;
  KOKKOS_FUNCTION void operator()(int i) const {
    upsweep::image const left(-1, 0, 0), both = left + -left;
    bool const still = both == upsweep::image(0, 0, 0) && !(both < left) && both[i % 3] == both.y() + both.z();
    auto const mixed =
        upsweep::pair_hash(i, i + 1, left) ^ upsweep::neighbors::detail::mix(static_cast<std::uint64_t>(i));
    if (still && box.periodic(i % 3))
      data[i] = box.wrap(data[i], i % 3) + box.shift(left)[0] + static_cast<float>(mixed % 8);
    auto const wrapped = box.wrap({data[0], data[1], data[2]});
    if (box.fault(wrapped)) data[i] += box.upright(wrapped)[i % 3] - box.edge(i % 3)[0];
    data[i] += box.volume() / box.length(0) + box.hi(1) - box.lo(2);
  }
};

void geometry(upsweep::box<float> const& box, float* data) {
  Kokkos::parallel_for(Kokkos::RangePolicy<space>(0, 10), geometry_kernel{box, data});
}

}  // namespace gate
