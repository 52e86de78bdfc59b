// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "environment_variable.hpp"
#include "nodes.hpp"
#include "testing.hpp"

#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/detail/messages/peer_exchange.hpp>
#include <upsweep/mpi/detail/messages/peer_library.hpp>

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace testing_mpi {

/// A team of one thread of the CPU.
struct cpu_team {
  std::atomic<bool> const* holds_receives;  ///< while true, what has arrived is not taken
  bool wrong_bytes;

  using word = upsweep::mpi::detail::peer_word;
  std::uint32_t rank() const { return 0; }
  void barrier() const {}
  template <class F>
  std::uint32_t agree(F const& f) const {
    return f();
  }
  std::uint32_t acquire(word const* w) const { return at(const_cast<std::uint32_t*>(&w->value)).load(); }
  void release(word* w, std::uint32_t value) const { at(&w->value).store(value); }
  std::uint32_t next(std::uint32_t* counter) const { return at(counter).fetch_add(1); }
  std::uint32_t end(std::uint32_t* counter) const { return at(counter).fetch_add(1); }
  std::uint32_t failure(std::uint32_t* w) const { return at(w).load(); }
  std::uint32_t fail(std::uint32_t* w, std::uint32_t failure) const {
    std::uint32_t before = 0;
    return at(w).compare_exchange_strong(before, failure) ? failure : before;
  }
  std::uint32_t read(std::uint32_t const* w) const { return at(const_cast<std::uint32_t*>(w)).load(); }
  void report(upsweep::mpi::detail::peer_notes* notes, std::uint32_t exchange, std::uint32_t failure) const {
    if (failure != 0) at(&notes->failure).store(failure);
    at(&notes->done).store(exchange);
  }
  std::uint64_t nanoseconds() const {
    auto const now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
  }
  void pause(std::uint32_t) const { std::this_thread::yield(); }
  void store(std::byte* slot, std::byte const* memory, std::uint32_t bytes) const {
    std::memcpy(slot, memory, bytes);
    if (wrong_bytes) slot[bytes - 1] ^= std::byte{1};
  }
  void load(std::byte const* slot, std::byte* memory, std::uint32_t bytes) const {
    while (*holds_receives) std::this_thread::yield();
    std::memcpy(memory, slot, bytes);
  }

 private:
  static std::atomic_ref<std::uint32_t> at(std::uint32_t* word) { return std::atomic_ref<std::uint32_t>(*word); }
};

/// Replaces the memory of GPUs: windows in files that all ranks map, and teams of one thread, of which two run at a
/// time, however many an exchange has. The protocol is that of GPUs. `what` is the fault of a rank.
class shared_memory_peers final : public upsweep::mpi::detail::peer_library {
 public:
  enum class fault {
    none,
    make,    ///< there is no memory for a window
    share,   ///< there is no handle of it
    open,    ///< nor can that of another rank be opened
    launch,  ///< as the others below, in an exchange to come
    kernel,  ///< nothing is sent or received, and the stream has an error
    wrong_bytes
  };
  static constexpr int error = 7;

  /// The rings are small, so that messages fill them.
  explicit shared_memory_peers(upsweep::mpi::detail::peer_ring_shape shape = {.slots = 4, .slot_bytes = 64})
      : shape_(shape) {}

  int gpu = -1;              ///< this rank's; else each has one of its own
  std::uint32_t teams = 1;   ///< for each direction, at most
  fault what = fault::none;  ///< of this rank
  int exchanges_before = 0;  ///< good exchanges before the bad one
  int links = 0, exchanges = 0;
  bool follows = false;                    ///< as if there were streams
  int followed = 0;                        ///< streams so far for which a link's own one waits
  std::vector<std::optional<void*>> into;  ///< the streams of exchanges, where not the link's own
  std::atomic<bool> holds_receives = false;
  upsweep::mpi::detail::device_kind memory = upsweep::mpi::detail::device_kind::cuda;

  bool due(fault which) const { return what == which && exchanges > exchanges_before; }

  upsweep::mpi::detail::device_kind kind() const noexcept override { return memory; }
  int find_gpu(int, upsweep::mpi::detail::gpu_uuid& id) noexcept override {
    id = {};
    id[0] = static_cast<std::byte>(gpu < 0 ? world().rank() : gpu);
    return 0;
  }
  upsweep::mpi::detail::peer_ring_shape shape() const noexcept override { return shape_; }
  std::unique_ptr<upsweep::mpi::detail::peer_link> make_link(int, int rank, int ranks) override {
    if (what == fault::make) throw upsweep::out_of_memory_error("no memory for a window");
    return std::make_unique<link>(*this, rank, ranks);
  }
  std::string text(int code) const override { return "injected error " + std::to_string(code); }

 private:
  class link final : public upsweep::mpi::detail::peer_link {
   public:
    link(shared_memory_peers& owner, int rank, int ranks)
        : owner_(owner),
          bytes_(upsweep::mpi::detail::peer_window{nullptr, ranks, owner.shape_}.bytes()),
          bases_(static_cast<std::size_t>(ranks)),
          name_("/dev/shm/upsweep-" + std::to_string(getpid()) + "-" + std::to_string(owner.made_++)) {
      int const file = ::open(name_.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
      if (file < 0 || ftruncate(file, static_cast<off_t>(bytes_)) != 0) throw std::runtime_error("no file " + name_);
      std::byte* const mine = bases_[static_cast<std::size_t>(rank)] = map(file);
      upsweep::mpi::detail::peer_window const window{mine, ranks, owner.shape_};
      for (auto* w = window.arrived(0); w != window.left(); ++w) w->value = owner.shape_.first;
      ++owner_.links;
    }
    ~link() override {
      if (last_.joinable()) last_.join();
      for (auto* const base : bases_)
        if (base != nullptr) munmap(base, bytes_);
      unlink(name_.c_str());
      --owner_.links;
    }

    int share(upsweep::mpi::detail::peer_handle& handle) noexcept override {
      std::memcpy(handle.data(), name_.c_str(), name_.size() + 1);
      return owner_.what == fault::share ? error : 0;
    }
    int open(int rank, upsweep::mpi::detail::peer_handle const& handle) noexcept override {
      int const file = ::open(reinterpret_cast<char const*>(handle.data()), O_RDWR);
      if (owner_.what == fault::open || file < 0) return error;
      bases_[static_cast<std::size_t>(rank)] = map(file);
      return 0;
    }
    std::byte* base(int rank) const noexcept override { return bases_[static_cast<std::size_t>(rank)]; }
    upsweep::mpi::detail::peer_counters* counters() const noexcept override { return &counters_; }
    upsweep::mpi::detail::peer_notes* notes() const noexcept override { return &notes_; }
    std::uint32_t most_teams() const noexcept override { return owner_.teams; }

    /// Memory of the CPU has no stream.
    int follow(void*) noexcept override {
      ++owner_.followed;
      return owner_.follows ? 0 : error;
    }
    int start(upsweep::mpi::detail::peer_exchange const& exchange, std::optional<void*> stream) noexcept override {
      ++owner_.exchanges;
      owner_.into.push_back(stream);
      if (owner_.due(fault::launch)) return error;
      if (owner_.due(fault::kernel)) return 0;
      cpu_team const team{&owner_.holds_receives, owner_.due(fault::wrong_bytes)};
      last_ = std::thread([exchange, team, before = std::move(last_)]() mutable {
        if (before.joinable()) before.join();
        std::uint32_t const teams = exchange.sends.teams + exchange.receives.teams;
        std::atomic<std::uint32_t> begun = 0;
        auto const work = [&] {
          while (begun++ < teams) {
#if !defined(__NVCC__)  // which would compile the worker for GPUs, too
            upsweep::mpi::detail::peer_worker<cpu_team>{team, exchange, exchange.messages}.run();
#endif
          }
        };
        std::thread other;
        if (teams > 1) other = std::thread(work);
        work();
        if (other.joinable()) other.join();
      });
      return 0;
    }
    int state() noexcept override { return owner_.due(fault::kernel) ? error : 0; }
    void leave(upsweep::mpi::detail::peer_word* const* words, int count, bool) noexcept override {
      if (last_.joinable()) last_.join();
      for (int i = 0; i < count; ++i) cpu_team{}.release(words[i], 1);
    }
    void close() noexcept override {}
    void forget() noexcept override {}

   private:
    std::byte* map(int file) const {
      void* const at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      ::close(file);
      return static_cast<std::byte*>(at);
    }

    shared_memory_peers& owner_;
    std::size_t bytes_;
    std::vector<std::byte*> bases_;  ///< by rank
    std::string name_;               ///< of the file of this rank's window
    mutable upsweep::mpi::detail::peer_counters counters_{};
    mutable upsweep::mpi::detail::peer_notes notes_{};
    std::thread last_;  ///< of the last exchange; it waits for the one before
  };

  upsweep::mpi::detail::peer_ring_shape shape_;
  int made_ = 0;
};

/// A communicator whose messages go by this memory, as the environment variables choose it. Collective.
inline upsweep::mpi::communicator by_peers(upsweep::mpi::detail::peer_library& library, char const* transport = "peer",
                                           char const* seconds = "60") {
  namespace detail = upsweep::mpi::detail;
  nodes const one(nodes::said() == 0 ? 1 : nodes::said());
  environment_variable const by("UPSWEEP_TRANSPORT", transport), timeout("UPSWEEP_PEER_TIMEOUT", seconds);
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  detail::access::transfers(comm).peer_memory = &library;
  detail::access::transfers(comm).known[memory_space::name()] =
      detail::find_transfer(comm, space_type(), detail::device_kind::cuda);
  return comm;
}

}  // namespace testing_mpi
