// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/messages/nccl_library.hpp>

#include "gpu_calls.hpp"

#if defined(UPSWEEP_HAS_NCCL)

#if defined(KOKKOS_ENABLE_CUDA)
#include <nccl.h>
#else
#include <rccl/rccl.h>
#endif

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>

namespace upsweep::mpi::detail {

namespace {

constexpr auto gpu_success = UPSWEEP_GPU(Success);

static_assert(nccl_success == ncclSuccess && nccl_system_error == ncclSystemError &&
              nccl_in_progress == ncclInProgress);
static_assert(std::tuple_size_v<nccl_id> == sizeof(ncclUniqueId));

/// Errors of CUDA or HIP, apart from those of NCCL.
template <class Code>
int gpu_error(Code code) {
  return code == gpu_success ? nccl_success : -static_cast<int>(code);
}

/// Multicast of NVLink serves collective sums, which nothing here uses, and its set-up fails on some shared machines.
/// A user's own setting stays.
void leave_multicast_off() noexcept { setenv("NCCL_NVLS_ENABLE", "0", 0); }

class link final : public nccl_link {
 public:
  /// The stream comes before kernels of others: messages, for which another rank waits, are short work.
  link(int gpu, int ranks) : gpu_(gpu) {
    leave_multicast_off();
    current_gpu const use(gpu_);
    int least = 0, greatest = 0;
    if (!use.is_good() || UPSWEEP_GPU(DeviceGetStreamPriorityRange)(&least, &greatest) != gpu_success ||
        UPSWEEP_GPU(StreamCreateWithPriority)(&stream_, UPSWEEP_GPU(StreamNonBlocking), greatest) != gpu_success)
      throw error(error_kind::unknown, "mpi::transport: the GPU refuses a stream");
    for (auto* const event : events()) {
      if (UPSWEEP_GPU(EventCreateWithFlags)(event, UPSWEEP_GPU(EventDisableTiming)) == gpu_success) continue;
      free_all();
      throw error(error_kind::unknown, "mpi::transport: the GPU refuses an event");
    }
    void* memory = nullptr;
    std::size_t const bytes = static_cast<std::size_t>(ranks) + 1;
    if (UPSWEEP_GPU(Malloc)(&memory, bytes) != gpu_success) {
      free_all();
      throw out_of_memory_error("mpi::transport: the GPU has no memory for " + std::to_string(bytes) + " bytes");
    }
    first_bytes_ = static_cast<std::byte*>(memory);
  }
  ~link() override {
    if (comm_ != nullptr && closed_) static_cast<void>(ncclCommDestroy(comm_));
    free_all();
  }

  void enter_thread() noexcept override { static_cast<void>(UPSWEEP_GPU(SetDevice)(gpu_)); }
  std::byte* first_bytes() noexcept override { return first_bytes_; }

  int join(nccl_id const& id, int rank, int size) noexcept override {
    current_gpu const use(gpu_);
    if (!use.is_good()) return ncclUnhandledCudaError;
    ncclUniqueId given;
    std::memcpy(&given, id.data(), id.size());
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    return ncclCommInitRankConfig(&comm_, size, given, rank, &config);
  }
  int follow(void* stream) noexcept override {
    current_gpu const use(gpu_);
    if (!use.is_good()) return ncclUnhandledCudaError;
    auto const code = UPSWEEP_GPU(EventRecord)(followed_, static_cast<UPSWEEP_GPU(Stream_t)>(stream));
    return gpu_error(code == gpu_success ? UPSWEEP_GPU(StreamWaitEvent)(stream_, followed_, 0) : code);
  }
  int begin() noexcept override { return ncclGroupStart(); }
  int send(std::byte const* from, std::size_t bytes, int peer) noexcept override {
    return ncclSend(from, bytes, ncclChar, peer, comm_, stream_);
  }
  int receive(std::byte* to, std::size_t bytes, int peer) noexcept override {
    return ncclRecv(to, bytes, ncclChar, peer, comm_, stream_);
  }
  int end() noexcept override { return ncclGroupEnd(); }
  int state() noexcept override {
    ncclResult_t state = ncclSuccess;
    int const code = ncclCommGetAsyncError(comm_, &state);
    return code == nccl_success ? static_cast<int>(state) : code;
  }
  int mark(int marker) noexcept override {
    current_gpu const use(gpu_);
    if (!use.is_good()) return ncclUnhandledCudaError;
    return gpu_error(UPSWEEP_GPU(EventRecord)(markers_[static_cast<std::size_t>(marker)], stream_));
  }
  int messages_state(int marker) noexcept override {
    auto const code = UPSWEEP_GPU(EventQuery)(markers_[static_cast<std::size_t>(marker)]);
    return code == UPSWEEP_GPU(ErrorNotReady) ? nccl_in_progress : gpu_error(code);
  }
  int close() noexcept override {
    closed_ = true;
    return ncclCommFinalize(comm_);
  }
  void abort() noexcept override {
    if (comm_ != nullptr) static_cast<void>(ncclCommAbort(comm_));
    comm_ = nullptr;
  }

 private:
  std::array<UPSWEEP_GPU(Event_t) *, nccl_markers + 1> events() noexcept {
    std::array<UPSWEEP_GPU(Event_t)*, nccl_markers + 1> all{&followed_};
    for (std::size_t k = 0; k < markers_.size(); ++k) all[k + 1] = &markers_[k];
    return all;
  }
  void free_all() noexcept {
    if (first_bytes_ != nullptr) static_cast<void>(UPSWEEP_GPU(Free)(first_bytes_));
    for (auto const* const event : events())
      if (*event != nullptr) static_cast<void>(UPSWEEP_GPU(EventDestroy)(*event));
    static_cast<void>(UPSWEEP_GPU(StreamDestroy)(stream_));
  }

  int gpu_;
  ncclComm_t comm_ = nullptr;
  UPSWEEP_GPU(Stream_t) stream_ = nullptr;
  std::array<UPSWEEP_GPU(Event_t), nccl_markers> markers_{};
  UPSWEEP_GPU(Event_t) followed_ = nullptr;
  std::byte* first_bytes_ = nullptr;
  bool closed_ = false;
};

class built_in final : public nccl_library {
 public:
  std::string name() const override {
    int version = 0;
    static_cast<void>(ncclGetVersion(&version));
    std::string const numbers = std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
                                std::to_string(version % 100);
#if defined(KOKKOS_ENABLE_CUDA)
    return "NCCL " + numbers;
#else
    return "RCCL " + numbers;
#endif
  }
  device_kind kind() const noexcept override {
#if defined(KOKKOS_ENABLE_CUDA)
    return device_kind::cuda;
#else
    return device_kind::hip;
#endif
  }
  int find_gpu(int gpu, gpu_uuid& id) noexcept override { return -find_gpu_uuid(gpu, id); }
  int make_id(nccl_id& id) noexcept override {
    leave_multicast_off();
    ncclUniqueId made;
    int const code = ncclGetUniqueId(&made);
    std::memcpy(id.data(), &made, id.size());
    return code;
  }
  std::unique_ptr<nccl_link> make_link(int gpu, int ranks) override { return std::make_unique<link>(gpu, ranks); }
  std::string text(int code) const override {
    return code < 0 ? UPSWEEP_GPU(GetErrorString)(static_cast<UPSWEEP_GPU(Error_t)>(-code))
                    : ncclGetErrorString(static_cast<ncclResult_t>(code));
  }
};

}  // namespace

nccl_library* built_in_nccl() noexcept {
  static built_in library;
  return &library;
}

}  // namespace upsweep::mpi::detail

#else

namespace upsweep::mpi::detail {

nccl_library* built_in_nccl() noexcept { return nullptr; }

}  // namespace upsweep::mpi::detail

#endif
