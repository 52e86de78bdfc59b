// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/size_classes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace upsweep::neighbors::detail {

/// What a list costs, in tests of one pair's distance, if particles are spread evenly. With sparse particles it is runs
/// that cost: on a CPU one took as long as 500 tests, a gathered candidate as 18 (two cores, 100,000 radii by a power
/// law in three dimensions); a GPU tests 32 pairs at a time and goes over empty runs fast. Lists are the same on both,
/// so these are numbers between.
struct search_cost {
  static constexpr double a_run = 300, a_candidate = 16, a_group = 1000;  ///< of a group, beside its tests

  double tests = 0;  ///< distances alone
  double total = 0;
  double most_runs = 0;  ///< of a cell in one grid
};

/// Particles of similar radii, and their cells.
template <class Real>
struct size_class {
  double particles;
  double radius;  ///< none is larger
  grid_geometry<Real> grid;
  double width[3];  ///< of a cell
};

template <class Real>
struct chosen_classes {
  size_classes<Real> table;
  double tests;  ///< of distances, if particles are spread evenly
};

/// Splits particles in classes by the bins of their radii, and cuts a grid for each.
template <class Real>
class class_chooser {
 public:
  /// sets: 2 where particles are queries and points.
  class_chooser(grid_frame<Real> const& frame, Real cutoff, int sets)
      : frame_(frame), cutoff_(double(cutoff)), sets_(sets) {}

  /// Whether there is so much to compare that choosing classes takes no longer.
  bool may_pay(double particles, grid_geometry<Real> const& one_grid) const {
    constexpr double few = 1 << 19;
    return !(cost_of_one_grid(particles, one_grid).total < few);
  }

  /// Classes for the particles that `counts` has in each bin, or nothing where one grid serves about as well.
  /// `one_grid` is the grid for the cutoff alone.
  std::optional<chosen_classes<Real>> operator()(std::uint32_t const (&counts)[radius_bins::count],
                                                 grid_geometry<Real> const& one_grid) const {
    double particles = 0;
    for (auto const n : counts) particles += n;
    std::vector<int> ends;  // of classes, in bins
    std::vector<size_class<Real>> classes;
    for (int bin = 0; bin < radius_bins::count;) {
      if (counts[bin] == 0) {
        ++bin;
        continue;
      }
      int const end = std::min(bin + radius_bins::per_octave, radius_bins::count);
      double n = 0;
      for (int k = bin; k < end; ++k) n += counts[k];
      classes.push_back(make_class(n, radius_of(bin), particles));
      ends.push_back(end);
      bin = end;
    }
    merge_while_it_pays(classes, ends, particles);
    auto const cost = cost_of(classes);
    constexpr double gain = 2;
    if (!(cost.total * gain < cost_of_one_grid(particles, one_grid).total) || cost.most_runs > double(1 << 28))
      return std::nullopt;
    return chosen_classes<Real>{make_table(classes, ends), cost.tests};
  }

  /// What one grid for the cutoff alone costs.
  search_cost cost_of_one_grid(double particles, grid_geometry<Real> const& grid) const {
    return cost_of({with_grid(particles, cutoff_, grid)});
  }

 private:
  double extent(int d) const { return frame_.extent[d].value(); }
  double width_for(double distance, int d) const { return frame_.width(distance, d).value(); }
  radius_bins bins() const { return radius_bins(cutoff_); }
  double radius_of(int bin) const { return std::min(bins().largest(bin), cutoff_); }

  /// How far particles of two classes can be apart. Squares of shorter distances than the least are no normal numbers.
  double reach(double a, double b) const {
    double const least = 4 * std::sqrt(double(std::numeric_limits<Real>::min()));
    return std::min(cutoff_, std::max(least, (a + b) * (1 + 16 * double(std::numeric_limits<Real>::epsilon()))));
  }

  size_class<Real> with_grid(double particles, double radius, grid_geometry<Real> const& grid) const {
    size_class<Real> made{particles, radius, grid, {}};
    for (int d = 0; d < 3; ++d) made.width[d] = extent(d) / grid.cells[d];
    return made;
  }

  size_class<Real> make_class(double particles, double radius, double all) const {
    uncontracted width[3];
    // So that cells can be numbered over all images that there may be.
    constexpr double most_in_a_row = 1 << 20;
    for (int d = 0; d < 3; ++d) width[d] = std::max(width_for(reach(radius, radius), d), extent(d) / most_in_a_row);
    double const most = std::min(std::max(64.0, 2 * particles / sets_), double(1 << 29) / sets_ * (particles / all));
    return with_grid(particles, radius, cut_cells(frame_, width, std::max(1.0, most)));
  }

  /// What the particles of class a cost in the grid of class b.
  search_cost cost_between(size_class<Real> const& a, size_class<Real> const& b) const {
    // Cells of few particles are put together in groups, in rows of up to 16.
    double const cells_of_a = double(a.grid.total()),
                 groups = std::max(a.particles / 24, std::min(a.particles, cells_of_a / 16)),
                 merged = std::clamp(cells_of_a / groups, 1.0, std::min(16.0, double(a.grid.cells[0])));
    double candidates = b.particles, cells[3];
    for (int d = 0; d < 3; ++d) {
      double const count = b.grid.cells[d], width = d == 0 ? merged * a.width[0] : a.width[d];
      bool const wraps = frame_.uncut.wraps[d];
      cells[d] = count == 1 && !wraps ? 1 : (width + 2 * width_for(reach(a.radius, b.radius), d)) / b.width[d] + 1;
      if (!wraps) cells[d] = std::min(cells[d], count);
      candidates *= cells[d] / count;
    }
    double const images = frame_.uncut.wraps[0] ? cells[0] / b.grid.cells[0] + 1 : 1,
                 runs = cells[1] * cells[2] * images, tests = a.particles * candidates;
    using cost = search_cost;
    return {tests, tests + groups * (cost::a_run * runs + cost::a_candidate * candidates + cost::a_group), runs};
  }

  search_cost cost_of(std::vector<size_class<Real>> const& classes) const {
    search_cost sum;
    for (auto const& a : classes)
      for (auto const& b : classes) {
        auto const more = cost_between(a, b);
        sum.tests += more.tests;
        sum.total += more.total;
        sum.most_runs = std::max(sum.most_runs, more.most_runs);
      }
    return sum;
  }

  /// Makes one of two neighbouring classes, those that save most, again and again until none do.
  void merge_while_it_pays(std::vector<size_class<Real>>& classes, std::vector<int>& ends, double particles) const {
    auto const both_ways = [&](auto const& a, auto const& b) {
      return cost_between(a, b).total + cost_between(b, a).total;
    };
    while (classes.size() > 1) {
      double best_saved = 0;
      std::size_t best = 0;
      size_class<Real> best_merged;
      for (std::size_t k = 0; k + 1 < classes.size(); ++k) {
        auto const &a = classes[k], &b = classes[k + 1];
        auto const merged = make_class(a.particles + b.particles, a.radius, particles);
        double saved =
            cost_between(a, a).total + cost_between(b, b).total + both_ways(a, b) - cost_between(merged, merged).total;
        for (std::size_t other = 0; other < classes.size(); ++other)
          if (other != k && other != k + 1)
            saved += both_ways(a, classes[other]) + both_ways(b, classes[other]) - both_ways(merged, classes[other]);
        if (!(saved > best_saved)) continue;
        best_saved = saved;
        best = k;
        best_merged = merged;
      }
      if (best_saved == 0) return;
      classes[best] = best_merged;
      classes.erase(classes.begin() + static_cast<std::ptrdiff_t>(best) + 1);
      ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(best));
    }
  }

  size_classes<Real> make_table(std::vector<size_class<Real>> const& classes, std::vector<int> const& ends) const {
    size_classes<Real> table{static_cast<int>(classes.size()), bins(), {}, {}, {}, {}};
    int const count = table.count;
    for (int bin = 0, k = 0; bin < radius_bins::count; ++bin) {
      if (bin == ends[static_cast<std::size_t>(k)] && k + 1 < count) ++k;
      table.class_of_bin[bin] = static_cast<std::uint8_t>(k);
    }
    for (int a = 0; a < count; ++a) {
      auto const& own = classes[static_cast<std::size_t>(a)];
      table.grid[a] = own.grid;
      table.first_cell[a + 1] = table.first_cell[a] + own.grid.total();
      for (int b = 0; b < count; ++b) {
        auto const& other = classes[static_cast<std::size_t>(b)];
        auto& way = table.between[a][b];
        double const distance = reach(own.radius, other.radius);
        way.near_squared = frame_.near_squared(distance);
        for (int d = 0; d < 3; ++d) {
          double const cells = other.grid.cells[d];
          if (cells == 1 && !frame_.uncut.wraps[d]) continue;  // both are 0
          way.ratio[d] = cells / own.grid.cells[d];
          double const reached = width_for(distance, d) / extent(d) * cells;
          constexpr double most = 1 << 30, roundings = 8 * std::numeric_limits<double>::epsilon();
          way.reach[d] = std::min(most, reached + roundings * (reached + cells));
        }
      }
    }
    return table;
  }

  grid_frame<Real> const& frame_;
  double cutoff_;
  int sets_;
};

}  // namespace upsweep::neighbors::detail
