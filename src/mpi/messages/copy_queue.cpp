// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/messages/copy_queue.hpp>

#include <cstring>
#include <string>
#include <vector>

#include "gpu_calls.hpp"

namespace upsweep::mpi::detail {

bool host_copies::copy(std::byte* to, std::byte const* from, std::size_t bytes, std::size_t) noexcept {
  std::memcpy(to, from, bytes);
  return true;
}

#if defined(UPSWEEP_GPU)

namespace {

constexpr auto success = UPSWEEP_GPU(Success);

void require_device(bool good, char const* what) {
  if (!good) throw error(error_kind::unknown, std::string("mpi::transport: the GPU refuses ") + what);
}

class stream_copies final : public copy_queue {
 public:
  explicit stream_copies(int gpu) : gpu_(gpu) {
    current_gpu const use(gpu_);
    require_device(
        use.is_good() && UPSWEEP_GPU(StreamCreateWithFlags)(&stream_, UPSWEEP_GPU(StreamNonBlocking)) == success,
        "a stream");
  }
  ~stream_copies() override {
    // Copies in flight use memory that is freed behind this.
    static_cast<void>(UPSWEEP_GPU(StreamSynchronize)(stream_));
    for (auto const event : events_) static_cast<void>(UPSWEEP_GPU(EventDestroy)(event));
    static_cast<void>(UPSWEEP_GPU(StreamDestroy)(stream_));
  }

  void reserve(std::size_t markers) override {
    if (events_.size() >= markers) return;
    current_gpu const use(gpu_);
    events_.reserve(markers);
    while (events_.size() < markers) {
      UPSWEEP_GPU(Event_t) event = nullptr;
      require_device(UPSWEEP_GPU(EventCreateWithFlags)(&event, UPSWEEP_GPU(EventDisableTiming)) == success, "an event");
      events_.push_back(event);
    }
  }
  bool copy(std::byte* to, std::byte const* from, std::size_t bytes, std::size_t marker) noexcept override {
    return UPSWEEP_GPU(MemcpyAsync)(to, from, bytes, UPSWEEP_GPU(MemcpyDefault), stream_) == success &&
           UPSWEEP_GPU(EventRecord)(events_[marker], stream_) == success;
  }
  progress at(std::size_t marker) noexcept override {
    auto const code = UPSWEEP_GPU(EventQuery)(events_[marker]);
    if (code == success) return progress::passed;
    return code == UPSWEEP_GPU(ErrorNotReady) ? progress::pending : progress::failed;
  }

 private:
  int gpu_;
  UPSWEEP_GPU(Stream_t) stream_ = nullptr;
  std::vector<UPSWEEP_GPU(Event_t)> events_;
};

}  // namespace

std::unique_ptr<copy_queue> make_stream_copies(int gpu) { return std::make_unique<stream_copies>(gpu); }

#endif

}  // namespace upsweep::mpi::detail
