// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "groups.hpp"

#include "../support/groups/box_height.hpp"
#include "gathered.hpp"
#include "unwrap.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/reproducible_plus.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/redistribute.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/segmented_reduce.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace clusters {
namespace {

using upsweep::mpi::all_or_none;
using offsets_view = Kokkos::View<std::size_t*, memory_space>;

/// The rank that a point goes to: that of its group's label, and of noise that of its own number.
struct find_rank {
  numbers number, label;
  indices rank;
  std::int64_t n, ranks;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    rank(i) = rank_of(label(i) < 0 ? number(i) : label(i), n, ranks);
  }
};

struct begin_order {
  indices order;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { order(i) = static_cast<int>(i); }
};
/// The points of groups, wrapped.
struct gather_points {
  upsweep::box<double> box;
  vectors from;
  flags core;
  indices order;
  std::int64_t skipped;
  vectors to;
  flags core_to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    int const k = order(skipped + i);
    auto const x = box.wrap({from(k, 0), from(k, 1), from(k, 2)});
    for (int d = 0; d < 3; ++d) to(i, d) = x[d];
    if (core.extent(0) != 0) core_to(i) = core(k);
  }
};
struct is_noise {
  numbers label;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const { sum += label(i) < 0 ? 1 : 0; }
};

/// Component d of a point's place along links.
struct unwrapped_component {
  upsweep::box<double> box;
  vectors positions;
  Kokkos::View<int* [3], Kokkos::LayoutRight, memory_space> lengths;  ///< empty: none are moved
  int d;
  KOKKOS_FUNCTION double operator()(std::size_t i) const {
    double x = positions(i, d);
    if (lengths.extent(0) == 0) return x;
    // Not box.shift: images have 10 bits, and a chain may be longer.
    for (int k = 0; k < 3; ++k) x = Kokkos::fma(static_cast<double>(lengths(i, k)), box.edge(k)[d], x);
    return x;
  }
};

/// Whether a point, of points in the order of labels, has one of the same group beside it.
struct has_company {
  numbers label;
  bool all;
  KOKKOS_FUNCTION bool operator()(std::size_t k) const {
    std::size_t const n = label.extent(0);
    return all || (k > 0 && label(k - 1) == label(k)) || (k + 1 < n && label(k + 1) == label(k));
  }
};
struct gather_grouped {
  grouped_points from;
  indices chosen;
  grouped_points to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    int const k = chosen(i);
    for (int d = 0; d < 3; ++d) to.positions(i, d) = from.positions(k, d);
    to.label(i) = from.label(k);
    if (from.core.extent(0) != 0) to.core(i) = from.core(k);
  }
};
struct scatter_unwrapped {
  unwrapped_groups from;
  indices chosen;
  unwrapped_groups to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    int const k = chosen(i);
    for (int d = 0; d < 3; ++d) to.lengths(k, d) = from.lengths(i, d);
    to.spans(k) = from.spans(i);
  }
};

/// unwrap() of the points that have links: those of groups of several, and all where a point may be its own friend.
unwrapped_groups unwrap_linked(space_type const& space, grouped_points const& points, double length) {
  std::size_t const n = points.label.extent(0);
  bool all = false;
  for (int d = 0; d < 3; ++d) all = all || (points.box.periodic(d) && box_height(points.box, d) <= 1.000001 * length);
  auto const chosen = make<indices>(space, "chosen", n);
  std::size_t const count = upsweep::compact_indices(space, n, chosen, has_company{points.label, all});
  grouped_points const some{points.box, make<vectors>(space, "chosen_positions", count),
                            make<numbers>(space, "chosen_labels", count),
                            make<flags>(space, "chosen_cores", points.core.extent(0) == 0 ? 0 : count)};
  Kokkos::parallel_for("upsweep-clusters::gather_grouped", points_range(space, count),
                       gather_grouped{points, chosen, some});
  unwrapped_groups const result{decltype(unwrapped_groups::lengths)("upsweep-clusters::lengths", n),
                                indices("upsweep-clusters::spans", n)};
  Kokkos::parallel_for("upsweep-clusters::scatter_unwrapped", points_range(space, count),
                       scatter_unwrapped{unwrap(space, some, length), chosen, result});
  return result;
}

/// By label, then by number. On one rank numbers are in order from the beginning.
indices sorted_order(space_type const& space, numbers const& number, numbers const& label, bool one_rank) {
  auto const order = make<indices>(space, "order", number.extent(0));
  Kokkos::parallel_for("upsweep-clusters::order", points_range(space, number.extent(0)), begin_order{order});
  auto keys = make<numbers>(space, "keys", number.extent(0));
  if (!one_rank) {
    Kokkos::deep_copy(space, keys, number);
    upsweep::sort_by_key(space, keys, order);
    keys = gathered(space, label, order);
  } else {
    Kokkos::deep_copy(space, keys, label);
  }
  upsweep::sort_by_key(space, keys, order);
  return order;
}

void find_centres(space_type const& space, grouped_points const& grouped, unwrapped_groups const& along,
                  offsets_view const& offsets, group_table& table) {
  std::size_t const groups = table.groups();
  table.centre.resize(3 * groups);
  Kokkos::View<double*, memory_space> const sums("upsweep-clusters::sums", groups);
  for (int d = 0; d < 3; ++d) {
    upsweep::segmented_reduce(space, grouped.positions.extent(0),
                              unwrapped_component{grouped.box, grouped.positions, along.lengths, d},
                              upsweep::segment_offsets{offsets}, sums, upsweep::reproducible_plus<double>{});
    auto const all = upsweep::to_host(space, sums);
    for (std::size_t g = 0; g < groups; ++g)
      table.centre[3 * g + static_cast<std::size_t>(d)] = all[g] / static_cast<double>(table.size[g]);
  }
  for (std::size_t g = 0; g < groups; ++g) {
    double* const c = &table.centre[3 * g];
    auto const wrapped = grouped.box.wrap({c[0], c[1], c[2]});
    for (int d = 0; d < 3; ++d) c[d] = table.spans[g] != 0 ? std::numeric_limits<double>::quiet_NaN() : wrapped[d];
  }
}

group_table local_groups(space_type const& space, point_set const& points, numbers const& label, flags const& core,
                         double length, bool one_rank, apps::phase_times& times) {
  std::size_t const n = points.size();
  // Indices have 32 bits, and a rank may get more points here than it had.
  if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw upsweep::overflow_error("upsweep-clusters: " + std::to_string(n) +
                                  " points of whole groups on one rank; at most 2^31 - 1 are supported");
  group_table table;
  grouped_points grouped{points.box, {}, {}, {}};
  offsets_view offsets;
  times.time(space, "members", [&] {
    auto const order = sorted_order(space, points.number, label, one_rank);
    auto const sorted_label = gathered(space, label, order);
    std::int64_t noise = 0;
    Kokkos::parallel_reduce("upsweep-clusters::noise", points_range(space, n), is_noise{label}, noise);
    auto const skipped = static_cast<std::size_t>(noise);  // -1 comes first
    std::size_t const members = n - skipped;
    grouped.label = Kokkos::subview(sorted_label, Kokkos::make_pair(skipped, n));
    grouped.positions = make<vectors>(space, "grouped", members);
    if (core.extent(0) != 0) grouped.core = make<flags>(space, "grouped_cores", members);
    Kokkos::parallel_for(
        "upsweep-clusters::gather_points", points_range(space, members),
        gather_points{points.box, points.positions, core, order, noise, grouped.positions, grouped.core});

    auto const values = make<numbers>(space, "run_labels", members);
    auto const lengths = make<offsets_view>(space, "run_lengths", members);
    std::size_t const groups = upsweep::run_length(space, grouped.label, values, lengths);
    offsets = make<offsets_view>(space, "offsets", groups + 1);
    upsweep::counts_to_offsets(space, first_rows(lengths, groups), offsets);
    auto const host_offsets = upsweep::to_host(space, offsets);
    table.offset.assign(host_offsets.begin(), host_offsets.end());
    auto const numbers_in_order = upsweep::to_host(space, gathered(space, points.number, order));
    auto const ids_in_order = upsweep::to_host(space, gathered(space, points.id, order));
    auto const split = static_cast<std::ptrdiff_t>(skipped);
    table.noise_number.assign(numbers_in_order.begin(), numbers_in_order.begin() + split);
    table.number.assign(numbers_in_order.begin() + split, numbers_in_order.end());
    table.members.assign(ids_in_order.begin() + split, ids_in_order.end());
    auto const labelled = upsweep::to_host(space, first_rows(values, groups));
    for (std::size_t g = 0; g < groups; ++g) {
      table.label.push_back(table.id_of(labelled[g], g));
      table.size.push_back(table.offset[g + 1] - table.offset[g]);
    }
  });
  times.time(space, "centres", [&] {
    table.spans.assign(table.groups(), 0);
    unwrapped_groups along;
    auto const& box = points.box;
    if (box.periodic(0) || box.periodic(1) || box.periodic(2)) {
      along = unwrap_linked(space, grouped, length);
      auto const spans = upsweep::to_host(space, along.spans);
      for (std::size_t g = 0; g < table.groups(); ++g)
        table.spans[g] = spans[static_cast<std::size_t>(table.offset[g])] != 0 ? 1 : 0;
    }
    find_centres(space, grouped, along, offsets, table);
  });
  return table;
}

}  // namespace

std::int64_t group_table::id_of(std::int64_t of, std::size_t group) const {
  auto const begin = number.begin() + offset[group], end = number.begin() + offset[group + 1];
  return members[static_cast<std::size_t>(std::lower_bound(begin, end, of) - number.begin())];
}

group_table find_groups(upsweep::mpi::communicator const& comm, space_type const& space, point_set points,
                        numbers label, flags const& core, double length, apps::phase_times& times) {
  if (comm.size() > 1)
    times.time(space, "gather", [&] {
      auto const ranks = all_or_none(comm, [&] {
        auto const to = make<indices>(space, "ranks", points.size());
        Kokkos::parallel_for("upsweep-clusters::find_rank", points_range(space, points.size()),
                             find_rank{points.number, label, to, points.total, comm.size()});
        return to;
      });
      upsweep::mpi::redistribute(comm, space, ranks, points.positions, points.number, points.id, label);
    });
  return all_or_none(comm, [&] { return local_groups(space, points, label, core, length, comm.size() == 1, times); });
}

}  // namespace clusters
