// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/detail/messages/peer_library.hpp>

#include "gpu_calls.hpp"

#if defined(UPSWEEP_GPU)

#include <upsweep/base/error.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "gpu_peers.hpp"

namespace upsweep::mpi::detail {

namespace {

constexpr auto gpu_success = UPSWEEP_GPU(Success);

/// Messages of both directions that travel with the launch. Those of exchanges with more are read in memory of the CPU.
constexpr std::uint32_t few = 32;

struct launch_arguments {
  peer_exchange work;
  peer_message messages[few];
};

constexpr int threads = 512;

/// For each direction. Two H200s (2026-11-29), us for 133,000 and for 10^7 rows of 32 bytes each way: 30.7 and 903 with
/// 64 teams and slots of 64 KiB; 30.1 and 982 with slots of 128 KiB; 30.7 and 913 with 96 teams, 32.1 and 927 with 128.
/// In an earlier run 31.3 and 904, with slots of 32 KiB 33.7 and 1202, with 32 teams 35.2 and 1300.
constexpr std::uint32_t teams = 64;

/// See peer_worker.
__global__ void __launch_bounds__(threads, 2) exchange_with_peers(UPSWEEP_GRID_CONSTANT launch_arguments const given) {
  __shared__ std::uint32_t agreed;
  __shared__ peer_message messages[few];
  std::uint32_t const count = given.work.sends.messages + given.work.receives.messages;
  for (std::uint32_t i = threadIdx.x; i < count && count <= few; i += blockDim.x) messages[i] = given.messages[i];
  __syncthreads();
  gpu_team const team(&agreed);
  peer_worker<gpu_team>{team, given.work, count <= few ? messages : given.work.messages}.run();
}

/// By one thread: the word of each other rank that says that this one has given up.
__global__ void store_ones(peer_word* word) { gpu_team::release_word(word, 1); }

class link final : public peer_link {
 public:
  link(int gpu, int rank, int ranks, peer_ring_shape const& shape)
      : gpu_(gpu), rank_(rank), bases_(static_cast<std::size_t>(ranks)) {
    current_gpu const use(gpu_);
    require(use.is_good(), "to be used");
    try {
      int least = 0, greatest = 0;
      require(
          UPSWEEP_GPU(DeviceGetStreamPriorityRange)(&least, &greatest) == gpu_success &&
              UPSWEEP_GPU(StreamCreateWithPriority)(&stream_, UPSWEEP_GPU(StreamNonBlocking), greatest) == gpu_success,
          "a stream");
      require(UPSWEEP_GPU(EventCreateWithFlags)(&followed_, UPSWEEP_GPU(EventDisableTiming)) == gpu_success,
              "an event");
      std::size_t const bytes = peer_window{nullptr, ranks, shape}.bytes();
      void* memory = nullptr;
      require_memory(allocate_shared(&memory, bytes), bytes);
      base(rank_) = static_cast<std::byte*>(memory);
      require_memory(UPSWEEP_GPU(Malloc)(&memory, sizeof(peer_counters)), sizeof(peer_counters));
      counters_ = static_cast<peer_counters*>(memory);
      require_memory(allocate_notes(&memory, sizeof(peer_notes)), sizeof(peer_notes));
      notes_ = new (memory) peer_notes{};
      require(UPSWEEP_GPU(MemsetAsync)(base(rank_), 0, bytes, stream_) == gpu_success &&
                  UPSWEEP_GPU(MemsetAsync)(counters_, 0, sizeof(peer_counters), stream_) == gpu_success &&
                  UPSWEEP_GPU(StreamSynchronize)(stream_) == gpu_success,
              "to write memory");
    } catch (...) {
      free_all();
      throw;
    }
  }
  ~link() override {
    if (forgotten_) return;
    current_gpu const use(gpu_);
    free_all();
  }

  int share(peer_handle& handle) noexcept override {
    current_gpu const use(gpu_);
    UPSWEEP_GPU(IpcMemHandle_t) made;
    static_assert(sizeof(made) == sizeof(peer_handle));
    auto const code = UPSWEEP_GPU(IpcGetMemHandle)(&made, base(rank_));
    std::memcpy(handle.data(), &made, sizeof(made));
    return code_of(code);
  }
  int open(int rank, peer_handle const& handle) noexcept override {
    current_gpu const use(gpu_);
    UPSWEEP_GPU(IpcMemHandle_t) given;
    std::memcpy(&given, handle.data(), sizeof(given));
    void* memory = nullptr;
    auto const code = UPSWEEP_GPU(IpcOpenMemHandle)(&memory, given, UPSWEEP_GPU(IpcMemLazyEnablePeerAccess));
    if (code == gpu_success) base(rank) = static_cast<std::byte*>(memory);
    return code_of(code);
  }
  std::byte* base(int rank) const noexcept override { return bases_[static_cast<std::size_t>(rank)]; }
  peer_counters* counters() const noexcept override { return counters_; }
  peer_notes* notes() const noexcept override { return notes_; }
  std::uint32_t most_teams() const noexcept override { return teams; }

  int follow(void* stream) noexcept override {
    current_gpu const use(gpu_);
    auto const code = UPSWEEP_GPU(EventRecord)(followed_, static_cast<UPSWEEP_GPU(Stream_t)>(stream));
    return code_of(code == gpu_success ? UPSWEEP_GPU(StreamWaitEvent)(stream_, followed_, 0) : code);
  }
  int start(peer_exchange const& exchange, std::optional<void*> into) noexcept override {
    current_gpu const use(gpu_);
    launch_arguments arguments;
    arguments.work = exchange;
    std::uint32_t const count = exchange.sends.messages + exchange.receives.messages;
    if (count <= few) std::copy_n(exchange.messages, count, arguments.messages);
    last_ = into ? static_cast<UPSWEEP_GPU(Stream_t)>(*into) : stream_;
    exchange_with_peers<<<exchange.sends.teams + exchange.receives.teams, threads, 0, last_>>>(arguments);
    return code_of(UPSWEEP_GPU(GetLastError)());
  }
  int state() noexcept override {
    current_gpu const use(gpu_);
    auto const code = UPSWEEP_GPU(StreamQuery)(last_);
    return code == UPSWEEP_GPU(ErrorNotReady) ? peer_success : code_of(code);
  }
  void leave(peer_word* const* words, int count, bool in_flight) noexcept override {
    current_gpu const use(gpu_);
    // The last stream may be a caller's, which is there as long as the exchange.
    if (in_flight) static_cast<void>(UPSWEEP_GPU(StreamSynchronize)(last_));
    for (int i = 0; i < count; ++i) store_ones<<<1, 1, 0, stream_>>>(words[i]);
    static_cast<void>(UPSWEEP_GPU(GetLastError)());
    static_cast<void>(UPSWEEP_GPU(StreamSynchronize)(stream_));
  }

  void close() noexcept override {
    current_gpu const use(gpu_);
    for (std::size_t r = 0; r < bases_.size(); ++r) {
      if (static_cast<int>(r) == rank_ || bases_[r] == nullptr) continue;
      static_cast<void>(UPSWEEP_GPU(IpcCloseMemHandle)(bases_[r]));
      bases_[r] = nullptr;
    }
  }
  void forget() noexcept override { forgotten_ = true; }

 private:
  static int code_of(UPSWEEP_GPU(Error_t) code) {
    // The error is reported here, so that no later call of the program meets it.
    if (code != gpu_success) static_cast<void>(UPSWEEP_GPU(GetLastError)());
    return static_cast<int>(code);
  }
  static void require(bool good, char const* what) {
    if (good) return;
    static_cast<void>(UPSWEEP_GPU(GetLastError)());
    throw error(error_kind::unknown, std::string("mpi::transport: the GPU refuses ") + what);
  }
  static void require_memory(UPSWEEP_GPU(Error_t) code, std::size_t bytes) {
    if (code == gpu_success) return;
    static_cast<void>(UPSWEEP_GPU(GetLastError)());
    throw out_of_memory_error("mpi::transport: the GPU has no memory for " + std::to_string(bytes) + " bytes (" +
                              UPSWEEP_GPU(GetErrorString)(code) + ")");
  }
  std::byte*& base(int rank) { return bases_[static_cast<std::size_t>(rank)]; }

  void free_all() noexcept {
    if (stream_ != nullptr) static_cast<void>(UPSWEEP_GPU(StreamSynchronize)(stream_));
    if (base(rank_) != nullptr) static_cast<void>(UPSWEEP_GPU(Free)(base(rank_)));
    if (counters_ != nullptr) static_cast<void>(UPSWEEP_GPU(Free)(counters_));
    if (notes_ != nullptr) free_notes(notes_);
    if (followed_ != nullptr) static_cast<void>(UPSWEEP_GPU(EventDestroy)(followed_));
    if (stream_ != nullptr) static_cast<void>(UPSWEEP_GPU(StreamDestroy)(stream_));
  }

  int gpu_, rank_;
  std::vector<std::byte*> bases_;  ///< by rank
  peer_counters* counters_ = nullptr;
  peer_notes* notes_ = nullptr;
  UPSWEEP_GPU(Stream_t) stream_ = nullptr, last_ = nullptr;  ///< this link's, and of the last exchange
  UPSWEEP_GPU(Event_t) followed_ = nullptr;
  bool forgotten_ = false;
};

class built_in final : public peer_library {
 public:
  device_kind kind() const noexcept override {
#if defined(KOKKOS_ENABLE_CUDA)
    return device_kind::cuda;
#else
    return device_kind::hip;
#endif
  }
  int find_gpu(int gpu, gpu_uuid& id) noexcept override { return find_gpu_uuid(gpu, id); }
  peer_ring_shape shape() const noexcept override { return {}; }
  std::unique_ptr<peer_link> make_link(int gpu, int rank, int ranks) override {
    return std::make_unique<link>(gpu, rank, ranks, shape());
  }
  std::string text(int code) const override {
    return UPSWEEP_GPU(GetErrorString)(static_cast<UPSWEEP_GPU(Error_t)>(code));
  }
};

}  // namespace

peer_library* built_in_peers() noexcept {
  static built_in library;
  return &library;
}

}  // namespace upsweep::mpi::detail

#else

namespace upsweep::mpi::detail {

peer_library* built_in_peers() noexcept { return nullptr; }

}  // namespace upsweep::mpi::detail

#endif
