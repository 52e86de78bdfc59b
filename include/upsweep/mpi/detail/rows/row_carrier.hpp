// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/transport.hpp>
#include <upsweep/mpi/detail/rows/announce_rows.hpp>
#include <upsweep/mpi/detail/rows/kept_rows.hpp>
#include <upsweep/mpi/detail/rows/leaving_rows.hpp>
#include <upsweep/mpi/detail/rows/row_records.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// What moves rows between ranks for redistribution and migration. Rows that leave are packed as records, one message a
/// rank; rows that stay do not leave the device. Nothing that a caller sees is written before all has arrived: rows go
/// to memory that nobody holds, and the Views then show that. All memory is kept. For one instance.
template <class ExecutionSpace>
class row_carrier {
 public:
  enum class memory { with_headroom, exact };
  explicit row_carrier(memory wanted) : exact_(wanted == memory::exact) {}

  /// Local work of this rank comes first: list(rows) calls rows.find(), which lists the rows that leave, and may throw.
  /// Then one MPI_Alltoall; where a rank might have to take memory, an agreement; one message to each partner. A rank
  /// that no row leaves or reaches keeps its Views.
  /// Sync: collective; the last kernels may be in flight afterwards.
  /// Throws: on all ranks alike, also when `arguments` differ (`what` says which); nothing has changed then.
  template <class List, class... Views>
  void move(communicator const& comm, ExecutionSpace const& space, internal::fingerprint const& arguments,
            char const* function, char const* what, List const& list, Views&... views) {
    how_ = transfer_of(comm, space);
    announced_rows announced;
    std::int64_t room = 0;
    auto prepare = [&] {
      list(rows_);
      prepare_to_send(comm, space, views...);
      room = room_for_arrivals(views...);
    };
    run_and_agree(prepare, [&](failure const& local) {
      announced = announce_rows(comm, local, arguments, rows_.offsets(), room, arriving_, function, what);
    });
    if (!announced.any) return;
    if (!announced.room_everywhere) all_or_none(comm, [&] { reserve(space, announced.most, views...); });
    else choose_buffers(space, views...);
    send_and_receive(comm, space);
    if (!changes()) return;
    place(comm, space, views...);
    // What show() frees, kernels may still read.
    if (((views.use_count() == 1) || ...)) fence_without_memory(space, "upsweep::redistribute");
    show(views...);
  }

 private:
  using memory_space = typename ExecutionSpace::memory_space;
  using device_bytes = Kokkos::View<std::byte*, memory_space>;

  std::size_t arrived() const { return arriving_.back(); }
  bool changes() const { return rows_.leaving() + arrived() > 0; }

  /// The memory kept for View number `which`.
  template <class View>
  kept_rows<std::remove_const_t<View>>& kept(std::size_t which) const {
    return static_cast<kept_rows<std::remove_const_t<View>>&>(*kept_[which]);
  }

  /// Calls f(kept rows, view, its number) for every View.
  template <class F, class... Views>
  void for_each_view(F const& f, Views&... views) const {
    [[maybe_unused]] std::size_t which = 0;
    ((f(kept<Views>(which), views, which), ++which), ...);
  }

  template <class... Views>
  void prepare_to_send(communicator const& comm, ExecutionSpace const& space, Views const&... views) {
    auto const ranks = static_cast<std::size_t>(comm.size());
    arriving_.resize(ranks + 1);
    sends_.reserve(ranks);
    receives_.reserve(ranks);
    // The Views of a call may be others than those of the last one.
    kept_.resize(sizeof...(Views));
    [[maybe_unused]] std::size_t which = 0;
    (make_kept<Views>(which++), ...);
    layout_.set(views...);
    std::size_t const leaving = rows_.leaving();
    grow_records(space, send_, leaving, "send");
    if (!exact_) rows_.keep_headroom(space);
    for_each_view(
        [&](auto const&, auto const& view, std::size_t at) {
          pack_records(space, view, rows_.entries(), leaving, send_.data() + layout_.field(at), layout_.bytes());
        },
        views...);
    transport_.reserve(space, how_, ranks, send_.extent(0), receive_.extent(0));
  }

  template <class View>
  void make_kept(std::size_t which) {
    if (dynamic_cast<kept_rows<View>*>(kept_[which].get()) == nullptr)
      kept_[which] = std::make_unique<kept_rows<View>>();
  }

  void grow_records(ExecutionSpace const& space, device_bytes& buffer, std::size_t records, char const* name) const {
    if (layout_.bytes() > 0) grow_with_headroom(space, buffer, records, name, layout_.bytes());
  }

  /// How many rows may arrive without taking memory; negative where there is no room even for those that stay.
  template <class... Views>
  std::int64_t room_for_arrivals(Views const&... views) const {
    auto rows = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
    for_each_view([&](auto const& k, auto const& view, std::size_t) { rows = std::min(rows, k.capacity(view)); },
                  views...);
    if (rows == 0) return -1;
    auto const room = static_cast<std::int64_t>(rows) - static_cast<std::int64_t>(rows_.staying());
    if (layout_.bytes() == 0) return room;
    return std::min(room, static_cast<std::int64_t>(receive_.extent(0) / layout_.bytes()));
  }

  template <class... Views>
  void reserve(ExecutionSpace const& space, std::size_t most, Views const&... views) {
    // For all that may arrive, within reason, so that the next calls need not ask.
    std::size_t const spare = exact_ ? 0 : std::min(most, rows_now() / 8);
    grow_records(space, receive_, std::max(arrived(), spare), "receive");
    transport_.reserve(space, how_, sends_.capacity(), send_.extent(0), receive_.extent(0));
    choose_buffers(space, views...);
  }

  /// Takes no memory where there is room.
  template <class... Views>
  void choose_buffers(ExecutionSpace const& space, Views const&... views) {
    if (!changes()) return;
    for_each_view([&](auto& k, auto const& view, std::size_t) { k.reserve(space, view, rows_now(), exact_); },
                  views...);
  }

  std::size_t rows_now() const { return rows_.staying() + arrived(); }

  /// Sends and receives records. Allocates nothing.
  void send_and_receive(communicator const& comm, ExecutionSpace const& space) {
    list_messages(rows_.offsets(), sends_);
    list_messages(arriving_, receives_);
    transport_.prepare(comm, space, how_, sends_, receives_, layout_.bytes());
    transport_.run(comm, space, send_.data(), receive_.data());
  }

  template <class... Views>
  void place(communicator const& comm, ExecutionSpace const& space, Views const&... views) const {
    // Between rows from lower and from higher ranks are those of this one.
    std::size_t const before = arriving_[static_cast<std::size_t>(comm.rank())];
    for_each_view(
        [&](auto const& k, auto const& view, std::size_t which) {
          using view_type = std::remove_cvref_t<decltype(view)>;
          copy_to_place<view_type> const copy{
              view,   k.buffer(),     rows_.staying_rows(), receive_.data() + layout_.field(which), layout_.bytes(),
              before, rows_.staying()};
          place_rows(space, copy, rows_now());
        },
        views...);
  }

  template <class... Views>
  void show(Views&... views) const {
    for_each_view([&](auto const& k, auto& view, std::size_t) { view = k.first_rows(rows_now()); }, views...);
  }

  bool exact_ = false;
  transfer const* how_ = nullptr;
  leaving_rows<ExecutionSpace> rows_;
  record_layout layout_;
  std::vector<std::unique_ptr<any_kept_rows>> kept_;
  std::vector<std::size_t> arriving_;
  std::vector<message> sends_, receives_;  // in rows
  device_bytes send_, receive_;
  transport<ExecutionSpace> transport_;
};

}  // namespace upsweep::mpi::detail
