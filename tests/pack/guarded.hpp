// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// An array between guards, which a kernel leaves as they are.

#include "../oracle/copies.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace sorted {

/// In memory of the device, or with HostSpace in that of the CPU, where kernels run with lockstep lanes. It begins
/// `skew` elements behind an address that is a multiple of 64 bytes: of a sector of 8 keys.
template <class T, class Memory = Kokkos::DefaultExecutionSpace::memory_space>
class guarded {
 public:
  explicit guarded(std::vector<T> const& content, std::size_t skew = 3)
      : first_(guard + skew),
        size_(content.size()),
        before_(first_ + size_ + guard),
        array_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "guarded"), before_.size()) {
    std::memset(static_cast<void*>(before_.data()), 0xa5, before_.size() * sizeof(T));
    std::copy(content.begin(), content.end(), before_.begin() + static_cast<std::ptrdiff_t>(first_));
    if constexpr (is_on_cpu) std::memcpy(static_cast<void*>(array_.data()), before_.data(), bytes());
    else oracle::copy_to_device(array_.data(), before_.data(), bytes());
  }
  T* data() const { return array_.data() + first_; }
  std::vector<T> content() const {
    auto const all = now();
    return {all.begin() + static_cast<std::ptrdiff_t>(first_), all.end() - static_cast<std::ptrdiff_t>(guard)};
  }
  bool are_guards_whole() const {
    auto const all = now();
    std::size_t const end = first_ + size_;
    return std::memcmp(all.data(), before_.data(), first_ * sizeof(T)) == 0 &&
           std::memcmp(all.data() + end, before_.data() + end, guard * sizeof(T)) == 0;
  }

 private:
  static constexpr std::size_t guard = 64;
  static constexpr bool is_on_cpu = std::is_same_v<Memory, Kokkos::HostSpace>;
  std::size_t bytes() const { return before_.size() * sizeof(T); }
  std::vector<T> now() const {
    std::vector<T> all(before_.size());
    if constexpr (is_on_cpu) std::memcpy(static_cast<void*>(all.data()), array_.data(), bytes());
    else oracle::copy_from_device(all.data(), array_.data(), bytes());
    return all;
  }

  std::size_t first_, size_;
  std::vector<T> before_;
  Kokkos::View<T*, Memory> array_;
};

}  // namespace sorted
