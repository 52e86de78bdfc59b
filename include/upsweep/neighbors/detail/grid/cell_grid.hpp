// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/arrange_cells.hpp>
#include <upsweep/neighbors/detail/grid/bad_particle.hpp>
#include <upsweep/neighbors/detail/grid/bin_in_each_team.hpp>
#include <upsweep/neighbors/detail/grid/binned_particles.hpp>
#include <upsweep/neighbors/detail/grid/binning_kernels.hpp>
#include <upsweep/neighbors/detail/grid/check_particles.hpp>
#include <upsweep/neighbors/detail/grid/class_tables.hpp>
#include <upsweep/neighbors/detail/grid/grid_cut.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/particle_edges.hpp>
#include <upsweep/neighbors/detail/grid/system_table.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>
#include <upsweep/neighbors/detail/options/largest_square.hpp>
#include <upsweep/neighbors/detail/options/require_one_each.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace upsweep::neighbors::detail {

/// Particles binned into cells at least a cutoff wide: what a neighbour search reads. Memory is kept between updates.
/// `cell_grid<Kokkos::DefaultExecutionSpace, double> grid(space); grid.update(positions, n, n, 0, box, 2.8, options);`
///
/// Pre: check_arguments() passes; positions are a device functor of the index that returns Kokkos::Array<Real, 3>.
/// Cost: a particle is read 3 times; memory 3 Real + 16 bytes per particle, 4 more with images, and 12
/// bytes per cell (at most 2 cells per particle). With unwrapped_images a particle is read once more and, where one is
/// outside of the box, another time, with 12 bytes per particle. Where radii differ much, particles are in classes with
/// a grid each (size_classes.hpp).
/// Order: places are by class, by cell, in a cell by (id, image): a function of the input alone.
/// Sync: update waits for the instance once, for the check of the particles; with radii that differ twice. With
///   bad_particles::noted it does not wait on GPUs where the box alone decides how the grid is cut, which it does not
///   in a batch, with images, radii or unwrapped_images.
/// Throws: precondition_error (a bad particle: named, before memory is taken; one that is noted, by throw_noted()),
///   overflow_error, out_of_memory_error.
/// Source: *Prefix sums on GPUs*: counts, scan, place.
template <class ExecutionSpace, std::floating_point Real, class Systems = one_system<Real>>
class cell_grid {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using binned_type = detail::binned_particles<Real, Systems>;

  explicit cell_grid(ExecutionSpace const& space) : space_(space), workspace_(space) {}

  /// Throws precondition_error or overflow_error for what update() cannot have, without a look at positions.
  static void check_arguments(std::int64_t n, std::int64_t rows, Real cutoff, neighbor_options const& options) {
    // Places have 32 bits, and loops over them look some hundred ahead.
    constexpr std::int64_t most = std::numeric_limits<int>::max() - std::int64_t(1023);
    if (n > most)
      throw overflow_error(std::string(function) + ": " + std::to_string(n) + " particles; at most " +
                           std::to_string(most) + " are supported");
    internal::require(rows <= n, function, [&] {
      return "rows = " + std::to_string(rows) + " of only " + std::to_string(n) + " particles";
    });
    internal::require(std::isfinite(cutoff) && cutoff > 0, function,
                      [&] { return "cutoff = " + internal::text_of(cutoff) + "; it must be positive and finite"; });
    internal::require(std::isnormal(cutoff * cutoff), function, [&] {
      return "cutoff = " + internal::text_of(cutoff) +
             "; the square of the cutoff must be a normal number of the positions' type";
    });
    detail::require_one_each<ExecutionSpace>(options.images, n, function, "images");
    detail::require_one_each<ExecutionSpace>(options.types, n, function, "types");
    detail::require_one_each<ExecutionSpace>(options.radii, n, function, "radii");
  }

  /// Bins positions(0 .. n-1), of which the first `rows` will have rows. With first_point > 0 they are two sets: the
  /// neighbours of the first `rows` are looked for among those from first_point on.
  template <class Positions>
  void update(Positions const& positions, std::int64_t n, std::int64_t rows, std::int64_t first_point,
              box<Real> const& box, Real cutoff, neighbor_options const& options,
              bad_particles bad = bad_particles::thrown);

  /// The same with a box for each system of a batch; all particles have rows. Whatever the last argument is, it waits
  /// for the check of the particles, and throws for bad ones.
  template <class Positions>
  void update(Positions const& positions, std::int64_t n, std::int64_t rows, std::int64_t first_point,
              system_table<ExecutionSpace, Real>& table, Real cutoff, neighbor_options const& options,
              bad_particles = bad_particles::thrown);

  /// Where bad particles are noted: the complement of the first one, or 0. Always 0 where update() has thrown for them.
  std::uint64_t const* noted_bad() const { return counters_.data(); }
  /// Throws what update() would have, for what the host has read there.
  template <class Positions>
  void throw_noted(Positions const& positions, std::uint64_t noted) const {
    if constexpr (std::same_as<Systems, one_system<Real>>)
      if (noted != 0)
        throw_bad_position(space_, positions, static_cast<std::int64_t>(~noted), binned_.sim_box, function);
  }
  /// Some words that update() has cleared with its counters, for what counts pairs: so it needs no launch for that.
  static constexpr int cleared = 3;
  std::uint64_t* cleared_words() const { return counters_.data() + 1; }

  /// The same by one launch, for lists of few particles in one set (detail/grid/few_particles_report.hpp). What comes
  /// of it is in the report of `builder`; binned() lacks the grid before set_geometry(). Does not wait.
  template <class Positions, class Builder>
  binned_particles<Real, one_system_on_device<Real>> update_few_particles(Builder& builder, Positions const& positions,
                                                                          std::int64_t n, std::int64_t rows,
                                                                          box<Real> const& box, Real cutoff,
                                                                          neighbor_options const& options);
  /// The grid that the device has laid out.
  void set_geometry(grid_geometry<Real> const& grid)
    requires std::same_as<Systems, one_system<Real>>
  {
    row_cells_ = grid.total();
    binned_.grid = grid;
  }

  /// What kernels need to walk the neighbours of a particle; valid until the next update. Pre: update() was called.
  binned_type const& binned() const { return binned_; }
  /// First places of groups of particles, in cell order, and behind them the end of all.
  int const* groups() const { return groups_.data(); }
  /// The number of groups, on the device.
  std::uint64_t const* group_count() const { return starts_.data() + row_cells_; }
  /// The whole edges that wrapping took off the particle at each place, with options.unwrapped_images; null where there
  /// are none.
  int const* edges_off() const { return edges_.data(); }
  /// At most so many groups are there.
  std::int64_t most_groups() const { return std::min<std::int64_t>(particles_, row_cells_) + particles_ / group_size_; }
  /// For the next update: particles of a group, and of one that is of several cells. Pre: size > 0,
  /// most_merged <= size.
  void set_groups(int size, int most_merged) {
    group_size_ = size;
    most_merged_ = most_merged;
  }
  /// Particles in cell order, for visiting them with locality.
  Kokkos::View<int const*, memory_space> order() const {
    return Kokkos::subview(order_, std::make_pair(std::int64_t(0), particles_));
  }
  std::int64_t particles() const { return particles_; }
  /// Cells of particles with rows.
  int row_cells() const { return row_cells_; }
  /// Roughly how many others a particle is compared with, if all are spread evenly.
  double candidates_each() const {
    return classes_.given() ? classes_.candidates_each()
                            : 27.0 * static_cast<double>(particles_) / static_cast<double>(row_cells_);
  }
  /// Device memory held, in bytes.
  std::size_t bytes() const {
    return sizeof(Real) * (x_.extent(0) + y_.extent(0) + z_.extent(0)) +
           sizeof(int) * (cell_of_.extent(0) + order_.extent(0) + place_of_.extent(0) + groups_.extent(0)) +
           sizeof(std::uint64_t) * (counters_.extent(0) + starts_.extent(0)) +
           sizeof(image) * sorted_images_.extent(0) + edges_.bytes() + classes_.bytes() + workspace_.size_bytes();
  }
  /// Temporary memory that later steps on the same instance share.
  upsweep::workspace& workspace() { return workspace_; }

 private:
  static constexpr char const* function = Systems::function;
  /// Whether particles are sorted by their cell, or counters hand out places (detail/grid/binning_kernels.hpp).
  static constexpr bool sorts = compat::launches_wait<ExecutionSpace>;

  /// Cells of all sets.
  int total_cells() const { return sets_ * row_cells_; }
  scan_options scan() { return {.workspace = &workspace_, .label = function}; }

  void take_memory(neighbor_options const& options) {
    auto const n = static_cast<std::size_t>(particles_);
    auto const cells = static_cast<std::size_t>(total_cells());
    internal::grow(space_, cell_of_, n, function, "cell_of");
    internal::grow(space_, order_, n, function, "order");
    internal::grow(space_, place_of_, n, function, "place_of");
    internal::grow(space_, counters_, words_of_counters(), function, "counters");
    internal::grow(space_, starts_, cells + 1, function, "starts");
    internal::grow(space_, groups_, static_cast<std::size_t>(most_groups()) + 1, function, "groups");
    internal::grow(space_, x_, n, function, "x");
    internal::grow(space_, y_, n, function, "y");
    internal::grow(space_, z_, n, function, "z");
    if (options.images.given()) internal::grow(space_, sorted_images_, n, function, "images");
  }

  /// What kernels read of the particles at their places.
  template <class To>
  void describe(binned_particles<Real, To>& binned, std::int64_t rows, std::int64_t first_point, Real cutoff,
                neighbor_options const& options) const {
    binned.cutoff_squared = detail::largest_square(cutoff, options.include_cutoff);
    binned.x = x_.data();
    binned.y = y_.data();
    binned.z = z_.data();
    binned.order = order_.data();
    binned.place_of = place_of_.data();
    binned.cell_of = cell_of_.data();
    binned.starts = {starts_.data()};
    binned.candidates = {starts_.data() + (sets_ - 1) * row_cells_};
    binned.images = options.images.given() ? sorted_images_.data() : nullptr;
    binned.rows = static_cast<int>(rows);
    binned.first_candidate = static_cast<int>(first_point);
    binned.places = static_cast<int>(particles_);
  }

  /// The steps behind the check: cells, places, and what kernels read of them. `cells` are those of one set.
  template <class Positions>
  void bin(Positions const& positions, std::int64_t rows, std::int64_t first_point, Systems const& systems, int cells,
           Real cutoff, neighbor_options const& options, bad_particles bad = bad_particles::thrown);

  /// A word for bad particles, the cleared words, and an int for each cell.
  std::size_t words_of_counters() const {
    return 1 + cleared + internal::divide_up(static_cast<std::size_t>(total_cells()), std::size_t(2));
  }
  int* counts() const { return reinterpret_cast<int*>(counters_.data() + 1 + cleared); }
  /// How many particles each cell has; where they arrive stands where their places will be.
  template <class Positions>
  void count_cells(detail::cell_finder<Positions, Systems> const& find, bad_particles bad) {
    auto const n = static_cast<std::size_t>(particles_);
    detail::count_cells_kernel<Positions, Systems> const count{find, cell_of_.data(), place_of_.data(), counts()};
    if constexpr (std::same_as<Systems, one_system<Real>>)
      if (bad == bad_particles::noted)
        return internal::for_each_index(
            space_, "upsweep::neighbor_list::check_and_count_cells", n,
            detail::check_and_count_kernel<Positions, Systems>{count, total_cells(), counters_.data()});
    internal::for_each_index(space_, "upsweep::neighbor_list::count_cells", n, count);
  }

  using ints_view = Kokkos::View<int*, memory_space, Kokkos::MemoryUnmanaged>;
  using words_view = Kokkos::View<std::uint64_t*, memory_space, Kokkos::MemoryUnmanaged>;

  /// The particles in the order of their cells, and how many a cell has. Keys stand where places will be.
  template <class Positions>
  void sort_by_cell(detail::cell_finder<Positions, Systems> const& find) {
    auto const n = static_cast<std::size_t>(particles_);
    Kokkos::View<unsigned*, memory_space, Kokkos::MemoryUnmanaged> const keys(
        reinterpret_cast<unsigned*>(place_of_.data()), n);
    internal::for_each_index(
        space_, "upsweep::neighbor_list::cell_keys", n,
        detail::cell_keys_kernel<Positions, Systems>{find, cell_of_.data(), keys.data(), order_.data()});
    sort_by_key(space_, keys, ints_view(order_.data(), n),
                {.workspace = &workspace_,
                 .label = function,
                 .last_bit = std::bit_width(static_cast<unsigned>(total_cells() - 1))});
    using counter = detail::count_sorted_kernel;
    internal::for_each_index(space_, "upsweep::neighbor_list::count_cells",
                             internal::divide_up(n, std::size_t(counter::block)),
                             counter{keys.data(), particles_, counts()});
  }

  ExecutionSpace space_;
  upsweep::workspace workspace_;
  std::int64_t particles_ = 0;
  int sets_ = 1;
  int group_size_ = 32, most_merged_ = 0;
  int row_cells_ = 0;  ///< cells of particles with rows
  detail::class_tables<ExecutionSpace, Real> classes_;
  binned_type binned_{Systems::none()};
  Kokkos::View<Real*, memory_space> x_, y_, z_;
  Kokkos::View<int*, memory_space> cell_of_, order_, place_of_, groups_;
  Kokkos::View<std::uint64_t*, memory_space> counters_, starts_;
  Kokkos::View<image*, memory_space> sorted_images_;
  detail::particle_edges<ExecutionSpace> edges_;
};

// Out of the class, so that they are not inline: the library has compiled them (detail/builders/compiled_grids.hpp).
template <class ExecutionSpace, std::floating_point Real, class Systems>
template <class Positions>
void cell_grid<ExecutionSpace, Real, Systems>::update(Positions const& positions, std::int64_t n, std::int64_t rows,
                                                      std::int64_t first_point, box<Real> const& box, Real cutoff,
                                                      neighbor_options const& options, bad_particles bad) {
  particles_ = n;
  sets_ = first_point > 0 ? 2 : 1;
  // Ghosts made by the caller are outside the box: then every direction is cut like an open one.
  detail::grid_cut<Real> const cut(box, options.images.given(), cutoff,
                                   sets_ == 1 ? n : std::min<std::int64_t>(n / 2, 1 << 28));
  if (!sorts && bad == bad_particles::noted && cut.is_known && !cut.known.reaches_too_far() && !options.radii.given() &&
      !options.unwrapped_images) {
    classes_.forget();
    return bin(positions, rows, first_point, {cut.known.grid, box, nullptr}, cut.known.grid.total(), cutoff, options,
               bad);
  }
  auto const checked = detail::check_particles(space_, positions, n, rows, box, cutoff, options, scan());
  auto const frame = detail::make_grid_frame(box, checked.range, cut.periodic, cutoff);
  auto const grid = detail::make_grid_geometry(box, frame, cutoff, cut.particles);
  classes_.set(space_, frame, grid, cutoff, n, sets_, options.radii, checked.last_radius_bin,
               {.workspace = &workspace_, .label = function});
  bin(positions, rows, first_point, {grid, box, classes_.table()}, classes_.given() ? classes_.cells() : grid.total(),
      cutoff, options);
}

template <class ExecutionSpace, std::floating_point Real, class Systems>
template <class Positions>
void cell_grid<ExecutionSpace, Real, Systems>::update(Positions const& positions, std::int64_t n, std::int64_t rows,
                                                      std::int64_t first_point,
                                                      system_table<ExecutionSpace, Real>& table, Real cutoff,
                                                      neighbor_options const& options, bad_particles) {
  particles_ = n;
  sets_ = 1;
  auto const systems = table.measure(space_, positions, n, cutoff, options.radii, scan());
  bin(positions, rows, first_point, systems, table.cells(), cutoff, options);
}

template <class ExecutionSpace, std::floating_point Real, class Systems>
template <class Positions>
void cell_grid<ExecutionSpace, Real, Systems>::bin(Positions const& positions, std::int64_t rows,
                                                   std::int64_t first_point, Systems const& systems, int row_cells,
                                                   Real cutoff, neighbor_options const& options, bad_particles bad) {
  row_cells_ = row_cells;
  edges_.forget();
  if (options.unwrapped_images) edges_.check(space_, positions, particles_, systems, scan());
  take_memory(options);
  int const cells = total_cells();
  image const* const images = options.images.data();
  detail::cell_finder<Positions, Systems> const find{positions, images, systems, sets_ == 2 ? first_point : particles_,
                                                     options.radii.data()};
  Kokkos::deep_copy(space_, words_view(counters_.data(), words_of_counters()), 0);
  if constexpr (sorts) sort_by_cell(find);
  else count_cells(find, bad);
  exclusive_scan(space_,
                 detail::packed_counts<typename Systems::cell_rows>{
                     systems.rows(), counts(), cells, row_cells_, {group_size_, most_merged_}},
                 words_view(starts_.data(), static_cast<std::size_t>(cells) + 1), plus<>{}, scan());
  if constexpr (!sorts)
    internal::for_each_index(space_, "upsweep::neighbor_list::place", static_cast<std::size_t>(particles_),
                             detail::place_kernel{cell_of_.data(), place_of_.data(), {starts_.data()}, order_.data()});
  detail::arrange_cells(
      space_, cells,
      detail::arrange_cells_kernel<Positions, Real, Systems>{
          {starts_.data()},
          {options.ids.wide().data(), images},
          order_.data(),
          groups_.data(),
          row_cells_,
          {positions, systems, images, x_.data(), y_.data(), z_.data(), sorted_images_.data(), place_of_.data()},
          static_cast<int>(particles_),
          sorts && !options.ids.given()});
  edges_.store(space_, positions, particles_, systems, order_.data());
  static_cast<Systems&>(binned_) = systems;
  describe(binned_, rows, first_point, cutoff, options);
}

template <class ExecutionSpace, std::floating_point Real, class Systems>
template <class Positions, class Builder>
binned_particles<Real, one_system_on_device<Real>> cell_grid<ExecutionSpace, Real, Systems>::update_few_particles(
    Builder& builder, Positions const& positions, std::int64_t n, std::int64_t rows, box<Real> const& box, Real cutoff,
    neighbor_options const& options) {
  particles_ = n;
  sets_ = 1;
  classes_.forget();
  edges_.forget();
  row_cells_ = static_cast<int>(most_cells(n));
  take_memory(options);
  image const* const images = options.images.data();
  auto* const report = builder.report();
  one_system_on_device<Real> const systems{&report->layout.grid, box};
  builder.launch_bin(detail::bin_in_each_team<internal::warp_lanes, Positions, Real>{
      {{positions, box, images, rows}, {radius_bins(double(cutoff)), nullptr}, static_cast<std::size_t>(n)},
      {box, images != nullptr, cutoff, n},
      report,
      {options.ids.wide().data(), images},
      {x_.data(), y_.data(), z_.data(), images == nullptr ? nullptr : sorted_images_.data(), order_.data(),
       place_of_.data(), cell_of_.data(), starts_.data()},
      builder.sums(rows)});
  binned_.sim_box = box;
  binned_.classes = nullptr;
  describe(binned_, rows, 0, cutoff, options);
  detail::binned_particles<Real, one_system_on_device<Real>> result{systems};
  describe(result, rows, 0, cutoff, options);
  return result;
}

}  // namespace upsweep::neighbors::detail
