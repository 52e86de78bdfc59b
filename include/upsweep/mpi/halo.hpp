// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/bricks/add_rows.hpp>
#include <upsweep/mpi/detail/bricks/ghost_images.hpp>
#include <upsweep/mpi/detail/bricks/halo_counts.hpp>
#include <upsweep/mpi/detail/bricks/halo_lists.hpp>
#include <upsweep/mpi/detail/bricks/halo_plan.hpp>
#include <upsweep/mpi/detail/bricks/open_range.hpp>
#include <upsweep/mpi/detail/bricks/positions.hpp>
#include <upsweep/mpi/detail/bricks/upright_places.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/detail/messages/transfer_buffers.hpp>
#include <upsweep/mpi/domain.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep::mpi {

/// The particles of other bricks, and the periodic images of this one's, within a radius of this rank's brick (ghosts):
/// `halo<Space, double> h; h.build(comm, space, parts, positions, cutoff + skin);`, Views grown to owned() + ghosts(),
/// then `h.exchange(space, view)` in every time step. A ghost j of image s is at x_j + s * L: it carries its
/// owner's coordinates unshifted, and images()(j) is s. What ghosts have collected goes back to their owners with
/// `h.reverse_add(space, view)`.
///
/// Bricks and the box may be thinner than the radius: ghosts then come from several bricks away, and as images several
/// box lengths away.
///
/// In a triclinic box a ghost of image s is at x_j + box.shift(s), and what is near a brick is decided by upright
/// coordinates: all particles between its faces, moved outwards by the radius. A brick that leans much has corners that
/// are farther away than that.
/// Pre: one execution-space instance for all calls.
/// Cost: exchange and reverse_add: one pack kernel, an MPI_Allreduce of 24 bytes, in which ranks agree that all can
/// send, and one message to each neighbouring rank; allocate nothing after the first call of a row size (build prepares
/// rows of three Reals). Images of a rank's own particles stay on the device, and make no messages.
/// Order: ghosts by (source rank, image, the owner's order); deterministic.
template <class ExecutionSpace, std::floating_point Real>
class halo {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using images_view = typename detail::ghost_images<ExecutionSpace>::view;

  /// Finds out which particles are ghosts where. Again after each migration.
  /// Pre: all ranks call it; positions, a View (n, 3), holds the owned particles, wrapped and migrated.
  /// Cost: two passes over positions, the second of which lists particles near the border, and two over these, each
  /// with a test for every brick and image of a brick in reach (26 of equal, thick bricks in a periodic box). One
  /// message of counts to each neighbour. Which bricks are in reach is found once for a domain and radius, with three
  /// comparisons for each rank, and kept. Memory is kept, too: 8 bytes per particle, 8 more for one near the border,
  /// and 16 for each ghost given; a build with no more particles and ghosts than before allocates nothing but names of
  /// kernels, provided nobody holds the images of the last one. A triclinic box: one more pass over positions, and
  /// three Reals per particle; where it has no borders, reductions over positions and two MPI_Allreduce more.
  /// Sync: collective; waits for the instance.
  /// Throws: on all ranks alike, and the halo is then as before its first build: precondition_error for a radius that
  /// is not positive or more than 509 lengths of a periodic box (of a triclinic one: heights), a radius or domain that
  /// differs between ranks, and naming a particle that is not in its rank's brick; out_of_memory_error;
  /// communication_error.
  template <detail::view_of_positions Positions>
  void build(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts,
             Positions const& positions, Real radius) {
    static constexpr char const* function = "mpi::halo::build";
    bool const unfinished = started_.has_value();
    started_.reset();
    if (unfinished) buffers_.abandon();
    // Until ranks have agreed that all is well, the halo is as if it had never been built.
    comm_.reset();
    owned_ = ghosts_ = 0;
    images_.clear();
    internal::fingerprint arguments;
    arguments.text(function).value(radius);
    detail::access::describe(parts, arguments);
    detail::transfer const* const how = detail::transfer_of(comm, space);
    bool const unbounded = detail::access::frame(parts).is_unbounded();
    detail::open_range range{};
    detail::all_or_none_checked(comm, arguments, function, "the radius and the domain", [&] {
      internal::require(!unfinished, function, "start_exchange was called before, and not finish_exchange");
      internal::require(radius > 0 && radius <= std::numeric_limits<Real>::max(), function,
                        [&] { return "radius = " + upsweep::internal::text_of(radius); });
      internal::require(parts.size() == comm.size(), function, [&] {
        return "the domain has " + std::to_string(parts.size()) + " bricks, the communicator " +
               std::to_string(comm.size()) + " ranks";
      });
      detail::require_images(parts.box(), radius, function);
      space.fence("upsweep::halo::build");  // what the last build left is written again
      require_own(space, parts, positions, comm.rank());
      if (unbounded)
        range =
            detail::find_open_range(space, detail::access::frame(parts), positions, function, &lists_.memory(space));
      else plan_and_list(space, parts, positions, radius, 0, comm.rank(), arguments);
    });
    if (unbounded) {
      // Now ranks know that they have the same box.
      detail::join_open_ranges(comm, range);
      auto const largest = static_cast<Real>(range.largest());
      all_or_none(comm, [&] { plan_and_list(space, parts, positions, radius, largest, comm.rank(), arguments); });
    }
    counts_.run(comm);

    std::size_t const owned = positions.extent(0);
    std::size_t const ghosts = counts_.starts().back();
    std::size_t const row_bytes = std::max(row_bytes_, 3 * sizeof(Real));
    all_or_none(comm, [&] {
      detail::messages_by_peer(plan_.sends, lists_.offsets(), sends_);
      detail::messages_by_peer(plan_.receives, counts_.starts(), receives_);
      images_.store(space, counts_.starts(), owned);
      reserve(space, lists_.size(), ghosts, row_bytes);
    });
    owned_ = owned;
    ghosts_ = ghosts;
    how_ = how;
    row_bytes_ = row_bytes;
    comm_ = comm;
  }

  std::size_t owned() const { return owned_; }
  std::size_t ghosts() const { return ghosts_; }
  /// Ghosts that this rank provides for others and itself, for statistics.
  std::size_t sent() const { return comm_.has_value() ? lists_.size() : 0; }
  /// The particles that are not within the radius of a border across which there are others, ascending: their
  /// neighbours are all owned. For choose_rows(); valid until the next build or call.
  /// Pre: positions of the last build, which succeeded. Cost: a pass over positions. Sync: waits for the instance.
  /// Local. Throws: precondition_error (no build, another number of positions), out_of_memory_error.
  template <detail::view_of_positions Positions>
  Kokkos::View<std::size_t const*, memory_space> interior_rows(ExecutionSpace const& space,
                                                               Positions const& positions) {
    internal::require(comm_.has_value() && positions.extent(0) == owned_, "mpi::halo::interior_rows",
                      "called without a build with these positions");
    if (in_upright_places_) return lists_.interior(space, places_.places(), plan_.inner);
    return lists_.interior(space, positions, plan_.inner);
  }
  /// The other ones, ascending; valid until the next build.
  Kokkos::View<std::size_t const*, memory_space> border_rows() const {
    internal::require(comm_.has_value(), "mpi::halo::border_rows", "called before build");
    return lists_.border();
  }

  /// The image of each of owned() + ghosts() particles, (0, 0, 0) for those owned: what neighbor_options.images takes.
  images_view const& images() const { return images_.images(); }

  /// Copies rows from the owners: fills rows owned() ... owned() + ghosts() - 1 of a View of rank 1 or 2 from rows
  /// 0 ... owned() - 1 of the owners' Views.
  /// Pre: all ranks call it, after a build that succeeded, with the same type and number of columns; enough rows.
  /// Sync: collective; what is sent waits for the instance, the CPU perhaps not (GPUs); the last copies may be in
  /// flight on it afterwards.
  /// Throws: on all ranks alike, and the halo can be used again: precondition_error (no build, or the last one failed;
  /// a View that is too short; ranks that disagree on type or columns), out_of_memory_error at the first call of a row
  /// size; rows of ghosts are then undefined. communication_error.
  template <detail::view_of_rows View>
  void exchange(ExecutionSpace const& space, View const& view) {
    start(space, view, "mpi::halo::exchange", true);
    finish(space, view);
  }

  /// exchange() in two steps: messages travel while the instance works on what needs no ghosts, such as the rows of
  /// interior_rows(). `halo.start_exchange(space, x); ...; halo.finish_exchange(space, x);`
  ///
  /// In between, rows of ghosts are undefined, and no row of `view` is written. MPI may go on only while a rank is
  /// inside of MPI. A halo that is destroyed in between waits for the messages.
  /// Pre, Sync, Throws: as exchange, for each of the two. Also precondition_error, on all ranks alike, for another call
  /// that sends between them, of which build() ends the exchange; and on each rank that calls it, for finish_exchange
  /// without start_exchange of this View. Views without memory, which a rank without rows may give, differ by type and
  /// columns only.
  template <detail::view_of_rows View>
  void start_exchange(ExecutionSpace const& space, View const& view) {
    start(space, view, "mpi::halo::start_exchange", false);
    started_ = started_exchange::of(view);
  }
  template <detail::view_of_rows View>
  void finish_exchange(ExecutionSpace const& space, View const& view) {
    internal::require(started_ == started_exchange::of(view), "mpi::halo::finish_exchange",
                      "called without start_exchange of this View");
    started_.reset();
    finish(space, view);
  }

  /// The way back: adds rows owned() ... owned() + ghosts() - 1 of a View of rank 1 or 2 to the rows of their owners,
  /// on whichever rank they are: where every ghost's row is 1, the row of an owned particle becomes the number of its
  /// ghosts, plus what it was. Rows of ghosts stay as they are.
  ///
  /// Elements are integers of 32 or 64 bits, signed or not. Their sums are exact in any order, modulo 2^32 or 2^64, so
  /// the result depends neither on timing nor on how the box is cut. Sums of floating-point numbers would: round these
  /// to multiples of a spacing, and add the multiples.
  /// Pre: as exchange.
  /// Cost: as exchange, with an atomic addition for each element of a ghost.
  /// Sync: collective; what is sent waits for the instance, the CPU perhaps not (GPUs); additions may be in flight on
  /// it afterwards.
  /// Throws: as exchange; nothing has been added then.
  template <detail::view_of_rows View>
  void reverse_add(ExecutionSpace const& space, View const& view) {
    static constexpr char const* function = "mpi::halo::reverse_add";
    using T = typename View::value_type;
    static_assert(std::is_integral_v<T> && !std::is_const_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "upsweep::mpi::halo::reverse_add: elements are integers of 32 or 64 bits, whose sums do not depend "
                  "on their order.");
    std::size_t const bytes = detail::row_bytes(view);
    prepare_rows(view, function, [&] {
      reserve_both_ways(space, bytes);
      detail::pack(space, view, detail::rows_from{owned_, ghosts_}, buffers_.send(), "upsweep::halo::pack_ghosts");
      buffers_.prepare(*comm_, space, how_, receives_, sends_, bytes, buffers_.receive());
    });
    row_bytes_ = std::max(row_bytes_, bytes);
    buffers_.run(*comm_, space, buffers_.receive());
    detail::add_rows(space, buffers_.receive(), sent_rows(), view);
  }

 private:
  using rows_view = Kokkos::View<std::size_t*, memory_space>;

  /// The View of an exchange that is not finished. One without memory has no address.
  struct started_exchange {
    void const* data;
    std::uint64_t rows;  ///< what a row is: a fingerprint

    template <class View>
    static started_exchange of(View const& view) {
      internal::fingerprint type_and_columns;
      detail::add_view(type_and_columns, view);
      return {view.data(), type_and_columns.get()};
    }
    friend bool operator==(started_exchange const&, started_exchange const&) = default;
  };

  template <class View>
  void start(ExecutionSpace const& space, View const& view, char const* function, bool alone) {
    std::size_t const bytes = detail::row_bytes(view);
    std::byte* target = nullptr;
    prepare_rows(view, function, [&] {
      reserve(space, sent(), ghosts_, bytes);
      detail::pack(space, view, sent_rows(), buffers_.send(), "upsweep::halo::pack");
      target = target_of(view);
      buffers_.prepare(*comm_, space, how_, sends_, receives_, bytes, target);
    });
    row_bytes_ = std::max(row_bytes_, bytes);
    buffers_.start(*comm_, space, target, alone);
  }
  template <class View>
  void finish(ExecutionSpace const& space, View const& view) {
    buffers_.finish(*comm_);
    if (!detail::rows_are_packed(view))
      detail::unpack(space, buffers_.receive(), view, owned_, ghosts_, "upsweep::halo::unpack");
  }
  /// Where rows of ghosts arrive.
  template <class View>
  std::byte* target_of(View const& view) const {
    return detail::rows_are_packed(view) ? reinterpret_cast<std::byte*>(view.data()) + owned_ * detail::row_bytes(view)
                                         : buffers_.receive();
  }

  /// Which bricks this one meets. Kept while the domain, the radius, the range of open directions and the rank are the
  /// same.
  void set_plan(ExecutionSpace const& space, domain<Real> const& parts, Real radius, Real open_range, int rank,
                std::uint64_t key) {
    if (planned_ && planned_key_ == key && planned_rank_ == rank) return;
    planned_ = false;
    auto const reach = detail::find_reach(detail::access::frame(parts), radius, open_range);
    plan_ = detail::make_halo_plan(parts, rank, reach, "mpi::halo::build");
    lists_.set_links(space, plan_.regions);
    counts_.set_links(rank, plan_.sends, plan_.receives);
    images_.set_links(space, plan_.receives);
    planned_key_ = key;
    planned_rank_ = rank;
    planned_ = true;
  }

  /// Throws where a particle is not wrapped or not this rank's.
  template <class Positions>
  void require_own(ExecutionSpace const& space, domain<Real> const& parts, Positions const& positions, int rank) {
    std::size_t const n = positions.extent(0);
    internal::require(positions.extent(1) == 3, "mpi::halo::build",
                      [&] { return "positions has " + std::to_string(positions.extent(1)) + " columns"; });
    auto const first = [&](auto const& is_bad) {
      return detail::first_bad_row(space, n, is_bad, "halo", &lists_.memory(space));
    };
    auto const bad = parts.box().is_orthogonal()
                         ? first(detail::is_outside<Positions, Real>{positions, parts.brick(rank)})
                         : first(detail::is_elsewhere<Positions, Real>{positions, parts, rank});
    if (bad < n)
      throw precondition_error("mpi::halo::build: " + detail::describe_position(space, positions, bad) +
                               " (index on this rank) is not in this rank's brick; migrate first");
  }

  template <class Positions>
  void plan_and_list(ExecutionSpace const& space, domain<Real> const& parts, Positions const& positions, Real radius,
                     Real open_range, int rank, internal::fingerprint arguments) {
    set_plan(space, parts, radius, open_range, rank, arguments.value(open_range).get());
    in_upright_places_ = parts.box().is_triclinic();
    if (in_upright_places_) {
      places_.store(space, detail::access::frame(parts), positions);
      lists_.list(space, places_.places(), plan_.inner);
    } else {
      lists_.list(space, positions, plan_.inner);
    }
    counts_.set(lists_.offsets());
  }

  /// The particles that go to others, or to this rank as images, by link.
  rows_view sent_rows() const { return Kokkos::subview(lists_.rows(), Kokkos::make_pair(std::size_t(0), sent())); }

  /// Ranks agree that all have a View that is good and have done the local work.
  template <class View, class Work>
  void prepare_rows(View const& view, char const* function, Work const& work) const {
    if (!comm_.has_value())
      throw precondition_error(std::string(function) + ": called before build, or after a build that failed");
    internal::fingerprint arguments;
    arguments.text(function);
    detail::add_view(arguments, view);
    // The memory that is there already suffices for most calls; whether it does is each rank's own matter.
    detail::all_or_none_checked(*comm_, arguments, function, "the type and the columns of the View", [&] {
      internal::require(!started_, function, "start_exchange was called before, and not finish_exchange");
      internal::require(view.extent(0) >= owned_ + ghosts_, function, [&] {
        return view.label() + " has " + std::to_string(view.extent(0)) + " rows; " + std::to_string(owned_) +
               " owned and " + std::to_string(ghosts_) + " ghosts need " + std::to_string(owned_ + ghosts_);
      });
      work();
    });
  }

  void reserve(ExecutionSpace const& space, std::size_t sent, std::size_t ghosts, std::size_t bytes) {
    auto const all = [&](std::size_t& room, std::size_t n) {
      std::size_t const needed = internal::checked_multiply(n, bytes, "mpi::halo", "bytes of ghosts");
      // Numbers of ghosts change a little from build to build.
      if (needed > room) room = needed + needed / 8;
      return room;
    };
    std::size_t const out = all(send_room_, sent), in = all(receive_room_, ghosts);
    buffers_.reserve(space, out, in);
  }
  /// For ghosts that go and rows of owners that come.
  void reserve_both_ways(ExecutionSpace const& space, std::size_t bytes) {
    std::size_t const most = std::max(sent(), ghosts_);
    reserve(space, most, most, bytes);
  }

  std::optional<communicator> comm_;  // none: not built
  detail::transfer const* how_ = nullptr;
  bool planned_ = false;
  std::uint64_t planned_key_ = 0;  // of domain and radius
  int planned_rank_ = 0;
  detail::halo_plan<Real> plan_;
  detail::halo_lists<ExecutionSpace, Real> lists_;
  bool in_upright_places_ = false;  // whether lists are of places_, and not of positions
  detail::upright_places<ExecutionSpace, Real> places_;
  detail::halo_counts counts_;
  detail::ghost_images<ExecutionSpace> images_;
  std::vector<detail::message> sends_, receives_;  // in rows
  std::size_t owned_ = 0, ghosts_ = 0;
  std::optional<started_exchange> started_;       // none: nothing is in flight
  std::size_t row_bytes_ = 0;                     // the largest row exchanged so far; build reserves for it
  std::size_t send_room_ = 0, receive_room_ = 0;  // bytes of the buffers
  detail::transfer_buffers<ExecutionSpace> buffers_;
};

}  // namespace upsweep::mpi
