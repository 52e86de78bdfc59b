// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/halo_plan.hpp>
#include <upsweep/mpi/detail/positions.hpp>
#include <upsweep/mpi/detail/transfer_buffers.hpp>
#include <upsweep/mpi/domain.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::mpi {

/// The particles of other bricks, and the periodic images of this one's, within a radius of this rank's brick (ghosts):
/// `halo<Space, double> h; h.build(comm, space, parts, positions, cutoff + skin);`, Views grown to owned() + ghosts(),
/// then `h.exchange(space, view)` in every time step. A ghost j of image s stands at x_j + s * L: it carries its
/// owner's coordinates unshifted, and images()(j) is s.
/// Pre: one execution-space instance for all calls.
/// Cost: exchange: one pack kernel and one message to each neighbouring rank; allocates nothing after the first call of
/// a row size (build prepares rows of three Reals).
/// Order: ghosts by (source rank, image, the owner's order); deterministic.
template <class ExecutionSpace, std::floating_point Real>
class halo {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using images_view = Kokkos::View<upsweep::image*, memory_space>;

  /// Finds out which particles are ghosts where. Again after each migration; buffers are kept.
  /// Pre: all ranks call it; positions, a View (n, 3), holds the owned particles, wrapped and migrated.
  /// Cost: two passes over positions; 27 brick tests a rank on the host; one message of counts to each neighbour.
  /// Sync: collective; waits for the instance.
  /// Throws: on all ranks alike: precondition_error for a radius that is not positive or differs between ranks, for
  /// bricks thinner than it, and naming a particle that is not in its rank's brick; out_of_memory_error;
  /// communication_error.
  template <detail::view_of_positions Positions>
  void build(communicator const& comm, ExecutionSpace const& space, domain<Real> const& parts,
             Positions const& positions, Real radius) {
    static constexpr char const* function = "mpi::halo::build";
    detail::require_same(comm, detail::fingerprint().value(radius), function, "the radius");
    require(radius > 0 && radius <= std::numeric_limits<Real>::max(), function, "radius = " + std::to_string(radius));
    require(parts.size() == comm.size(), function,
            "the domain has " + std::to_string(parts.size()) + " bricks, the communicator " +
                std::to_string(comm.size()) + " ranks");
    require_thick_bricks(parts, radius, function);
    comm_ = comm;
    direct_ = detail::transfer_of(comm, space).direct;
    auto const plan = detail::make_halo_plan(parts, comm.rank(), radius);
    auto listed = all_or_none(comm, [&] { return list_ghosts(comm, space, parts, positions, plan); });

    auto const starts = exchange_link_counts(plan, listed.offsets);
    all_or_none(comm, [&] {
      sends_ = by_peer(plan.sends, listed.offsets);
      receives_ = by_peer(plan.receives, starts);
      rows_ = listed.rows;
      owned_ = positions.extent(0);
      ghosts_ = starts.back();
      std::vector<upsweep::image> images(owned_, upsweep::image(0, 0, 0));
      for (std::size_t l = 0; l < plan.receives.size(); ++l)
        images.resize(owned_ + starts[l + 1], plan.receives[l].image);
      images_ = detail::to_device(space, images, "halo", "images");
      reserve(space, std::max(row_bytes_, 3 * sizeof(Real)));
    });
  }

  std::size_t owned() const { return owned_; }
  std::size_t ghosts() const { return ghosts_; }
  /// Ghosts that this rank provides for others and itself, for statistics.
  std::size_t sent() const { return rows_.extent(0); }
  /// The image of each of owned() + ghosts() particles, (0, 0, 0) for those owned: what neighbor_options.images takes.
  images_view const& images() const { return images_; }

  /// Copies rows from the owners: fills rows owned() ... owned() + ghosts() - 1 of a View of rank 1 or 2 from rows
  /// 0 ... owned() - 1 of the owners' Views.
  /// Pre: after build, which this call is as collective as; the same View type on all ranks; enough rows.
  /// Sync: waits for the instance before sending; the last copies may be in flight on it afterwards.
  /// Throws: precondition_error, on this rank alone, for a View that is too short; communication_error; on all ranks
  /// out_of_memory_error at the first call of a row size.
  template <detail::view_of_rows View>
  void exchange(ExecutionSpace const& space, View const& view) {
    require(comm_.has_value(), "mpi::halo::exchange", "called before build");
    require(view.extent(0) >= owned_ + ghosts_, "mpi::halo::exchange",
            view.label() + " has " + std::to_string(view.extent(0)) + " rows; " + std::to_string(owned_) +
                " owned and " + std::to_string(ghosts_) + " ghosts need " + std::to_string(owned_ + ghosts_));
    std::size_t const bytes = detail::row_bytes(view);
    // Every rank has the same row size, so either all reserve, and agree, or none does.
    if (bytes > row_bytes_) all_or_none(*comm_, [&] { reserve(space, bytes); });
    detail::pack(space, view, rows_, buffers_.send(), "upsweep::halo::pack");
    auto const sends = in_bytes(sends_, bytes);
    auto const receives = in_bytes(receives_, bytes);
    if (detail::rows_are_packed(view)) {
      buffers_.run(*comm_, space, sends, receives, reinterpret_cast<std::byte*>(view.data()) + owned_ * bytes);
    } else {
      buffers_.run(*comm_, space, sends, receives, buffers_.receive());
      detail::unpack(space, buffers_.receive(), view, owned_, ghosts_, "upsweep::halo::unpack");
    }
  }

 private:
  using rows_view = Kokkos::View<std::size_t*, memory_space>;

  template <class Positions>
  static detail::bucketed_rows<ExecutionSpace> list_ghosts(communicator const& comm, ExecutionSpace const& space,
                                                           domain<Real> const& parts, Positions const& positions,
                                                           detail::halo_plan<Real> const& plan) {
    std::size_t const n = positions.extent(0);
    require(positions.extent(1) == 3, "mpi::halo::build",
            "positions has " + std::to_string(positions.extent(1)) + " columns");
    auto const bad = detail::first_bad_row(
        space, n, detail::is_outside<Positions, Real>{positions, parts.brick(comm.rank())}, "upsweep::halo::check");
    if (bad < n)
      throw precondition_error("mpi::halo::build: " + detail::describe_position(space, positions, bad) +
                               " (index on this rank) is not in this rank's brick; migrate first");
    auto const regions = detail::to_device(space, plan.regions, "halo", "regions");
    int const links = static_cast<int>(plan.regions.size());
    using links_of = detail::links_of_particle<Positions, std::remove_cvref_t<decltype(regions)>, Real>;
    return detail::bucket_rows(space, n, links, links_of{positions, regions, links, plan.inner}, "halo");
  }

  /// Where the ghosts of each receiving link begin, from what the senders counted.
  std::vector<std::size_t> exchange_link_counts(detail::halo_plan<Real> const& plan,
                                                std::vector<std::size_t> const& sent) const {
    std::vector<std::uint64_t> give(plan.sends.size()), take(plan.receives.size());
    for (std::size_t l = 0; l < give.size(); ++l) give[l] = sent[l + 1] - sent[l];
    auto const consecutive = [](std::size_t n) {
      std::vector<std::size_t> offsets(n + 1);
      for (std::size_t i = 0; i <= n; ++i) offsets[i] = i;
      return offsets;
    };
    auto const sends = in_bytes(by_peer(plan.sends, consecutive(give.size())), sizeof(std::uint64_t));
    auto const receives = in_bytes(by_peer(plan.receives, consecutive(take.size())), sizeof(std::uint64_t));
    detail::exchange_bytes(*comm_, sends, reinterpret_cast<std::byte const*>(give.data()), receives,
                           reinterpret_cast<std::byte*>(take.data()));
    // A rank meets itself over the same links in both lists.
    auto const is_own = [&](detail::halo_link const& l) { return l.peer == comm_->rank(); };
    auto const from = std::find_if(plan.sends.begin(), plan.sends.end(), is_own) - plan.sends.begin();
    auto const to = std::find_if(plan.receives.begin(), plan.receives.end(), is_own) - plan.receives.begin();
    auto const own = std::count_if(plan.sends.begin(), plan.sends.end(), is_own);
    std::copy_n(give.begin() + from, own, take.begin() + to);
    return detail::offsets_of(take);
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
  static std::vector<detail::message> in_bytes(std::vector<detail::message> messages, std::size_t row_bytes) {
    for (auto& m : messages) {
      m.first *= row_bytes;
      m.bytes *= row_bytes;
    }
    return messages;
  }

  void reserve(ExecutionSpace const& space, std::size_t bytes) {
    auto const all = [&](std::size_t n) { return checked_multiply(n, bytes, "mpi::halo", "bytes of ghosts"); };
    buffers_.reserve(space, direct_, all(sent()), all(ghosts_), all(ghosts_));
    row_bytes_ = bytes;
  }

  std::optional<communicator> comm_;
  bool direct_ = true;
  std::vector<detail::message> sends_, receives_;  // sizes in rows
  rows_view rows_;
  images_view images_;
  std::size_t owned_ = 0, ghosts_ = 0, row_bytes_ = 0;
  detail::transfer_buffers<ExecutionSpace> buffers_;
};

}  // namespace upsweep::mpi
