// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernels of GPUs that count hits, choose the nearest of a row and write rows, on a CPU with lockstep lanes: the
// bits that they leave, and the rows that are made of them, are those of the plain builder.

#include "boxes.hpp"
#include "host_list.hpp"
#include "lockstep_groups.hpp"
#include "note_visits.hpp"
#include "shifted_ghosts.hpp"

#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/detail/masks/gpu/compact_groups.hpp>
#include <upsweep/neighbors/detail/masks/gpu/emit_hits.hpp>
#include <upsweep/neighbors/detail/masks/gpu/keep_nearest_gpu.hpp>
#include <upsweep/neighbors/detail/masks/gpu/keep_nearest_in_lanes.hpp>
#include <upsweep/neighbors/detail/rules/check_options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

namespace detail = upsweep::neighbors::detail;
using namespace lockstep_groups;
using upsweep::image;
using upsweep::neighbor_options;

template <class T>
using host_view = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
template <class T>
host_view<T> view_of(std::vector<T> const& all) {
  return host_view<T>(all.data(), all.size());
}

struct kept_rows {
  std::vector<std::size_t> counts;
  std::uint64_t words;  ///< that were asked for
  oracle::neighbor_rows rows;
  oracle::neighbor_rows visited = {};  ///< the pairs that a visitor gets, where rows are not limited
};

/// The pairs that for_each_pair's kernel visits, by row.
template <class Real, detail::hit_rules Rules>
oracle::neighbor_rows visits_of(detail::mask_pass<Real> const& pass, std::size_t rows) {
  oracle::neighbor_rows visited(rows);
  run(
      detail::count_hits_gpu<Real, Rules, detail::one_system<Real>, lanes, oracle::visitor_of_rows>{
          pass, {}, false, {{&visited}}},
      pass.last_group);
  return visited;
}

/// Puts particles of cells of more than three into other slots of the cell. Returns the memory of that.
template <class Real>
std::vector<int> compact_groups(detail::mask_pass<Real>& pass, int cells) {
  auto const& p = pass.search.particles;
  auto const n = static_cast<std::size_t>(p.places);
  std::vector<int> memory(2 * n, -1);
  detail::compact_groups_kernel<Real, lanes> const kernel{p.starts,         cells, 3, p.x, p.y, p.z, memory.data(),
                                                          memory.data() + n};
  upsweep::team::testing::lockstep_league league(kernel.scratch_bytes);
  league.run((cells + kernel.warps - 1) / kernel.warps, kernel.warps * lanes::size,
             [&](upsweep::team::testing::lockstep_league_member const& m) { kernel(m); });
  pass.slots = memory.data();
  pass.slots_of_places = memory.data() + n;
  for (int place = 0; place < p.places; ++place) {
    EXPECT_EQ(pass.place_of_slot(pass.slot_of_place(place)), place);
    EXPECT_EQ(pass.cell_of(pass.slot_of_place(place)), pass.cell_of(place));
  }
  return memory;
}

/// The steps that choose, each for rows that are too long for the one before.
template <class Real, bool Classes>
void keep_nearest(detail::mask_pass<Real> const& pass, detail::row_counts const& rows) {
  using systems = detail::one_system<Real>;
  using of_few = detail::keep_nearest_gpu<Real, Classes, systems, detail::few_hits, lanes>;
  using of_many = detail::keep_nearest_gpu<Real, Classes, systems, detail::many_hits, lanes>;
  auto shared = pass;
  shared.warps_per_group = of_few::warps;
  // Where most rows are long, the first step is left out.
  bool const skips_few = pass.search.rules.most_in_row % 2 == 0;
  if (!skips_few) run(of_few{shared, rows, true}, pass.last_group);
  run(of_many{shared, rows, skips_few}, pass.last_group);
  run(detail::keep_nearest_in_lanes<Real, Classes, systems, lanes>{pass}, pass.last_group);
}

/// The rows that are made of the bits.
template <class Real, bool Classes>
oracle::neighbor_rows emitted_rows(detail::mask_pass<Real> const& pass, std::vector<std::size_t> const& counts) {
  std::vector<std::size_t> offsets(counts.size() + 1);
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  std::vector<int> neighbors(offsets.back(), -7);
  std::vector<image> images(offsets.back(), image(3, 3, 3));
  detail::row_slots const slots{offsets.data(), neighbors.data(), images.data(), false, {}};
  run(detail::emit_hits_gpu<Real, true, false, Classes, detail::one_system<Real>, lanes>{pass, slots}, pass.last_group);
  oracle::neighbor_rows rows(counts.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k)
      rows[i].emplace_back(neighbors[k], images[k].x(), images[k].y(), images[k].z());
  return rows;
}

/// What the kernels leave with memory for so many words.
template <class Real, detail::hit_rules Rules>
kept_rows kept_of(oracle::list_problem<Real> const& problem, neighbor_options const& options, std::size_t most_words,
                  bool compact) {
  auto const& p = problem;
  auto const n = static_cast<std::int64_t>(p.x.size());
  detail::cell_grid<host, Real> grid{host{}};
  grid.set_groups(32, 24);
  auto const wanted = static_cast<std::int64_t>(options.rows.value_or(p.x.size()));
  grid.update(host_positions<Real>{p.x.data()}, n, wanted, 0, oracle::to_box(p.box), p.cutoff, options);
  detail::list_rules<host, Real> made;
  auto const& binned = grid.binned();
  detail::neighbor_search<Real> const search{binned, made.make(host{}, binned, p.cutoff, options, {})};
  std::vector<std::uint32_t> words(most_words, 0xdeadbeefu);
  std::vector<std::uint64_t> first_word(static_cast<std::size_t>(grid.most_groups()));
  std::uint64_t used = 0, largest = 0, step_left = 0;
  kept_rows kept{std::vector<std::size_t>(static_cast<std::size_t>(binned.rows), 12345), 0, {}};
  constexpr bool classes = Rules == detail::hit_rules::classes;
  EXPECT_EQ(binned.has_classes(), classes);
  detail::mask_pass<Real> pass{
      search, grid.groups(),      grid.group_count(),
      0,      grid.most_groups(), {words.data(), most_words, &used, first_word.data(), &step_left}};
  auto const slots = compact ? compact_groups(pass, grid.row_cells()) : std::vector<int>();
  detail::row_counts const rows{kept.counts.data(), &largest};
  run(detail::count_hits_gpu<Real, Rules, detail::one_system<Real>, lanes>{pass, rows, true}, grid.most_groups());
  if (!options.max_neighbors) kept.visited = visits_of<Real, Rules>(pass, kept.counts.size());
  keep_nearest<Real, classes>(pass, rows);
  kept.words = used;
  if (used > most_words) return kept;

  kept.rows.resize(kept.counts.size());
  for (std::int64_t g = 0; pass.has(g); ++g) {
    int const first = pass.groups[g], end = pass.groups[g + 1];
    std::vector<std::size_t> own;
    for (int slot = first; slot < end; ++slot) {
      int const i = binned.order[pass.place_of_slot(slot)];
      if (i < binned.rows) own.push_back(static_cast<std::size_t>(i));
    }
    if (own.empty()) continue;
    std::uint32_t const* block = pass.masks.of(g);
    std::uint32_t const* const hits = block + 1 + *block;
    std::size_t candidate = 0;
    auto const cells = pass.cells_of(first, end);
    for (int in = 0; in < binned.grids_of(cells.system); ++in) {
      binned.candidates_in(in, cells).for_each([&](detail::candidate_run const& run) {
        for (int k = run.begin; k < run.end; ++k) {
          if ((k - run.begin) % 32 == 0) ++block;
          if ((*block >> (k - run.begin) % 32 & 1) == 0) continue;
          image const s = binned.image_of(run, k);
          for (std::size_t i = 0; i < own.size(); ++i)
            if (hits[candidate / 32 * own.size() + i] >> candidate % 32 & 1)
              kept.rows[own[i]].emplace_back(binned.order[k], s.x(), s.y(), s.z());
          ++candidate;
        }
      });
    }
    EXPECT_EQ(block + 1, hits);
  }
  EXPECT_EQ((emitted_rows<Real, classes>(pass, kept.counts)), kept.rows);
  return kept;
}

/// Against the plain builder, of all and of the nearest; then with less memory than the bits take.
template <class Real, detail::hit_rules Rules>
void compare(oracle::list_problem<Real> p, neighbor_options options, std::vector<std::int64_t> const& most) {
  auto const expect_same = [&] {
    auto const expected = build_list(p.x, p.box, p.cutoff, p.rules, {.builder = upsweep::neighbor_builder::plain});
    bool const compact = options.max_neighbors.has_value();
    auto const kept = kept_of<Real, Rules>(p, options, 1 << 20, compact);
    ASSERT_EQ(kept.rows, expected.rows);
    if (!compact) {
      ASSERT_EQ((kept_of<Real, Rules>(p, options, 1 << 20, true).rows), expected.rows) << "in compact groups";
    }
    if (!options.max_neighbors) {
      ASSERT_EQ(kept.visited, expected.rows);
    }
    auto const again = kept_of<Real, Rules>(p, options, static_cast<std::size_t>(kept.words) - 1, !compact);
    EXPECT_EQ(again.words, kept.words);
    for (std::size_t i = 0; i < kept.counts.size(); ++i) {
      EXPECT_EQ(kept.counts[i], expected.rows[i].size()) << "row " << i;
      EXPECT_EQ(again.counts[i], expected.rows[i].size()) << "row " << i << " without memory for all masks";
    }
  };
  ASSERT_NO_FATAL_FAILURE(expect_same());
  for (std::int64_t const k : most) {
    SCOPED_TRACE("max_neighbors " + std::to_string(k));
    options.max_neighbors = p.rules.max_neighbors = k;
    ASSERT_NO_FATAL_FAILURE(expect_same());
  }
}

template <class Real>
void compare_points() {
  oracle::cell_box<Real> const box{{0, 0, 0}, {9, 8, 7}, {true, true, false}, {1, 0, Real(0.5)}};
  auto const x = oracle::uniform_points(600, box, 1);
  compare<Real, detail::hit_rules::none>({box, x, 2, {}}, {}, {1, 7, 9, 33});
  // Distances that are equal in all bits, in a box shorter than the cutoff.
  oracle::cell_box<Real> const cube{{0, 0, 0}, {4, 4, 4}, {true, true, true}};
  oracle::points<Real> cubic;
  for (int k = 0; k < 64; ++k) cubic.push_back({Real(k % 4), Real(k / 4 % 4), Real(k / 16)});
  std::shuffle(cubic.begin(), cubic.end(), std::mt19937(2));
  compare<Real, detail::hit_rules::none>({cube, cubic, 2, {}}, {}, {1, 5, 6, 7, 30});
  compare<Real, detail::hit_rules::none>({cube, {cubic[0], cubic[1]}, Real(4.5), {}}, {}, {1, 10, 20});
  // Some cells that hold many particles at one place.
  auto dense = x;
  for (std::size_t k = 0; k < 200; ++k) dense[k] = {3, 3, 3};
  compare<Real, detail::hit_rules::none>({box, dense, 1, {}}, {}, {1, 100});
}

/// Rows of more hits than lanes have in registers beside shorter ones, and groups of more candidates than scratch has
/// room for.
TEST(lockstep_masks, of_long_rows) {
  oracle::cell_box<double> const box{{0, 0, 0}, {9, 8, 7}, {true, true, false}};
  for (std::size_t const dense : {300, 1200, 1700}) {
    oracle::list_problem<double> p{box, oracle::uniform_points(300, box, 3), 1, {}};
    for (std::size_t k = 0; k < dense; ++k) p.x.push_back({3 + 0.8 * double(k % 2), 3, 3 + 0.001 * double(k % 7)});
    std::shuffle(p.x.begin(), p.x.end(), std::mt19937(4));
    p.rules.rows = 90;
    compare<double, detail::hit_rules::none>(p, {.rows = 90}, {33, 200});
  }
}

/// The extents of all groups' bounding boxes, added up.
double width_of_groups(detail::mask_pass<double> const& pass) {
  auto const& p = pass.search.particles;
  double width = 0;
  for (std::int64_t g = 0; pass.has(g); ++g)
    for (double const* of_place : {p.x, p.y, p.z}) {
      double lo = 1e9, hi = -1e9;
      for (int slot = pass.groups[g]; slot < pass.groups[g + 1]; ++slot) {
        lo = std::min(lo, of_place[pass.place_of_slot(slot)]);
        hi = std::max(hi, of_place[pass.place_of_slot(slot)]);
      }
      width += hi - lo;
    }
  return width;
}

/// Particles at random places in few cells: as they come, each group is about as wide as its cell.
TEST(lockstep_masks, compact_groups_are_narrower_than_their_cells) {
  oracle::cell_box<double> const box{{0, 0, 0}, {4, 4, 4}, {true, true, true}};
  auto const x = oracle::uniform_points(600, box, 9);
  auto const n = static_cast<std::int64_t>(x.size());
  for (double const cutoff : {1.9, 5.0}) {
    detail::cell_grid<host, double> grid{host{}};
    grid.set_groups(16, 12);
    grid.update(host_positions<double>{x.data()}, n, n, 0, oracle::to_box(box), cutoff, {});
    detail::mask_pass<double> pass{{grid.binned(), {}}, grid.groups(), grid.group_count(), 0, grid.most_groups(), {}};
    double const as_they_come = width_of_groups(pass);
    auto const slots = compact_groups(pass, grid.row_cells());
    EXPECT_LT(width_of_groups(pass), 0.75 * as_they_come) << cutoff;
  }
}

TEST(lockstep_masks, of_points_in_double) { compare_points<double>(); }
TEST(lockstep_masks, of_points_in_float) { compare_points<float>(); }

/// Images of the box that are far from a group are left out as a whole.
template <class Real>
void compare_one_cell() {
  using cell_box = oracle::cell_box<Real>;
  for (cell_box const& box : {cell_box{{-1, 0, 5}, {2, Real(3.5), Real(8.2)}, {true, true, true}},
                              cell_box{{0, 0, 0}, {3, 3, 3}, {true, true, true}, {1, Real(0.5), Real(-0.7)}},
                              cell_box{{0, 0, 0}, {3, 3, 1}, {true, true, false}}}) {
    auto const x = oracle::uniform_points(90, box, 8);
    // Images next to the box, and some farther away: more than a warp has lanes.
    compare<Real, detail::hit_rules::none>({box, x, Real(1.9), {}}, {}, {1, 40});
    compare<Real, detail::hit_rules::none>({box, {x.begin(), x.begin() + 40}, 5, {}}, {}, {});
  }
}

TEST(lockstep_masks, of_a_box_of_one_cell_in_double) { compare_one_cell<double>(); }
TEST(lockstep_masks, of_a_box_of_one_cell_in_float) { compare_one_cell<float>(); }

/// Floats decide first: not about distances whose last bits count, nor where they do not hold the squares.
TEST(lockstep_masks, distances_that_floats_do_not_decide) {
  oracle::points<double> cubic;
  for (int k = 0; k < 216; ++k) cubic.push_back({double(k % 6), double(k / 6 % 6), double(k / 36)});
  std::shuffle(cubic.begin(), cubic.end(), std::mt19937(2));
  for (double const cutoff : {1.0, 2.0, 0.999999})
    compare<double, detail::hit_rules::none>({cube_of(0.6), scaled(cubic, 0.1), cutoff * 0.1, {}}, {}, {});
  auto const x = oracle::uniform_points(300, cube_of(6.0), 5);
  for (double const scale : {1e-30, 1e-22, 1e18, 1e30})
    compare<double, detail::hit_rules::none>({cube_of(6 * scale), scaled(x, scale), 1.5 * scale, {}}, {}, {});
}

TEST(lockstep_masks, of_ghosts_by_id) {
  oracle::cell_box<double> const box{{0, 0, 0}, {4, 4, 4}, {true, true, true}};
  oracle::list_problem<double> p{box, {}, 1.5, {}};
  std::vector<image> images;
  auto const owners = oracle::uniform_points(80, box, 3);
  for (int z = 0; z < 27; ++z) {
    auto const shift = [](int of_three) { return of_three == 2 ? -1 : of_three; };
    std::array<int, 3> const s{shift(z % 3), shift(z / 3 % 3), shift(z / 9)};
    for (std::size_t i = 0; i < owners.size(); ++i) {
      p.x.push_back(owners[i]);
      p.rules.ids.push_back(1000 - std::int64_t(7 * i));
      p.rules.images.push_back(s);
      images.emplace_back(s[0], s[1], s[2]);
    }
  }
  p.rules.rows = 80;
  neighbor_options options{.rows = 80};
  options.ids = view_of(p.rules.ids);
  options.images = view_of(images);
  compare<double, detail::hit_rules::images>(p, options, {1, 9, 15});
  compare<double, detail::hit_rules::ids>(p, options, {1, 9, 15});
  // for_each_pair uses the kernel of all rules where there are images or any rule.
  compare<double, detail::hit_rules::all>(p, options, {});
  options.half = p.rules.half = true;
  compare<double, detail::hit_rules::all>(p, options, {});
  options.newton = p.rules.newton = false;
  compare<double, detail::hit_rules::ids>(p, options, {});
  compare<double, detail::hit_rules::all>(p, options, {});
}

/// A box that is open in all directions, shorter than the cutoff in one: some particles have ghosts of their own in
/// reach, in the same image.
template <class Real>
void compare_shifted_ghosts() {
  auto const [problem, owners] =
      oracle::with_shifted_ghosts<Real>({{0, 0, 0}, {4, 5, Real(1.25)}, {}}, 70, Real(1.5), 5);
  for (bool const newton : {true, false})
    for (bool const has_ids : {true, false}) {
      if (newton && !has_ids) continue;
      auto p = problem;
      p.rules.half = true;
      p.rules.newton = newton;
      if (!has_ids) p.rules.ids.clear();
      neighbor_options options{.half = true, .newton = newton, .rows = p.rules.rows};
      if (has_ids) options.ids = view_of(p.rules.ids);
      compare<Real, detail::hit_rules::ids>(p, options, {});
      compare<Real, detail::hit_rules::all>(p, options, {});
    }
}

TEST(lockstep_masks, of_shifted_ghosts_in_double) { compare_shifted_ghosts<double>(); }
TEST(lockstep_masks, of_shifted_ghosts_in_float) { compare_shifted_ghosts<float>(); }

TEST(lockstep_masks, of_size_classes) {
  oracle::cell_box<double> const box{{0, 0, 0}, {30, 30, 2}, {true, true, false}};
  oracle::list_problem<double> p{box, oracle::uniform_points(1500, box, 6), 12.0, {}};
  std::mt19937_64 random(6);
  for (std::size_t i = 0; i < p.x.size(); ++i)
    p.rules.radii.push_back(i % 400 == 0 ? 6.0 : 0.3 + 0.4 * double(random() % 100) / 100);
  neighbor_options options;
  options.radii = view_of(p.rules.radii);
  compare<double, detail::hit_rules::classes>(p, options, {1, 4, 40});
}

}  // namespace
