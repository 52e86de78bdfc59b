// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/allocate.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

namespace upsweep {

/// What a kernel found wrong with its data.
enum class data_error : std::uint16_t {
  none = 0,
  negative_count = 1,
  offset_overflow = 2,
  bad_segment_offset = 3,
  bad_row_offset = 4
};

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
inline void throw_data_error(std::uint64_t value, std::string const& function) {
  auto const at = std::to_string(error_word::index(value));
  switch (static_cast<data_error>(error_word::code(value))) {
    case data_error::none: return;
    case data_error::negative_count:
      throw precondition_error(function + ": counts(" + at + ") is negative");
    case data_error::offset_overflow:
      throw overflow_error(function + ": offsets(" + at +
                           ") does not fit in the value type of offsets (it and later ones hold the type's largest value)");
    case data_error::bad_segment_offset:
      throw precondition_error(function + ": segment offset " + at +
                               " is wrong: the first is 0, none is less than the one before, the last is the number of elements");
    case data_error::bad_row_offset:
      throw precondition_error(
          function + ": offsets(" + at +
          ") is wrong: the first is 0, none is less than the one before, the last is the extent of rows");
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
  virtual void clear() = 0;
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
    clear();
  }
  void clear() override { Kokkos::deep_copy(space_, memory_, std::byte{0}); }
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
///
/// Errors in data that an asynchronous call finds stay here until check(), in a word of that function's own. A call
/// that waits throws what it finds itself, and leaves the errors of others alone. After a call that ended with an
/// exception, because a functor threw, the workspace may be used again.
/// Pre: used with the instance it was made for, by one host thread at a time.
/// Sync: growing waits for the instance; check() does.
/// Throws: precondition_error when used with another instance; out_of_memory_error naming the bytes asked for.
class workspace {
 public:
  template <class ExecutionSpace>
  explicit workspace(ExecutionSpace const& space)
      : memory_(std::make_unique<detail::workspace_memory_of<ExecutionSpace>>(space)),
        protocol_(std::make_unique<detail::workspace_memory_of<ExecutionSpace>>(space)) {}

  /// What reserve() aligns to. Kokkos aligns memory of CPUs to 64 bytes only.
  static constexpr std::size_t alignment = 256;
  /// Bytes beside those that reserve() is asked for: error words, result slot, and what alignment may cost.
  static constexpr std::size_t header_bytes = 512;

  /// Bytes held on the device.
  std::size_t size_bytes() const { return memory_->size() + protocol_->size(); }

  /// The word for errors of the current call, which waits and takes them with take_error(); to be taken after
  /// reserve().
  template <class ExecutionSpace>
  error_word errors(ExecutionSpace const& space) {
    reserve(space, 0);
    // A call that ended between errors() and take_error() may have left something.
    if (std::exchange(is_reporting_, true)) write_error(space, 0);
    return {error_words()};
  }

  /// The word in which an asynchronous call of `function` leaves errors until check(); to be taken after reserve().
  /// Throws: precondition_error, when the workspace has served more functions than it has words.
  template <class ExecutionSpace>
  error_word errors(ExecutionSpace const& space, std::string_view function) {
    reserve(space, 0);
    std::size_t k = 0;
    while (k < functions_.size() && functions_[k] != function) ++k;
    if (k == functions_.size()) {
      require(k + 1 < error_word_count, "workspace",
              "it keeps the errors of " + std::to_string(k) + " functions and has no word for those of " +
                  std::string(function));
      functions_.emplace_back(function);
    }
    return {error_words() + k + 1};
  }

  /// A place for one result of the current call, up to result_bytes long; to be taken after reserve().
  template <class ExecutionSpace>
  std::byte* result_slot(ExecutionSpace const& space) {
    reserve(space, 0);
    return memory_->data() + error_word_count * sizeof(std::uint64_t);
  }
  static constexpr std::size_t result_bytes = 192;

  /// At least `bytes` of device memory, aligned to 256 bytes; what it held is undefined. Valid until the next call.
  template <class ExecutionSpace>
  std::byte* reserve(ExecutionSpace const& space, std::size_t bytes) {
    require_same_instance(space);
    if (memory_->size() < header_bytes + bytes) {
      // Errors not yet checked must survive growth, also growth that fails: the old memory is gone then.
      if (memory_->size() != 0) pending_ = read_errors(space);
      memory_->grow(header_bytes + bytes);
      for (std::size_t k = 0; k < error_word_count; ++k)
        if (pending_[k] != 0) write_error(space, k, std::exchange(pending_[k], 0));
    }
    auto const used = reinterpret_cast<std::uintptr_t>(memory_->data()) + front_bytes;
    return memory_->data() + front_bytes + (alignment - used % alignment) % alignment;
  }

  /// At least `bytes` of memory that keeps its content from call to call: zeroed when made or grown, then written only by the
  /// protocol of the single-pass scans, which leaves it ready for the next call. Only makes room; see begin_protocol().
  template <class ExecutionSpace>
  std::byte* reserve_protocol(ExecutionSpace const& space, std::size_t bytes) {
    require_same_instance(space);
    if (protocol_->size() < bytes) protocol_->grow(bytes);
    return protocol_->data();
  }
  /// The same for a call that launches kernels on it, and says end_protocol() behind the launch. If the call before did
  /// not come so far, because a functor threw on a backend whose launches wait, the memory is zeroed first.
  template <class ExecutionSpace>
  std::byte* begin_protocol(ExecutionSpace const& space, std::size_t bytes) {
    std::byte* const region = reserve_protocol(space, bytes);
    if (std::exchange(is_in_protocol_, true)) protocol_->clear();
    return region;
  }
  void end_protocol() { is_in_protocol_ = false; }
  /// Bytes of that memory.
  std::size_t protocol_bytes() const { return protocol_->size(); }

  /// Waits for the instance and throws what the data of an earlier asynchronous call did wrong: its function, kind and
  /// first bad index. Each error is thrown once; when several functions have one, that of the function used first, then
  /// at the next check(). Calls of one function share a word: of several with errors, the smallest index is kept.
  /// Throws: precondition_error for a negative count or a wrong offset, overflow_error for an offset that did not fit.
  template <class ExecutionSpace>
  void check(ExecutionSpace const& space) {
    reserve(space, 0);
    error_values const found = read_errors(space);
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      if (found[k + 1] == 0) continue;
      write_error(space, k + 1, 0);
      throw_data_error(found[k + 1], functions_[k]);
    }
  }

  /// Waits for the instance; returns what the current call reported to errors(space), 0 for nothing, and clears it.
  template <class ExecutionSpace>
  std::uint64_t take_error(ExecutionSpace const& space) {
    reserve(space, 0);
    std::uint64_t const found = read_errors(space)[0];
    if (found != 0) write_error(space, 0);
    is_reporting_ = false;
    return found;
  }

  /// What every use of it checks. Throws: precondition_error.
  template <class ExecutionSpace>
  void require_same_instance(ExecutionSpace const& space) const {
    require(memory_->belongs_to(typeid(ExecutionSpace), &space), "workspace",
            "it was made for another execution-space instance than the one given; make one workspace per instance");
  }

 private:
  /// Words for errors: one of the current call, the others of functions whose calls are asynchronous.
  static constexpr std::size_t error_word_count = 8;
  static constexpr std::size_t front_bytes = error_word_count * sizeof(std::uint64_t) + result_bytes;
  static_assert(front_bytes + alignment <= header_bytes);
  using error_values = std::array<std::uint64_t, error_word_count>;

  std::uint64_t* error_words() const { return reinterpret_cast<std::uint64_t*>(memory_->data()); }

  template <class ExecutionSpace>
  error_values read_errors(ExecutionSpace const& space) const {
    error_values values;
    using device = Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(
        space, Kokkos::View<std::uint64_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()),
        device(error_words(), values.size()));
    space.fence("upsweep::workspace::check");
    return values;
  }
  template <class ExecutionSpace>
  void write_error(ExecutionSpace const& space, std::size_t k, std::uint64_t value = 0) const {
    using device = Kokkos::View<std::uint64_t, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(space, device(error_words() + k), value);
  }

  std::unique_ptr<detail::workspace_memory> memory_;
  std::unique_ptr<detail::workspace_memory> protocol_;
  error_values pending_{};              ///< errors whose memory is gone, until there is memory again
  std::vector<std::string> functions_;  ///< the one at k has error word k + 1
  bool is_reporting_ = false;           ///< errors() was called and take_error() not yet
  bool is_in_protocol_ = false;         ///< the same of begin_protocol() and end_protocol()
};

/// The memory of one call: taken from the caller's workspace, or allocated here and freed at the end of the call, which
/// then has to wait for the instance first.
template <class ExecutionSpace>
class temporary_memory {
 public:
  temporary_memory(ExecutionSpace const& space, workspace* shared) : space_(space), shared_(shared) {
    if (shared_ != nullptr) return;
    owned_ = std::make_unique<workspace>(space);
    release_label_ = "upsweep::temporary_memory::release";
  }
  temporary_memory(temporary_memory const&) = delete;
  temporary_memory& operator=(temporary_memory const&) = delete;
  ~temporary_memory() {
    if (owned_ && owned_->size_bytes() != 0) space_.fence(release_label_);
  }

  bool owned() const { return owned_ != nullptr; }
  workspace& get() { return owned_ ? *owned_ : *shared_; }

 private:
  ExecutionSpace space_;
  workspace* shared_;
  std::unique_ptr<workspace> owned_;
  std::string release_label_;  // made in time: memory that runs out in a destructor ends the program
};

/// Lays several arrays out in one block of memory: `byte_layout l; auto a = l.add<int>(n); ...; l.bytes()`.
class byte_layout {
 public:
  /// Offset in bytes of the next array of n elements of T, a multiple of workspace::alignment.
  template <class T>
  std::size_t add(std::size_t n) {
    std::size_t const at = bytes_;
    std::size_t const size = checked_multiply(n, sizeof(T), "byte_layout", "bytes");
    bytes_ += divide_up(size, workspace::alignment) * workspace::alignment;
    return at;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace upsweep
