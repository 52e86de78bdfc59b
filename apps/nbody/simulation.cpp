// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "simulation.hpp"

#include "../support/missing_fma.hpp"
#include "../support/progress.hpp"
#include "../support/outputs/standard_output.hpp"
#include "atoms.hpp"
#include "checkpoint/checkpoint.hpp"
#include "early_end.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/thermostat.hpp"
#include "forces/forces.hpp"
#include "forces/half_forces.hpp"
#include "forces/interaction.hpp"
#include "forces/table_forces.hpp"
#include "measurements/averages.hpp"
#include "measurements/health.hpp"
#include "measurements/state_hash.hpp"
#include "measurements/thermo.hpp"
#include "decomposition/neighbors.hpp"
#include "decomposition/open_box.hpp"
#include "outputs.hpp"
#include "phases.hpp"
#include "report.hpp"
#include "rows/kept_rows.hpp"
#include "rows/list_output.hpp"
#include "start/start.hpp"
#include "text.hpp"
#include "trajectory/trajectory.hpp"

#include <upsweep/base/printable.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/bisect.hpp>
#include <upsweep/mpi/gpu_aware.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/version.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace nbody {
namespace {

upsweep::mpi::domain<double> tiling(upsweep::mpi::communicator const& comm, options const& o, space_type const& space,
                                    upsweep::box<double> const& whole, vectors const& positions, std::int64_t step) {
  auto const box = is_open(whole) ? widened(whole, find_reach(comm, space, whole, positions, step)) : whole;
  if (o.bisects()) return upsweep::mpi::bisect(comm, space, box, positions);
  return {comm, box, o.ranks_grid};
}

/// ", open in xz", or nothing.
std::string open_text(upsweep::box<double> const& box) {
  std::string const letters = open_letters({box.periodic(0), box.periodic(1), box.periodic(2)});
  return letters.empty() ? "" : ", open in " + letters;
}

/// The pair potential for all types in the data. Collective; throws on all ranks alike.
interaction make_interaction(upsweep::mpi::communicator const& comm, space_type const& space, options const& o,
                             upsweep::particle_data const& data) {
  auto const types = upsweep::mpi::reduce(
      comm, [&] { return data.types.empty() ? 1 : *std::max_element(data.types.begin(), data.types.end()); },
      upsweep::max<std::int32_t>{});
  return upsweep::mpi::all_or_none(comm, [&] {
    auto const known = o.coefficients.empty() ? largest_type : types_of(o.coefficients);
    if ((o.pair != "lj" || !o.coefficients.empty()) && types > known)
      throw upsweep::input_error("--pair " + o.pair + ": there are particles of type " + std::to_string(types) +
                                 " (expected types up to " + std::to_string(known) + ")");
    return interaction{make_pair_potential(o.cutoff, o.shift), make_pair_table(space, o, types)};
  });
}

/// What the input has and the run does not use, and the other way round, as lines. Pre: this is rank 0.
std::string notes(options const& o, run_start const& start) {
  std::string lines;
  if (!start.not_used.empty()) lines += "not used of " + upsweep::printable(o.input) + ": " + start.not_used + "\n";
  if (!start.has_masses) lines += "no masses in " + upsweep::printable(o.input) + ": all are 1\n";
  return lines;
}

class simulation {
 public:
  simulation(upsweep::mpi::communicator const& comm, options const& o, space_type const& space, phase_clock& clock,
             early_end const& end, run_start const& start)
      : comm_(comm),
        options_(o),
        space_(space),
        clock_(clock),
        end_(end),
        atoms_(upsweep::mpi::all_or_none(comm, [&] { return to_device(space_, start.particles); })),
        box_(box_of(start.particles.data)),
        list_box_(box_),
        domain_(tiling(comm, o, space_, box_, atoms_.positions, start.step)),
        neighborhood_(comm, space_, domain_, o.list_cutoff(), o.half, o.overlap),
        pair_(make_interaction(comm, space_, o, start.particles.data)),
        thermostat_(comm, space_, o, start.particles.total),
        workspace_(space_),
        first_step_(start.step),
        cut_at_(start.step),
        first_row_(start.first),
        notes_(notes(o, start)),
        old_frames_(start.trajectory),
        trajectory_(comm, space, o, start.particles.total, start.species),
        averages_(comm, space, o, start),
        progress_(comm.rank() == 0 && !o.no_progress) {
    results_.particles = start.particles.total;
    results_.last_step = o.steps;
    results_.transport = upsweep::mpi::describe_transfers(comm_, space_);
    upsweep::mpi::all_or_none(comm, [&] {
      auto const& data = start.particles.data;
      common_header_.particles = start.particles.total;
      copy_box(data, common_header_);
      common_header_.masses = data.masses;
      common_header_.species = start.species;
      common_header_.chosen = o;
      if (!start.first) return;
      resumed_ = make<vectors>(space_, "upsweep-nbody::resumed", atoms_.size());
      copy_rows_in(space_, resumed_, start.positions.data());
    });
  }

  results const& run() {
    start_list();
    results_.lists.push_back(neighborhood_.summarize(first_step_));
    compute();
    print([&] { return head(); });
    record(first_step_);
    trajectory_.begin(old_frames_ ? &*old_frames_ : nullptr, box_);
    observe(first_step_);
    auto const begin = std::chrono::steady_clock::now();
    for (std::int64_t step = first_step_ + 1; step <= results_.last_step; ++step) {
      advance(step);
      if (step == results_.last_step || (options_.thermo > 0 && step % options_.thermo == 0)) record(step);
      observe(step);
      if (options_.checkpoint_every > 0 && step % options_.checkpoint_every == 0) save(step);
      show_progress(step);
    }
    complete_velocities();
    std::chrono::duration<double> const loop = std::chrono::steady_clock::now() - begin;
    progress_.clear();
    results_.loop = over_ranks(comm_, loop.count());
    clock_.time(phase::output, [&] { trajectory_.close(); });
    save(results_.last_step);
    clock_.time(phase::output, [&] { averages_.write_files(results_.particles, box_.volume()); });
    if (options_.steps > 0) {
      rebuild_list(results_.last_step);
      results_.lists.push_back(neighborhood_.summarize(results_.last_step));
    }
    report();
    return results_;
  }

  upsweep::mpi::rank_grid const& grid() const { return domain_.grid(); }

 private:
  /// Prints what text() returns, on rank 0. Collective: a full disk behind its standard output ends all ranks, and so
  /// does a lack of memory for the text.
  template <class Text>
  void print(Text const& text) {
    progress_.clear();
    upsweep::mpi::all_or_none(comm_, [&] {
      if (comm_.rank() == 0 && !options_.report_is_standard_output()) apps::print(text());
    });
  }

  void show_progress(std::int64_t step) {
    auto const done = static_cast<double>(step - first_step_);
    progress_.advance(done / static_cast<double>(options_.steps - first_step_), [&](double seconds) {
      return text("step %lld of %lld, %.3g particle-steps/s", static_cast<long long>(step),
                  static_cast<long long>(options_.steps), static_cast<double>(results_.particles) * done / seconds);
    });
  }

  /// Measures and prints what belongs to the end of the run.
  void report() {
    clock_.time(phase::output, [&] { results_.state = state_hash(comm_, space_, atoms_); });
    for (auto const& list : results_.lists) print([&] { return to_line(list); });
    print([&] { return state_text(results_); });
    if (!options_.write_list.empty())
      clock_.time(phase::output, [&] {
        write_list(comm_, space_, neighborhood_, atoms_.ids, results_.particles, options_.write_list);
      });
    auto const of_rank = [&](std::size_t mine) { return over_ranks(comm_, static_cast<double>(mine)); };
    results_.owned = of_rank(neighborhood_.owned());
    results_.ghosts = of_rank(neighborhood_.ghosts());
    results_.pairs = of_rank((options_.half ? 2 : 1) * neighborhood_.list().pairs());
    for (std::size_t k = 0; k < phase_names.size(); ++k) results_.phases[k] = over_ranks(comm_, clock_.seconds()[k]);
    results_.steps = results_.last_step - first_step_;
    print([&] { return timing_text(results_, options_) + end_text(results_, options_); });
  }

  std::string head() const {
    auto const& g = domain_.grid();
    auto const& b = box_;
    auto const [xy, xz, yz] = b.tilt();
    auto const lean = b.is_triclinic() ? text(", xy %g, xz %g, yz %g", xy, xz, yz) : std::string();
    auto const bricks = domain_.is_bisected() ? std::string("bisected") : text("%d x %d x %d", g[0], g[1], g[2]);
    int const threads = Kokkos::DefaultHostExecutionSpace().concurrency();
    return "upsweep-nbody " UPSWEEP_VERSION_STRING ": " + std::to_string(results_.particles) + " particles in " +
           text("%g x %g x %g%s, %d rank%s (%s), %s with %d host thread%s each\n", b.length(0), b.length(1),
                b.length(2), (lean + open_text(b)).c_str(), comm_.size(), comm_.size() == 1 ? "" : "s", bricks.c_str(),
                space_type::name(), threads, threads == 1 ? "" : "s") +
           (comm_.size() == 1 ? "" : "messages: " + results_.transport + "\n") + notes_ + kept_note() + thermo_header();
  }

  /// What of a restart's checkpoint goes to the next one as it is.
  std::string kept_note() const {
    if (options_.checkpoint.empty()) return {};
    auto names = averages_.idle();
    if (old_frames_ && !trajectory_.exists()) names.emplace_back("--trajectory");
    std::string list;
    for (auto const& name : names) list += (list.empty() ? "" : ", ") + name;
    return list.empty()
               ? ""
               : "kept as " + upsweep::printable(options_.restart) + " has them, with nothing added: " + list + "\n";
  }

  /// The first list. On a restart it is built from the positions of the last rebuild before the checkpoint; only then
  /// do particles get their positions at the checkpoint. So pairs have the same images, and rebuilds come at the same
  /// steps, as without the interruption.
  void start_list() {
    rebuild_list(first_step_);
    if (options_.balanced == balance::pairs) {
      cut_again(first_step_);
      rebuild_list(first_step_);
    }
    if (resumed_.data() == nullptr) return;
    atoms_.positions = resumed_;
    resumed_ = {};
    clock_.time(phase::halo, [&] { neighborhood_.update_positions(atoms_); });
  }

  /// Before particles are given to bricks: moves borders in open directions out, where particles lie beyond.
  void widen_box(std::int64_t step) {
    if (!is_open(box_)) return;
    auto const reach = find_reach(comm_, space_, box_, atoms_.positions, step);
    // A function of these positions alone, as a restart needs it. Bricks keep their cuts, so their box never shrinks.
    list_box_ = widened(box_, reach);
    auto const& old = domain_.box();
    auto const wide = widened(old, reach);
    bool same = true;
    for (int d = 0; d < 3; ++d) same = same && wide.lo(d) == old.lo(d) && wide.hi(d) == old.hi(d);
    if (same) return;
    domain_ = domain_.is_bisected() ? upsweep::mpi::domain<double>(comm_, wide, domain_.cuts())
                                    : upsweep::mpi::domain<double>(comm_, wide, domain_.grid());
    neighborhood_.set_domain(domain_);
  }

  void rebuild_list(std::int64_t step) {
    clock_.time(phase::migrate, [&] { widen_box(step); });
    // Migrates early, with one array more, because neighborhood_.rebuild() does not know that array. It then moves
    // nothing.
    if (resumed_.data() != nullptr)
      upsweep::mpi::migrate_and_count(comm_, space_, domain_, atoms_.positions, atoms_.edges, atoms_.velocities,
                                      atoms_.masses, atoms_.ids, atoms_.types, resumed_);
    neighborhood_.rebuild(atoms_, clock_);
    // Forces are not carried along: they are computed again before they are used. No half kick is owed here, which
    // would need the old ones.
    upsweep::mpi::all_or_none(comm_, [&] {
      forces_.resize(space_, "upsweep-nbody::forces", atoms_.size());
      if (options_.half) half_.reserve(space_, neighborhood_);
    });
  }

  /// Bricks of equal work, from the next rebuild on.
  void cut_again(std::int64_t step) {
    clock_.time(phase::migrate, [&] {
      widen_box(step);
      double const force = clock_.seconds()[static_cast<std::size_t>(phase::force)];
      domain_ =
          options_.balanced == balance::pairs
              ? upsweep::mpi::bisect(comm_, space_, domain_.box(), atoms_.positions, neighborhood_.work())
              : upsweep::mpi::bisect_by_time(comm_, space_, domain_.box(), atoms_.positions, force - force_at_cut_);
      neighborhood_.set_domain(domain_);
      force_at_cut_ = force;
      cut_at_ = step;
      ++results_.cuts;
    });
  }

  void compute() {
    clock_.time(phase::force, [&] {
      if (options_.half) half_.compute(comm_, space_, neighborhood_, pair_.plain, *forces_);
      else forces_on(neighborhood_.rows());
    });
  }

  template <class Rows>
  void forces_on(Rows const& rows) {
    if (pair_.table) compute_forces(space_, rows, neighborhood_.positions(), *pair_.table, *forces_);
    else compute_forces(space_, rows, neighborhood_.positions(), pair_.plain, *forces_);
  }

  /// Positions of ghosts travel while rows that need none are computed.
  void update_and_compute() {
    clock_.time(phase::halo, [&] { neighborhood_.start_update(); });
    clock_.time_calls(phase::force, [&] { forces_on(neighborhood_.interior()); });
    clock_.time_calls(phase::halo, [&] { neighborhood_.finish_update(); });
    clock_.time(phase::force, [&] { forces_on(neighborhood_.border()); });
  }

  /// Before anybody looks at velocities: the half kick that ends the last step, where it is still owed.
  void complete_velocities() {
    if (std::exchange(velocities_, velocity_state::complete) == velocity_state::complete) return;
    clock_.time(phase::integrate, [&] { kick(space_, atoms_, *forces_, options_.dt); });
  }

  void advance(std::int64_t step) {
    clock_.time(phase::integrate, [&] {
      thermostat_.kick_and_drift(atoms_, *forces_, step, std::exchange(velocities_, velocity_state::complete),
                                 neighborhood_.positions());
    });
    moves found;
    clock_.time(phase::neighbor, [&] { found = neighborhood_.look_at_moves(atoms_, end_); });
    auto const& moved = found.largest;
    if (step < options_.steps && found.end != end_cause::none) {
      results_.last_step = step;
      results_.cause = found.end;
    }
    require_places(comm_, space_, atoms_, box_, moved.first, step, overlap_);
    if (upsweep::needs_rebuild(moved, upsweep::now{list_box_}, upsweep::at_build{list_box_}, options_.cutoff,
                               options_.skin)) {
      // Only here: a rebuild wraps positions, which rounds them. Its steps are the same for all tilings.
      if (options_.balanced != balance::none && step - cut_at_ >= options_.balance_every) cut_again(step);
      rebuild_list(step);
      ++results_.rebuilds;
      compute();
    } else if (neighborhood_.has_interior()) {
      update_and_compute();
    } else {
      clock_.time(phase::halo, [&] { neighborhood_.update_ghosts(); });
      compute();
    }
    velocities_ = velocity_state::owes_half_kick;
    if (!thermostat_.rescales()) return;
    complete_velocities();
    clock_.time(phase::integrate, [&] { thermostat_.rescale(atoms_, step); });
  }

  void record(std::int64_t step) {
    complete_velocities();
    clock_.time(phase::output, [&] {
      results_.thermo.push_back(
          measure(comm_, space_, workspace_, atoms_, neighborhood_, pair_, results_.particles, box_.volume(), step));
      print([&] { return to_line(results_.thermo.back()); });
      if (!first_row_) first_row_ = results_.thermo.back();
      if (step == first_step_)
        overlap_ = find_overlap(comm_, space_, atoms_, neighborhood_, results_.thermo.back(), results_.particles);
      if (!options_.keep_going)
        require_good(comm_, space_, atoms_, neighborhood_, *first_row_, results_.thermo.back(), overlap_);
    });
  }

  /// Takes the samples of a step and writes its frame.
  void observe(std::int64_t step) {
    if (!averages_.wants(step) && !trajectory_.wants(step)) return;
    if (trajectory_.wants(step)) complete_velocities();
    clock_.time(phase::output, [&] {
      if (averages_.wants(step)) averages_.sample(atoms_, neighborhood_, box_, step);
      if (trajectory_.wants(step)) trajectory_.write(atoms_, box_, step);
    });
  }

  /// Writes the checkpoint of a step, where one is asked for and this run has not written it yet.
  void save(std::int64_t step) {
    if (options_.checkpoint.empty() || step == saved_at_) return;
    saved_at_ = step;
    complete_velocities();
    clock_.time(phase::output, [&] {
      trajectory_.close();
      auto header = upsweep::mpi::all_or_none(comm_, [&] {
        auto h = common_header_;
        h.step = step;
        h.first = *first_row_;
        h.trajectory = trajectory_.exists() ? trajectory_.record() : old_frames_;
        return h;
      });
      averages_.add_to(header);
      write_checkpoint(comm_, space_, options_.checkpoint, std::move(header), atoms_, neighborhood_.built_from(),
                       averages_.reference());
    });
  }

  upsweep::mpi::communicator comm_;
  options options_;
  space_type space_;
  phase_clock& clock_;
  early_end end_;
  atoms atoms_;
  upsweep::box<double> box_;       ///< of the start
  upsweep::box<double> list_box_;  ///< the same, in open directions as far as particles reached at the rebuild
  upsweep::mpi::domain<double> domain_;
  neighborhood neighborhood_;
  interaction pair_;
  thermostat thermostat_;
  kept_rows<vectors> forces_;
  velocity_state velocities_ = velocity_state::complete;
  half_forces half_;
  upsweep::workspace workspace_;
  double force_at_cut_ = 0;  ///< seconds in the force loop before the last cut
  std::int64_t first_step_, cut_at_, saved_at_ = -1;
  std::optional<thermo_row> first_row_;          ///< of the table, of the first start
  std::string notes_;                            ///< on the input, as lines
  std::string overlap_;                          ///< words on particles of the first step that overlap, or empty
  vectors resumed_;                              ///< positions at the step of a restart, until the first list is built
  checkpoint_header common_header_;              ///< what all checkpoints of this run have in common
  std::optional<trajectory_record> old_frames_;  ///< of the checkpoint that this run goes on from
  trajectory trajectory_;
  averages averages_;
  results results_;
  apps::progress progress_;
};

}  // namespace

void run(upsweep::mpi::communicator const& comm, options const& chosen) {
  early_end const end(chosen.max_hours);
  if (comm.rank() == 0) apps::note_missing_fma("upsweep-nbody");
  std::optional<checkpoint_reader> checkpoint;
  if (!chosen.restart.empty()) checkpoint.emplace(comm, chosen.restart);
  auto o = upsweep::mpi::all_or_none(
      comm, [&] { return checkpoint ? resumed_options(chosen, checkpoint->header()) : chosen; });
  if (auto const mistake = ranks_grid_mistake(o, comm.size()); !mistake.empty()) throw upsweep::input_error(mistake);
  read_pair_coefficients(comm, o);
  bool const has_frames = checkpoint && checkpoint->header().trajectory;
  prepare_outputs(comm, o, has_frames ? &*checkpoint->header().trajectory : nullptr);
  space_type const space;
  phase_clock clock(space);
  run_start start;
  {
    apps::progress shown(comm.rank() == 0 && !o.no_progress);
    if (o.lattice.empty()) shown.enter("read");
    clock.time(phase::start, [&] { start = read_or_make_start(comm, space, o, checkpoint ? &*checkpoint : nullptr); });
  }
  checkpoint.reset();
  simulation s(comm, o, space, clock, end, start);
  start = {};
  auto const& found = s.run();
  if (o.report.empty()) return;
  upsweep::mpi::all_or_none(comm, [&] {
    if (comm.rank() != 0) return;
    auto const text = to_json(found, o, comm, s.grid());
    if (o.report_is_standard_output()) apps::print(text);
    else upsweep::replace_file(o.report, text);
  });
}

}  // namespace nbody
