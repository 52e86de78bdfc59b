// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "environment_variable.hpp"
#include "testing.hpp"

#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/detail/messages/nccl_library.hpp>

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace testing_mpi {

/// Replaces NCCL: messages of memory of the host by MPI, on a communicator of its own. Like NCCL, it works in the
/// background, so a state has to be asked for several times. `what` is the fault of a rank.
class mpi_nccl final : public upsweep::mpi::detail::nccl_library {
 public:
  enum class fault {
    none,
    make_id,
    join,   ///< returns an error
    lost,   ///< never gets ready
    begin,  ///< as the others below, in a group to come
    send,
    receive,
    end,
    launch,   ///< an error that is found out after the call
    arrival,  ///< the same, once messages are in flight
    mute,     ///< sends nothing, and waits for ever
    stuck     ///< a call does not come back before let_go()
  };
  static constexpr int error = 5;

  mpi_nccl() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  /// Collective. Takes messages away whose receives ended before they came.
  ~mpi_nccl() override {
    let_go();
    MPI_Barrier(comm_);
    for (int found = 1; found != 0;) {
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &found, &status);
      if (!found) break;
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      std::vector<std::byte> left(static_cast<std::size_t>(bytes));
      MPI_Recv(left.data(), bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm_, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm_);
  }

  int gpu = -1;              ///< this rank's; else each has one of its own
  fault what = fault::none;  ///< of this rank
  int groups_before = 0;     ///< good groups before the bad one
  std::atomic<int> links = 0;
  int closed = 0, aborted = 0, groups = 0;

  /// Where `stuck` was met: lets the call come back, and waits for the end of its link, which is the thread's.
  void let_go() {
    if (!is_stuck_) return;
    goes_on_ = true;
    while (links > 0) std::this_thread::yield();
    is_stuck_ = goes_on_ = false;
  }

  bool due(fault which) const { return what == which && groups > groups_before; }

  std::string name() const override { return "NCCL by MPI"; }
  upsweep::mpi::detail::device_kind kind() const noexcept override { return upsweep::mpi::detail::device_kind::cuda; }
  int find_gpu(int, upsweep::mpi::detail::gpu_uuid& id) noexcept override {
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    id = {};
    id[0] = static_cast<std::byte>(gpu < 0 ? rank : gpu);
    return 0;
  }
  int make_id(upsweep::mpi::detail::nccl_id& id) noexcept override {
    id[0] = std::byte{42};
    return what == fault::make_id ? error : 0;
  }
  std::unique_ptr<upsweep::mpi::detail::nccl_link> make_link(int, int ranks) override {
    return std::make_unique<link>(*this, ranks);
  }
  std::string text(int code) const override { return "injected error " + std::to_string(code); }

 private:
  class link final : public upsweep::mpi::detail::nccl_link {
   public:
    link(mpi_nccl& owner, int ranks)
        : owner_(owner), tag_(owner.made_++), first_bytes_(static_cast<std::size_t>(ranks) + 1) {
      ++owner_.links;
    }
    ~link() override { --owner_.links; }

    void enter_thread() noexcept override {}
    std::byte* first_bytes() noexcept override { return first_bytes_.data(); }
    int join(upsweep::mpi::detail::nccl_id const& id, int, int) noexcept override {
      if (owner_.what == fault::join || id[0] != std::byte{42}) return error;
      questions_ = 3;
      return upsweep::mpi::detail::nccl_in_progress;
    }
    /// Memory of the host has no stream.
    int follow(void*) noexcept override { return error; }
    int begin() noexcept override {
      ++owner_.groups;
      return owner_.due(fault::begin) ? error : 0;
    }
    int send(std::byte const* from, std::size_t bytes, int peer) noexcept override {
      if (owner_.due(fault::send)) return error;
      if (owner_.due(fault::mute)) return 0;
      sends_.emplace_back();
      PMPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, peer, tag_, owner_.comm_, &sends_.back());
      return 0;
    }
    int receive(std::byte* to, std::size_t bytes, int peer) noexcept override {
      if (owner_.due(fault::receive)) return error;
      receives_.emplace_back();
      PMPI_Irecv(to, static_cast<int>(bytes), MPI_BYTE, peer, tag_, owner_.comm_, &receives_.back());
      return 0;
    }
    int end() noexcept override {
      questions_ = 3;
      if (owner_.due(fault::stuck)) {
        owner_.is_stuck_ = true;
        while (!owner_.goes_on_) std::this_thread::yield();
      }
      return owner_.due(fault::end) ? error : upsweep::mpi::detail::nccl_in_progress;
    }
    int state() noexcept override {
      if (owner_.what == fault::lost || questions_-- > 0) return upsweep::mpi::detail::nccl_in_progress;
      return owner_.due(fault::launch) || (waiting_ && owner_.due(fault::arrival)) ? error : 0;
    }
    int mark(int marker) noexcept override {
      markers_[static_cast<std::size_t>(marker)] = {sends_.size(), receives_.size()};
      return 0;
    }
    int messages_state(int marker) noexcept override {
      waiting_ = true;
      if (owner_.due(fault::mute) || owner_.due(fault::arrival)) return upsweep::mpi::detail::nccl_in_progress;
      auto const [sends, receives] = markers_[static_cast<std::size_t>(marker)];
      for (auto* const requests : {&sends_, &receives_}) {
        int done = 0;
        PMPI_Testall(static_cast<int>(requests == &sends_ ? sends : receives), requests->data(), &done,
                     MPI_STATUSES_IGNORE);
        if (!done) return upsweep::mpi::detail::nccl_in_progress;
      }
      waiting_ = false;
      return 0;
    }
    int close() noexcept override {
      ++owner_.closed;
      return 0;
    }
    /// Nothing writes to memory of messages in flight any more.
    void abort() noexcept override {
      ++owner_.aborted;
      for (auto& request : receives_) {
        if (request == MPI_REQUEST_NULL) continue;
        PMPI_Cancel(&request);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      for (auto& request : sends_)
        if (request != MPI_REQUEST_NULL) PMPI_Request_free(&request);
    }

   private:
    mpi_nccl& owner_;
    int tag_;  ///< apart from messages of links that have failed
    std::vector<std::byte> first_bytes_;
    std::vector<MPI_Request> sends_, receives_;  // of all groups
    struct requests_before {
      std::size_t sends = 0, receives = 0;
    };
    std::array<requests_before, upsweep::mpi::detail::nccl_markers> markers_;
    int questions_ = 0;
    bool waiting_ = false;
  };

  MPI_Comm comm_ = MPI_COMM_NULL;
  int made_ = 0;
  std::atomic<bool> is_stuck_ = false, goes_on_ = false;
};

/// A communicator whose messages go by this NCCL, as the environment variables choose it. Collective.
inline upsweep::mpi::communicator by_nccl(upsweep::mpi::detail::nccl_library& library, char const* transport = "nccl",
                                          char const* seconds = "60") {
  namespace detail = upsweep::mpi::detail;
  environment_variable const by("UPSWEEP_TRANSPORT", transport), timeout("UPSWEEP_NCCL_TIMEOUT", seconds);
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep::mpi::detail::access::transfers(comm).library = &library;
  upsweep::mpi::detail::access::transfers(comm).known[memory_space::name()] =
      detail::find_transfer(comm, space_type(), detail::device_kind::cuda);
  return comm;
}

}  // namespace testing_mpi
