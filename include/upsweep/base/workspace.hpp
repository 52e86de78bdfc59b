// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/allocate.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>

namespace upsweep {

/// What a kernel found wrong with its data; kept in a workspace until check().
enum class data_error : std::uint16_t { none = 0, negative_count = 1, offset_overflow = 2, bad_segment_offset = 3 };

/// One 64-bit word on the device that keeps the error with the smallest index, whatever order threads report in:
/// the complement of (index, code), under atomic_max, so that zeroed memory means "none". Codes have 16 bits.
struct error_word {
  std::uint64_t* word = nullptr;

  KOKKOS_FUNCTION void report(std::size_t index, std::uint16_t code) const {
    Kokkos::atomic_max(word, ~((static_cast<std::uint64_t>(index) << 16) | code));
  }
  KOKKOS_FUNCTION void report(std::size_t index, data_error kind) const {
    report(index, static_cast<std::uint16_t>(kind));
  }
  static std::uint16_t code(std::uint64_t value) { return value == 0 ? 0 : static_cast<std::uint16_t>(~value & 0xffff); }
  static std::size_t index(std::uint64_t value) { return static_cast<std::size_t>(~value >> 16); }
};

/// Turns the value of an error word into an exception naming function, index and reason; 0 does nothing.
inline void throw_data_error(std::uint64_t value, char const* function) {
  auto const at = std::to_string(error_word::index(value));
  switch (static_cast<data_error>(error_word::code(value))) {
    case data_error::none: return;
    case data_error::negative_count:
      throw precondition_error(std::string(function) + ": counts(" + at + ") is negative");
    case data_error::offset_overflow:
      throw overflow_error(std::string(function) + ": offsets(" + at +
                           ") does not fit in the value type of offsets (it and later ones hold the type's largest value)");
    case data_error::bad_segment_offset:
      throw precondition_error(std::string(function) + ": segment offset " + at +
                               " is wrong: the first is 0, none is less than the one before, the last is the number of elements");
  }
}

namespace detail {

/// Device memory behind a workspace, with the types of execution space and memory space erased.
class workspace_memory {
 public:
  virtual ~workspace_memory() = default;
  virtual std::byte* data() const = 0;
  virtual std::size_t size() const = 0;
  virtual void grow(std::size_t bytes) = 0;
  virtual bool belongs_to(std::type_info const& type, void const* space) const = 0;
};

template <class ExecutionSpace>
class workspace_memory_of final : public workspace_memory {
  using memory_space = typename ExecutionSpace::memory_space;

 public:
  explicit workspace_memory_of(ExecutionSpace const& space) : space_(space) {}
  std::byte* data() const override { return memory_.data(); }
  std::size_t size() const override { return memory_.extent(0); }
  void grow(std::size_t bytes) override {
    // Work in flight may still read the old memory.
    if (memory_.extent(0) != 0) space_.fence("upsweep::workspace::grow");
    memory_ = {};
    memory_ = allocate<std::byte, memory_space>(space_, bytes, "workspace", "memory");
    Kokkos::deep_copy(space_, memory_, std::byte{0});
  }
  bool belongs_to(std::type_info const& type, void const* space) const override {
    return type == typeid(ExecutionSpace) && compat::same_instance(space_, *static_cast<ExecutionSpace const*>(space));
  }

 private:
  ExecutionSpace space_;
  Kokkos::View<std::byte*, memory_space> memory_;
};

}  // namespace detail

/// Temporary device memory that calls share, so that after the first call of its kind they neither allocate nor fence:
/// `workspace ws(space); exclusive_scan(space, in, out, plus<>{}, {.workspace = &ws});`
/// Pre: used with the instance it was made for, by one host thread at a time.
/// Sync: growing waits for the instance; check() does.
/// Throws: precondition_error when used with another instance; out_of_memory_error naming the bytes asked for.
class workspace {
 public:
  template <class ExecutionSpace>
  explicit workspace(ExecutionSpace const& space)
      : memory_(std::make_unique<detail::workspace_memory_of<ExecutionSpace>>(space)),
        protocol_(std::make_unique<detail::workspace_memory_of<ExecutionSpace>>(space)) {}

  /// Bytes in front of what reserve() returns: error word and result slot.
  static constexpr std::size_t header_bytes = 256;

  /// Bytes held on the device.
  std::size_t size_bytes() const { return memory_->size() + protocol_->size(); }

  /// The word in which kernels of the current call report errors in their data; to be taken after reserve().
  template <class ExecutionSpace>
  error_word errors(ExecutionSpace const& space) {
    reserve(space, 0);
    return {reinterpret_cast<std::uint64_t*>(memory_->data())};
  }

  /// A place for one result of the current call, up to result_bytes long; to be taken after reserve().
  template <class ExecutionSpace>
  std::byte* result_slot(ExecutionSpace const& space) {
    reserve(space, 0);
    return memory_->data() + header_bytes - result_bytes;
  }
  static constexpr std::size_t result_bytes = 192;

  /// At least `bytes` of device memory, aligned to 256 bytes; what it held is undefined. Valid until the next call.
  template <class ExecutionSpace>
  std::byte* reserve(ExecutionSpace const& space, std::size_t bytes) {
    require_same_instance(space);
    if (memory_->size() < header_bytes + bytes) {
      // An error not yet checked must survive growth.
      std::uint64_t const pending = memory_->size() == 0 ? 0 : read_errors(space);
      memory_->grow(header_bytes + bytes);
      if (pending != 0) write_errors(space, pending);
    }
    return memory_->data() + header_bytes;
  }

  /// At least `bytes` of memory that keeps its content from call to call: zeroed when made or grown, then written only by the
  /// protocol of the single-pass scans, which leaves it ready for the next call.
  template <class ExecutionSpace>
  std::byte* reserve_protocol(ExecutionSpace const& space, std::size_t bytes) {
    require_same_instance(space);
    if (protocol_->size() < bytes) protocol_->grow(bytes);
    return protocol_->data();
  }
  /// Bytes of that memory.
  std::size_t protocol_bytes() const { return protocol_->size(); }

  /// Waits for the instance and throws what the data of earlier calls did wrong (kind and first bad index), once.
  /// Throws: precondition_error for a negative count, overflow_error for an offset that did not fit.
  template <class ExecutionSpace>
  void check(ExecutionSpace const& space, char const* function = "exclusive_scan_with_total") {
    throw_data_error(take_error(space), function);
  }

  /// Waits for the instance; returns the value of the error word (0: none) and clears it.
  template <class ExecutionSpace>
  std::uint64_t take_error(ExecutionSpace const& space) {
    reserve(space, 0);
    std::uint64_t const found = read_errors(space);
    if (found != 0) write_errors(space, 0);
    return found;
  }

  /// What every use of it checks. Throws: precondition_error.
  template <class ExecutionSpace>
  void require_same_instance(ExecutionSpace const& space) const {
    require(memory_->belongs_to(typeid(ExecutionSpace), &space), "workspace",
            "it was made for another execution-space instance than the one given; make one workspace per instance");
  }

 private:
  template <class ExecutionSpace>
  auto error_view() const {
    return Kokkos::View<std::uint64_t, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>(
        reinterpret_cast<std::uint64_t*>(memory_->data()));
  }
  template <class ExecutionSpace>
  std::uint64_t read_errors(ExecutionSpace const& space) const {
    std::uint64_t value = 0;
    Kokkos::deep_copy(space, Kokkos::View<std::uint64_t, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&value),
                      error_view<ExecutionSpace>());
    space.fence("upsweep::workspace::check");
    return value;
  }
  template <class ExecutionSpace>
  void write_errors(ExecutionSpace const& space, std::uint64_t value) const {
    Kokkos::deep_copy(space, error_view<ExecutionSpace>(), value);
  }

  std::unique_ptr<detail::workspace_memory> memory_;
  std::unique_ptr<detail::workspace_memory> protocol_;
};

/// The memory of one call: taken from the caller's workspace, or allocated here and freed at the end of the call, which
/// then has to wait for the instance first.
template <class ExecutionSpace>
class temporary_memory {
 public:
  temporary_memory(ExecutionSpace const& space, workspace* shared) : space_(space), shared_(shared) {
    if (shared_ == nullptr) owned_ = std::make_unique<workspace>(space);
  }
  temporary_memory(temporary_memory const&) = delete;
  temporary_memory& operator=(temporary_memory const&) = delete;
  ~temporary_memory() {
    if (owned_ && owned_->size_bytes() != 0) space_.fence("upsweep::temporary_memory::release");
  }

  bool owned() const { return owned_ != nullptr; }
  workspace& get() { return owned_ ? *owned_ : *shared_; }

 private:
  ExecutionSpace space_;
  workspace* shared_;
  std::unique_ptr<workspace> owned_;
};

/// Lays several arrays out in one block of memory: `byte_layout l; auto a = l.add<int>(n); ...; l.bytes()`.
class byte_layout {
 public:
  /// Offset in bytes of the next array of n elements of T, aligned to 256 bytes.
  template <class T>
  std::size_t add(std::size_t n) {
    std::size_t const at = bytes_;
    std::size_t const size = checked_multiply(n, sizeof(T), "byte_layout", "bytes");
    bytes_ += divide_up<std::size_t>(size, 256) * 256;
    return at;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace upsweep
