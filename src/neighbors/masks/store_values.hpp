// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "sorted_candidates.hpp"

#include <upsweep/neighbors/detail/masks/hit_masks.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace upsweep::neighbors::detail {

/// The numbers of candidates, to select from.
struct candidate_numbers {
  int of[sorted_candidates<double>::most + 32] = {};  ///< whole vectors are read
  constexpr candidate_numbers() {
    for (int c = 0; c < sorted_candidates<double>::most + 32; ++c) of[c] = c;
  }
};
inline constexpr candidate_numbers all_candidates;

/// Candidates as rows are made of them: index, place and the word of the image.
struct candidate_lists {
  int const *index, *place, *shift;
  bool shifted;  ///< some are not in image(0, 0, 0)
};

/// Writes what the list keeps of the pairs of a row: neighbours, images and values. Some pairs at a time are put
/// together in the nearest cache, and written from there as neighbours alone are.
template <class Real, class Systems>
class store_values {
 public:
  store_values(binned_particles<Real, Systems> const& particles, value_slots<Real> const& rows,
               cpu_hit_kernels<Real> const& kernels, bool streams)
      : p_(particles), rows_(rows), kernels_(kernels), streams_(streams) {}

  /// The n chosen candidates become the pairs from `first` on of the particle at `own`.
  void operator()(candidate_lists const& from, int const* chosen, int n, int own, std::size_t first) const {
    for (int k = 0; k < n; k += most) some(from, chosen + k, std::min(n - k, most), own, first + k);
  }

  /// Prefetches the lines of these pairs.
  void prefetch(std::size_t begin, std::size_t end) const {
    auto const& to = rows_.values;
    prefetch(rows_.neighbors, begin, end, 1);
    prefetch(rows_.images, begin, end, 1);
    prefetch(to.first_indices, begin, end, 1);
    prefetch(to.unwrapped_images, begin, end, 3);
    prefetch(to.displacements, begin, end, 3);
    prefetch(to.distances, begin, end, 1);
  }

 private:
  static constexpr int most = 128;

  void some(candidate_lists const& from, int const* chosen, int n, int own, std::size_t first) const {
    auto const& to = rows_.values;
    int index[most], word[most], place[most];
    fill(index, n, rows_.neighbors + first, [&](int k) { return from.index[chosen[k]]; });
    if (to.first_indices != nullptr) {
      int const i = p_.order[own];
      fill(index, n, to.first_indices + first, [=](int) { return i; });
    }
    if (rows_.images == nullptr && !to.needs_image()) return;
    if (from.shifted)
      for (int k = 0; k < n; ++k) word[k] = from.shift[chosen[k]];
    else std::fill_n(word, n, std::bit_cast<int>(image(0, 0, 0)));
    if (rows_.images != nullptr) write(word, n, reinterpret_cast<int*>(rows_.images + first));
    if (to.edges_off != nullptr || to.measures())
      for (int k = 0; k < n; ++k) place[k] = from.place[chosen[k]];
    if (to.unwrapped_images != nullptr) unwrap(word, place, n, own, to.unwrapped_images + 3 * first);
    if (to.measures()) measure(word, place, n, own, first);
  }

  /// body(first, end, image) for pairs side by side that are in one image, as most are.
  template <class Body>
  static void for_each_image(int const* word, int n, Body const& body) {
    for (int k = 0, next; k < n; k = next) {
      for (next = k + 1; next < n && word[next] == word[k];) ++next;
      body(k, next, std::bit_cast<image>(word[k]));
    }
  }

  void unwrap(int const* word, int const* place, int n, int own, int* out) const {
    int buffer[3 * most];
    int* const s = target(buffer, out);
    auto const n_i = rows_.values.edges_of(own);
    for_each_image(word, n, [&](int first, int end, image im) {
      int const x = im[0] + n_i[0], y = im[1] + n_i[1], z = im[2] + n_i[2];
      if (rows_.values.edges_off == nullptr) {
        for (int k = first; k < end; ++k) s[3 * k] = x, s[3 * k + 1] = y, s[3 * k + 2] = z;
        return;
      }
      for (int k = first; k < end; ++k) {
        auto const n_j = rows_.values.edges_of(place[k]);
        s[3 * k] = x - n_j[0];
        s[3 * k + 1] = y - n_j[1];
        s[3 * k + 2] = z - n_j[2];
      }
    });
    finish(s, 3 * n, out);
  }

  void measure(int const* word, int const* place, int n, int own, std::size_t first) const {
    auto const& to = rows_.values;
    auto const& sim_box = p_.box_of(p_.system_of(p_.order[own]));
    Real way_buffer[3 * most], distance_buffer[most];
    Real* const way = target(way_buffer, to.displacements == nullptr ? way_buffer : to.displacements + 3 * first);
    Real* const distance = to.distances == nullptr ? nullptr : target(distance_buffer, to.distances + first);
    for_each_image(word, n, [&](int begin, int end, image im) {
      auto const shift = sim_box.shift(im);
      kernels_.measure(
          {p_.x, p_.y, p_.z, place + begin, {p_.x[own], p_.y[own], p_.z[own]}, {shift[0], shift[1], shift[2]}},
          end - begin, way + 3 * begin, distance == nullptr ? nullptr : distance + begin);
    });
    if (to.displacements != nullptr) finish(way, 3 * n, to.displacements + 3 * first);
    if (to.distances != nullptr) finish(distance, n, to.distances + first);
  }

  /// Where values are made: in place, unless they are streamed from a buffer.
  template <class T>
  T* target(T* buffer, T* out) const {
    return streams_ ? buffer : out;
  }
  template <class T>
  void finish(T const* made, int n, T* out) const {
    if (streams_) write(made, n, out);
  }
  template <class Value>
  void fill(int* buffer, int n, int* out, Value const& value) const {
    int* const made = target(buffer, out);
    for (int k = 0; k < n; ++k) made[k] = value(k);
    finish(made, n, out);
  }

  template <class T>
  void write(T const* in, int n, T* out) const {
    constexpr int words = sizeof(T) / sizeof(int);
    if (streams_) kernels_.stream(reinterpret_cast<int const*>(in), words * n, reinterpret_cast<int*>(out));
    else std::memcpy(out, in, sizeof(T) * static_cast<std::size_t>(n));
  }

  template <class T>
  void prefetch(T const* values, std::size_t begin, std::size_t end, std::size_t each) const {
    if (values == nullptr) return;
    auto const* const first = reinterpret_cast<int const*>(values + each * begin);
    auto const* const last = reinterpret_cast<int const*>(values + each * end);
    if (streams_) kernels_.prefetch_for_stream(first, last);
    else kernels_.prefetch_for_store(first, last);
  }

  binned_particles<Real, Systems> const& p_;
  value_slots<Real> const& rows_;
  cpu_hit_kernels<Real> const& kernels_;
  bool streams_;
};

}  // namespace upsweep::neighbors::detail
