// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/held_by_pointer.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>

#include <array>
#include <cstddef>

namespace upsweep::mpi::detail {

/// How many to take memory for where n are needed, so that a few more next time need none.
inline std::size_t with_headroom(std::size_t n) { return n + n / 8 + 64; }

/// Makes a buffer at least n * unit elements long, with head-room. What it held is lost when it grows.
template <class ExecutionSpace, class Buffer>
void grow_with_headroom(ExecutionSpace const& space, Buffer& buffer, std::size_t n, char const* name,
                        std::size_t unit = 1) {
  if (buffer.extent(0) / unit >= n) return;
  // Work in flight may still use the old memory.
  if (buffer.extent(0) > 0) space.fence("upsweep::mpi::grow");
  upsweep::internal::grow(space, buffer, upsweep::internal::checked_multiply(with_headroom(n), unit, "mpi", name),
                          "mpi", name);
}

/// kept_rows of any View.
class any_kept_rows : public upsweep::internal::held_by_pointer {};

/// Memory for the rows of one View, which a call reads from one buffer and writes to another: two buffers, kept from
/// call to call. What is given out are Views of the first rows of a buffer, which count as its users, so a buffer that
/// anybody still holds is not written to.
template <class View>
class kept_rows final : public any_kept_rows {
 public:
  /// Rows like those of `like` for which reserve() takes no memory.
  std::size_t capacity(View const& like) const { return capacity_of(unused(), like); }

  /// Finds a buffer that nobody holds for n rows like those of `like`, or takes memory for it: exactly n rows, or with
  /// head-room.
  template <class ExecutionSpace>
  void reserve(ExecutionSpace const& space, View const& like, std::size_t n, bool exact) {
    chosen_ = unused();
    View& buffer = buffers_[chosen_];
    // A buffer of rows without elements is there, too, without any memory.
    if (buffer.use_count() > 0 && capacity_of(chosen_, like) >= n) return;
    if (buffer.data() != nullptr) space.fence("upsweep::mpi::grow");
    buffer = View();
    buffer = with_rows(space, like, exact ? n : with_headroom(n));
  }

  /// The buffer that reserve() chose: as many rows as were asked for, or more.
  View const& buffer() const { return buffers_[chosen_]; }

  /// Its first n rows. Shares the memory; a LayoutLeft View of several columns has gaps between them.
  View first_rows(std::size_t n) const {
    View const& all = buffer();
    if (all.extent(0) == n) return all;
    Kokkos::pair<std::size_t, std::size_t> const range(0, n);
    if constexpr (compat::rank<View> == 2) return Kokkos::subview(all, range, Kokkos::ALL);
    else return Kokkos::subview(all, range);
  }

 private:
  /// The larger one of the buffers that only this object holds. Where others hold both, the first, which is given up.
  std::size_t unused() const {
    bool const first = buffers_[0].use_count() <= 1, second = buffers_[1].use_count() <= 1;
    if (first && second) return buffers_[1].extent(0) > buffers_[0].extent(0) ? 1 : 0;
    return second ? 1 : 0;
  }
  std::size_t capacity_of(std::size_t k, View const& like) const {
    View const& buffer = buffers_[k];
    return buffer.use_count() == 1 && columns(buffer) == columns(like) ? buffer.extent(0) : 0;
  }

  std::array<View, 2> buffers_;
  std::size_t chosen_ = 0;
};

}  // namespace upsweep::mpi::detail
