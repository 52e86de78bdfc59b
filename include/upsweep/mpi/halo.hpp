// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/require.hpp>
#include <upsweep/base/internal/text_of.hpp>
#include <upsweep/mpi/detail/halo_plan.hpp>
#include <upsweep/mpi/detail/positions.hpp>
#include <upsweep/mpi/detail/row_route.hpp>
#include <upsweep/mpi/detail/transfer_buffers.hpp>
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
/// owner's coordinates unshifted, and images()(j) is s.
/// Pre: one execution-space instance for all calls.
/// Cost: exchange: one pack kernel, an MPI_Allreduce of 24 bytes, in which ranks agree that all can send, and one
/// message to each neighbouring rank; allocates nothing on the device after the first call of a row size (build
/// prepares rows of three Reals).
/// Order: ghosts by (source rank, image, the owner's order); deterministic.
template <class ExecutionSpace, std::floating_point Real>
class halo {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using images_view = Kokkos::View<upsweep::image*, memory_space>;

  /// Finds out which particles are ghosts where. Again after each migration; buffers are kept.
  /// Pre: all ranks call it; positions, a View (n, 3), holds the owned particles, wrapped and migrated.
  /// Cost: two passes over positions, the second of which lists particles near the border, and one over these, on GPUs
  /// two; 27 brick tests a rank on the host; one message of counts to each neighbour. 8 bytes per particle meanwhile,
  /// on CPUs 56 more for one near the border.
  /// Sync: collective; waits for the instance.
  /// Throws: on all ranks alike, and the halo is then as before its first build: precondition_error for a radius that
  /// is not positive, a radius or domain that differs between ranks, bricks thinner than the radius, and naming a
  /// particle that is not in its rank's brick; out_of_memory_error; communication_error.
  template <detail::view_of_positions Positions>
  void build(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts,
             Positions const& positions, Real radius) {
    static constexpr char const* function = "mpi::halo::build";
    // Until ranks have agreed that all is well, the halo is as if it had never been built.
    comm_.reset();
    owned_ = ghosts_ = 0;
    rows_ = {};
    images_ = {};
    internal::fingerprint arguments;
    arguments.text(function).value(radius);
    parts.describe(arguments);
    detail::agree_on(comm, error_kind::none, {}, arguments, function, "the radius and the domain");
    // These are the same on all ranks, so they need no agreement; nothing is allocated unless they throw.
    if (!(radius > 0 && radius <= std::numeric_limits<Real>::max()))
      throw precondition_error(std::string(function) + ": radius = " + upsweep::internal::text_of(radius));
    if (parts.size() != comm.size())
      throw precondition_error(std::string(function) + ": the domain has " + std::to_string(parts.size()) +
                               " bricks, the communicator " + std::to_string(comm.size()) + " ranks");
    require_thick_bricks(parts, radius, function);
    bool const direct = detail::transfers_directly(comm, space);
    detail::halo_plan<Real> plan;
    detail::listed_rows<ExecutionSpace> listed;
    link_counts counts;
    all_or_none(comm, [&] {
      plan = detail::make_halo_plan(parts, comm.rank(), radius);
      listed = list_ghosts(comm, space, parts, positions, plan);
      counts = prepare_link_counts(comm, plan, listed.offsets);
    });
    exchange_link_counts(comm, plan, counts);

    std::size_t const owned = positions.extent(0);
    std::size_t const ghosts = counts.starts.back();
    std::size_t const row_bytes = std::max(row_bytes_, 3 * sizeof(Real));
    images_view images;
    all_or_none(comm, [&] {
      sends_ = by_peer(plan.sends, listed.offsets);
      receives_ = by_peer(plan.receives, counts.starts);
      images = images_of(space, plan, counts.starts, owned);
      reserve(space, direct, listed.size(), ghosts, row_bytes);
    });
    rows_ = std::move(listed.rows);
    images_ = std::move(images);
    owned_ = owned;
    ghosts_ = ghosts;
    direct_ = direct;
    row_bytes_ = row_bytes;
    comm_ = comm;
  }

  std::size_t owned() const { return owned_; }
  std::size_t ghosts() const { return ghosts_; }
  /// Ghosts that this rank provides for others and itself, for statistics.
  std::size_t sent() const { return rows_.extent(0); }
  /// The image of each of owned() + ghosts() particles, (0, 0, 0) for those owned: what neighbor_options.images takes.
  images_view const& images() const { return images_; }

  /// Copies rows from the owners: fills rows owned() ... owned() + ghosts() - 1 of a View of rank 1 or 2 from rows
  /// 0 ... owned() - 1 of the owners' Views.
  /// Pre: all ranks call it, after a build that succeeded, with the same type and number of columns; enough rows.
  /// Sync: collective; waits for the instance before sending; the last copies may be in flight on it afterwards.
  /// Throws: on all ranks alike, and the halo can be used again: precondition_error (no build, or the last one failed;
  /// a View that is too short; ranks that disagree on type or columns), out_of_memory_error at the first call of a row
  /// size; rows of ghosts are then undefined. communication_error.
  template <detail::view_of_rows View>
  void exchange(ExecutionSpace const& space, View const& view) {
    static constexpr char const* function = "mpi::halo::exchange";
    if (!comm_.has_value())
      throw precondition_error(std::string(function) + ": called before build, or after a build that failed");
    internal::fingerprint arguments;
    arguments.text(function);
    detail::add_view(arguments, view);
    std::size_t const bytes = detail::row_bytes(view);
    std::byte* target = nullptr;
    // The memory that is there already suffices for most calls; whether it does is each rank's own matter.
    detail::all_or_none_checked(*comm_, arguments, function, "the type and the columns of the View", [&] {
      require_rows(view, function);
      reserve(space, direct_, sent(), ghosts_, bytes);
      detail::pack(space, view, rows_, buffers_.send(), "upsweep::halo::pack");
      target = detail::rows_are_packed(view) ? reinterpret_cast<std::byte*>(view.data()) + owned_ * bytes
                                             : buffers_.receive();
      buffers_.prepare(*comm_, space, sends_, receives_, bytes, target);
    });
    row_bytes_ = std::max(row_bytes_, bytes);
    buffers_.run(*comm_, space, target);
    if (!detail::rows_are_packed(view))
      detail::unpack(space, buffers_.receive(), view, owned_, ghosts_, "upsweep::halo::unpack");
  }

 private:
  using rows_view = Kokkos::View<std::size_t*, memory_space>;

  template <class Positions>
  static detail::listed_rows<ExecutionSpace> list_ghosts(communicator const& comm, ExecutionSpace const& space,
                                                         domain<Real> const& parts, Positions const& positions,
                                                         detail::halo_plan<Real> const& plan) {
    std::size_t const n = positions.extent(0);
    internal::require(positions.extent(1) == 3, "mpi::halo::build",
                      "positions has " + std::to_string(positions.extent(1)) + " columns");
    auto const bad = detail::first_bad_row(
        space, n, detail::is_outside<Positions, Real>{positions, parts.brick(comm.rank())}, "halo");
    if (bad < n)
      throw precondition_error("mpi::halo::build: " + detail::describe_position(space, positions, bad) +
                               " (index on this rank) is not in this rank's brick; migrate first");
    return detail::list_by_link(space, positions, plan);
  }

  /// Ghosts of each link: how many this rank gives and takes, and where each receiving link begins.
  struct link_counts {
    std::vector<std::uint64_t> give, take;
    std::vector<std::size_t> starts;
    detail::exchange exchange;
  };

  static link_counts prepare_link_counts(communicator const& comm, detail::halo_plan<Real> const& plan,
                                         std::vector<std::size_t> const& sent) {
    link_counts counts;
    counts.give.resize(plan.sends.size());
    counts.take.resize(plan.receives.size());
    counts.starts.resize(plan.receives.size() + 1);
    for (std::size_t l = 0; l < counts.give.size(); ++l) counts.give[l] = sent[l + 1] - sent[l];
    auto const consecutive = [](std::size_t n) {
      std::vector<std::size_t> offsets(n + 1);
      for (std::size_t i = 0; i <= n; ++i) offsets[i] = i;
      return offsets;
    };
    counts.exchange.prepare(comm.rank(), by_peer(plan.sends, consecutive(counts.give.size())),
                            by_peer(plan.receives, consecutive(counts.take.size())), sizeof(std::uint64_t));
    return counts;
  }

  /// Fills `take` and `starts` from what the senders counted. Allocates nothing.
  static void exchange_link_counts(communicator const& comm, detail::halo_plan<Real> const& plan, link_counts& counts) {
    counts.exchange.run(comm, reinterpret_cast<std::byte const*>(counts.give.data()),
                        reinterpret_cast<std::byte*>(counts.take.data()));
    // A rank meets itself over the same links in both lists.
    auto const is_own = [&](detail::halo_link const& l) { return l.peer == comm.rank(); };
    auto const from = std::find_if(plan.sends.begin(), plan.sends.end(), is_own) - plan.sends.begin();
    auto const to = std::find_if(plan.receives.begin(), plan.receives.end(), is_own) - plan.receives.begin();
    auto const own = std::count_if(plan.sends.begin(), plan.sends.end(), is_own);
    std::copy_n(counts.give.begin() + from, own, counts.take.begin() + to);
    detail::sum_counts(counts.take, counts.starts);
  }

  static images_view images_of(ExecutionSpace const& space, detail::halo_plan<Real> const& plan,
                               std::vector<std::size_t> const& starts, std::size_t owned) {
    std::vector<upsweep::image> images(owned, upsweep::image(0, 0, 0));
    for (std::size_t l = 0; l < plan.receives.size(); ++l) images.resize(owned + starts[l + 1], plan.receives[l].image);
    return detail::to_device(space, images, "halo", "images");
  }

  /// One message a peer, in rows: links are in order of peers.
  static std::vector<detail::message> by_peer(std::vector<detail::halo_link> const& links,
                                              std::vector<std::size_t> const& offsets) {
    std::vector<detail::message> result;
    for (std::size_t l = 0; l < links.size(); ++l) {
      if (result.empty() || result.back().peer != links[l].peer) result.push_back({links[l].peer, offsets[l], 0});
      result.back().bytes += offsets[l + 1] - offsets[l];
    }
    return result;
  }

  template <class View>
  void require_rows(View const& view, char const* function) const {
    internal::require(view.extent(0) >= owned_ + ghosts_, function,
                      view.label() + " has " + std::to_string(view.extent(0)) + " rows; " + std::to_string(owned_) +
                          " owned and " + std::to_string(ghosts_) + " ghosts need " + std::to_string(owned_ + ghosts_));
  }

  void reserve(ExecutionSpace const& space, bool direct, std::size_t sent, std::size_t ghosts, std::size_t bytes) {
    auto const all = [&](std::size_t n) {
      return internal::checked_multiply(n, bytes, "mpi::halo", "bytes of ghosts");
    };
    buffers_.reserve(space, direct, all(sent), all(ghosts), all(ghosts));
  }

  std::optional<communicator> comm_;  // none: not built
  bool direct_ = true;
  std::vector<detail::message> sends_, receives_;  // in rows
  rows_view rows_;
  images_view images_;
  std::size_t owned_ = 0, ghosts_ = 0;
  std::size_t row_bytes_ = 0;  // the largest row exchanged so far; build reserves for it
  detail::transfer_buffers<ExecutionSpace> buffers_;
};

}  // namespace upsweep::mpi
