// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/io/internal/byte_pieces.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace upsweep::internal {

/// The elements of a View from `first` on, the last index running fastest, side by side.
template <class View>
struct copy_in_c_order {
  View view;
  typename View::non_const_value_type* out;
  std::size_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { store(i, std::make_index_sequence<compat::rank<View>>{}); }

 private:
  template <std::size_t... Dimensions>
  KOKKOS_FUNCTION void store(std::int64_t i, std::index_sequence<Dimensions...>) const {
    constexpr std::size_t rank = sizeof...(Dimensions);
    std::size_t rest = first + static_cast<std::size_t>(i);
    [[maybe_unused]] std::size_t place[rank + 1];
    for (std::size_t d = rank; d > 0; --d) {
      place[d - 1] = rest % view.extent(d - 1);
      rest /= view.extent(d - 1);
    }
    out[i] = view(place[Dimensions]...);
  }
};

/// The elements of a View of any rank, layout and memory space, in C order. Elements that lie in this order are read
/// where they are; others are copied by a kernel, 16 MiB at a time, and those of a device to host memory.
template <class ExecutionSpace, view_argument View>
class view_pieces final : public byte_pieces {
  using T = typename View::non_const_value_type;
  static constexpr bool cpu_reads =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible;
  static constexpr bool cpu_reads_copies =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecutionSpace::memory_space>::accessible;
  static constexpr std::size_t most_elements = (std::size_t(1) << 24) / sizeof(T);

 public:
  static_assert(reachable<ExecutionSpace, View>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");

  /// `function` is a literal. Both live as long.
  view_pieces(ExecutionSpace const& space, View const& view, char const* function)
      : space_(space), view_(view), function_(function) {}

  /// Waits for the instance.
  void prepare() override {
    in_order_ = lies_in_c_order();
    std::size_t const n = std::min(view_.size(), most_elements);
    if (!in_order_ || !cpu_reads)
      host_ = allocate<T, Kokkos::HostSpace>(Kokkos::DefaultHostExecutionSpace(), n, function_, "host");
    if (!in_order_ && !cpu_reads_copies)
      device_ = allocate<T, typename ExecutionSpace::memory_space>(space_, n, function_, "piece");
    space_.fence(label(function_, "fence"));
  }
  std::uint64_t size() const override { return std::uint64_t(view_.size()) * sizeof(T); }

  std::span<std::byte const> piece(std::uint64_t at) override {
    std::size_t const first = static_cast<std::size_t>(at) / sizeof(T);
    if (in_order_ && cpu_reads) return std::as_bytes(std::span(view_.data(), view_.size()).subspan(first));
    std::size_t const n = std::min(view_.size() - first, most_elements);
    if (in_order_) {
      if constexpr (!cpu_reads) to_host<typename View::memory_space>(view_.data() + first, n);
    } else {
      T* const to = cpu_reads_copies ? host_.data() : device_.data();
      for_each_index(space_, [&] { return label(function_, "copy"); }, n, copy_in_c_order<View>{view_, to, first});
      if constexpr (!cpu_reads_copies) to_host<typename ExecutionSpace::memory_space>(to, n);
    }
    space_.fence(label(function_, "fence"));
    return std::as_bytes(std::span(host_.data(), n));
  }

 private:
  bool lies_in_c_order() const {
    std::size_t below = 1;
    for (int d = static_cast<int>(compat::rank<View>) - 1; d >= 0; --d) {
      if (view_.extent(d) > 1 && compat::stride(view_, d) != static_cast<std::ptrdiff_t>(below)) return false;
      below *= view_.extent(d);
    }
    return true;
  }
  template <class MemorySpace>
  void to_host(T const* from, std::size_t n) {
    Kokkos::deep_copy(space_, Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host_.data(), n),
                      Kokkos::View<T const*, MemorySpace, Kokkos::MemoryUnmanaged>(from, n));
  }

  ExecutionSpace const& space_;
  View const& view_;
  char const* function_;
  bool in_order_ = false;
  Kokkos::View<T*, Kokkos::HostSpace> host_;
  Kokkos::View<T*, typename ExecutionSpace::memory_space> device_;
};

/// The extents of a View from dimension `First` on.
template <std::size_t First, class View>
auto extents_from(View const& view) {
  std::array<std::uint64_t, compat::rank<View> - First> extents{};
  for (std::size_t d = 0; d != extents.size(); ++d) extents[d] = view.extent(First + d);
  return extents;
}

}  // namespace upsweep::internal
