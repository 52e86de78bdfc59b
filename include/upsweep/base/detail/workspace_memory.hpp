// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>

namespace upsweep::base::detail {

/// Device memory behind a workspace, with the types of execution space and memory space erased.
class workspace_memory {
 public:
  virtual ~workspace_memory() = default;
  virtual std::byte* data() const = 0;
  virtual std::size_t size() const = 0;
  /// Frees the memory and takes `bytes`, all zero.
  virtual void grow(std::size_t bytes) = 0;
  virtual void clear() = 0;
  /// Copies the first words of the memory to the host. Waits for the instance.
  virtual void read_words(std::uint64_t* to, std::size_t count) const = 0;
  virtual void write_word(std::size_t at, std::uint64_t value) const = 0;
  virtual void fence(std::string const& label) const = 0;
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
    memory_ = internal::allocate<std::byte, memory_space>(space_, bytes, "workspace", "memory");
    clear();
  }
  void clear() override { Kokkos::deep_copy(space_, memory_, std::byte{0}); }
  void read_words(std::uint64_t* to, std::size_t count) const override {
    internal::fetch(space_, words(), to, count, "upsweep::workspace::check");
  }
  void write_word(std::size_t at, std::uint64_t value) const override {
    Kokkos::deep_copy(space_, Kokkos::View<std::uint64_t, memory_space, Kokkos::MemoryUnmanaged>(words() + at), value);
  }
  void fence(std::string const& label) const override { space_.fence(label); }
  bool belongs_to(std::type_info const& type, void const* space) const override {
    return type == typeid(ExecutionSpace) && compat::same_instance(space_, *static_cast<ExecutionSpace const*>(space));
  }

 private:
  std::uint64_t* words() const { return reinterpret_cast<std::uint64_t*>(memory_.data()); }

  ExecutionSpace space_;
  Kokkos::View<std::byte*, memory_space> memory_;
};

template <class ExecutionSpace>
std::unique_ptr<workspace_memory> make_workspace_memory(ExecutionSpace const& space) {
  return std::make_unique<workspace_memory_of<ExecutionSpace>>(space);
}

// Compiled once, in the library: this is half of what a scan would cost to compile.
#define UPSWEEP_WORKSPACE_MEMORY(space) \
  extern template std::unique_ptr<workspace_memory> make_workspace_memory(space const&);
UPSWEEP_FOR_EACH_BACKEND(UPSWEEP_WORKSPACE_MEMORY)
#undef UPSWEEP_WORKSPACE_MEMORY

}  // namespace upsweep::base::detail

namespace upsweep {

/// An execution-space instance of any type: what functions take that only compare it or pass it on.
class any_instance {
 public:
  template <class ExecutionSpace>
    requires(Kokkos::is_execution_space_v<ExecutionSpace>)
  any_instance(ExecutionSpace const& space)  // implicit: callers pass their instance
      : type_(&typeid(ExecutionSpace)), space_(&space), make_memory_([](void const* at) {
          return base::detail::make_workspace_memory(*static_cast<ExecutionSpace const*>(at));
        }) {}

  bool owns(base::detail::workspace_memory const& memory) const { return memory.belongs_to(*type_, space_); }
  std::unique_ptr<base::detail::workspace_memory> make_memory() const { return make_memory_(space_); }

 private:
  std::type_info const* type_;
  void const* space_;
  std::unique_ptr<base::detail::workspace_memory> (*make_memory_)(void const*);
};

}  // namespace upsweep
