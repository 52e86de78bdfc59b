// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Between std::vector and device memory, for tests of any backend.

#include "copies.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace oracle {

using space = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;

template <class T>
Kokkos::View<T*, memory> to_device(std::vector<T> const& host) {
  Kokkos::View<T*, memory> device(Kokkos::view_alloc(Kokkos::WithoutInitializing, "oracle::device"), host.size());
  copy_to_device(device.data(), host.data(), host.size() * sizeof(T));
  return device;
}

/// Elements of memory from the first of a View to its last. Not span(), which counts the gap behind the last one, too:
/// the last column of an array has no memory there.
template <class V>
std::size_t elements_reached(V const& view) {
  if (view.size() == 0) return 0;
  std::size_t count = 1;
  for (unsigned d = 0; d < V::rank; ++d) count += (view.extent(d) - 1) * static_cast<std::size_t>(view.stride(d));
  return count;
}

/// Memory of the host for what a View reaches: its elements, and what lies between them.
template <class V>
class host_span {
  using T = typename V::non_const_value_type;

 public:
  explicit host_span(V const& view)
      : view_(view), size_(elements_reached(view) * sizeof(T)), bytes_(new std::byte[size_]) {
    fetch();
  }
  T* data() const { return reinterpret_cast<T*>(bytes_.get()); }
  /// Takes what the View reaches, and gives it this.
  void fetch() const { copy_from_device(data(), view_.data(), size_); }
  void write() const { copy_to_device(view_.data(), data(), size_); }

 private:
  V view_;
  std::size_t size_;
  std::unique_ptr<std::byte[]> bytes_;
};

/// The elements of a View of rank 1 and any layout.
template <class V>
auto to_host(V const& view) {
  static_assert(V::rank == 1);
  host_span<V> const span(view);
  std::vector<typename V::non_const_value_type> values;
  values.reserve(view.extent(0));
  for (std::size_t i = 0; i < view.extent(0); ++i) values.push_back(span.data()[i * std::size_t(view.stride(0))]);
  return values;
}

/// Gives the elements of a View of rank 1 and any layout values of the CPU, as many as it has.
template <class V>
void assign(V const& view, std::vector<typename V::value_type> const& values) {
  static_assert(V::rank == 1);
  if (values.size() != view.extent(0)) Kokkos::abort("oracle::assign: as many values as the View has elements");
  host_span<V> const span(view);
  for (std::size_t i = 0; i < values.size(); ++i) span.data()[i * std::size_t(view.stride(0))] = values[i];
  span.write();
}

/// Gives all elements of a View of rank 1 and any layout, or the one of rank 0, one value.
template <class V>
void fill(V const& view, typename V::value_type const& value) {
  if constexpr (V::rank == 0) copy_to_device(view.data(), &value, sizeof(value));
  else assign(view, std::vector<typename V::value_type>(view.extent(0), value));
}

/// Copies elements between Views of rank 1 and any layout.
template <class To, class From>
void copy(To const& to, From const& from) {
  assign(to, to_host(from));
}

/// A View of any rank and layout in memory of the CPU, as a mirror of Kokkos is: elements are read and set as (i, k).
template <class V>
class host_copy : public host_span<V> {
 public:
  explicit host_copy(V const& view) : host_span<V>(view), mirror_(this->data(), view.layout()) {}

  template <class... Index>
  auto& operator()(Index... index) const {
    return mirror_(index...);
  }
  auto const& view() const { return mirror_; }
  std::size_t extent(int dimension) const { return mirror_.extent(static_cast<unsigned>(dimension)); }

 private:
  Kokkos::View<typename V::non_const_data_type, typename V::array_layout, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>
      mirror_;
};

/// The element of a View of rank 0.
template <class V>
auto value_of(V const& view) {
  static_assert(V::rank == 0);
  typename V::non_const_value_type value;
  copy_from_device(&value, view.data(), sizeof(value));
  return value;
}

/// n values from `lo` to `hi`, the same for the same seed.
template <class T>
std::vector<T> random_values(std::size_t n, int lo, int hi, unsigned seed = 1) {
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<int> pick(lo, hi);
  std::vector<T> values(n);
  for (auto& v : values) v = static_cast<T>(pick(engine));
  return values;
}

/// Sizes around tiles and blocks of every backend: 0, 1, 2, powers of two and their neighbours, primes.
inline std::vector<std::size_t> sizes() {
  return {0, 1, 2, 31, 33, 255, 256, 257, 1021, 2048, 4095, 4096, 4097, 8191, 8193, 65537, 1000003, (1u << 22) + 5};
}

}  // namespace oracle
