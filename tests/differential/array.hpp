// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "trial.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace differential {

/// Device memory with other elements before, between and behind the n elements of a View. A check compares every byte,
/// so that a store beside the View is found.
template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::size_t margin = 24;

  /// first: where the View starts, so that all alignments occur. stride: elements from one to the next.
  array(std::vector<T> const& values, std::size_t first, std::size_t stride)
      : n_(values.size()), first_(margin + first), stride_(stride), image_(first_ + n_ * stride + margin) {
    std::memset(static_cast<void*>(image_.data()), 0x5a, image_.size() * sizeof(T));
    place(values);
    device_ = oracle::to_device(image_);
  }

  auto contiguous() const {
    return Kokkos::View<T*, oracle::memory, Kokkos::MemoryUnmanaged>(device_.data() + first_, n_);
  }
  auto strided() const {
    return Kokkos::View<T*, Kokkos::LayoutStride, oracle::memory, Kokkos::MemoryUnmanaged>(
        device_.data() + first_, Kokkos::LayoutStride(n_, stride_));
  }

  /// The first elements are `expected`, the others of the View may be anything, and the memory around is as it was.
  void expect(std::vector<T> const& expected, char const* what) {
    auto const found = oracle::to_host(device_);
    if (expected.size() > n_) throw mismatch(std::string(what) + " has too many elements");
    place(expected);
    for (std::size_t i = expected.size(); i < n_; ++i) image_[at(i)] = found[at(i)];
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (std::memcmp(&found[k], &image_[k], sizeof(T)) == 0) continue;
      bool const inside = k >= first_ && (k - first_) % stride_ == 0 && (k - first_) / stride_ < n_;
      throw mismatch(std::string(what) + (inside ? ": element " + std::to_string((k - first_) / stride_) + " is wrong"
                                                 : ": memory beside the elements was written, at " +
                                                       std::to_string(static_cast<std::ptrdiff_t>(k - first_))));
    }
  }

 private:
  std::size_t at(std::size_t i) const { return first_ + i * stride_; }
  void place(std::vector<T> const& values) {
    for (std::size_t i = 0; i < values.size(); ++i) image_[at(i)] = values[i];
  }

  std::size_t n_, first_, stride_;
  std::vector<T> image_;
  Kokkos::View<T*, oracle::memory> device_;
};

/// Chooses alignment and stride: `auto a = arrays(t, strided); auto in = a(values);`
struct array_maker {
  trial& t;
  bool strided;
  template <class T>
  array<T> operator()(std::vector<T> const& values) const {
    std::size_t const first = t.one_in(2) ? 0 : t.below(9);
    std::size_t const stride = strided ? 1 + t.below(3) : 1;
    t.note("first", first);
    if (strided) t.note("stride", stride);
    return array<T>(values, first, stride);
  }
};

}  // namespace differential
