// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/neighbors/detail/masks/candidates.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_pass.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace upsweep::neighbors::detail {

/// One thread per block of places, then one per block of rows. Pairs are tested in vectors as if they were in no image;
/// those that are in one are tested again behind that, and so are hits where types or radii limit distances.
///
/// Most rows have no images: they are noted once for each list with skin, and then images are read of the others alone.
/// Rows are written where they belong at once; what a vector writes behind the row, the next one of the block writes
/// over, and the last ones go through a buffer. Copying all of them so took half of the emission's time.
template <class Real>
class narrow_cpu {
 public:
  enum row_kind : unsigned char {
    plain = 0,
    imaged = 1,  ///< the list with skin has some of its pairs in an image
    moved = 2    ///< some images are others now
  };

  /// Which rows are imaged, for the passes.
  template <class ExecutionSpace>
  static void look(ExecutionSpace const& space, std::string const& label, neighbor_rows<> const& from,
                   unsigned char* kinds) {
    launch(space, label, from.rows, [from, kinds](std::int64_t first, std::int64_t end) {
      for (std::int64_t row = first; row < end; ++row) {
        std::uint32_t other = 0;
        for (std::size_t k = from.offsets[row]; from.images != nullptr && k < from.offsets[row + 1]; ++k)
          other |= word_of(from.images[k]) ^ word_of(image(0, 0, 0));
        kinds[row] = other != 0 ? imaged : plain;
      }
    });
  }

  template <class ExecutionSpace>
  static void count(ExecutionSpace const& space, std::string const& label, narrow_pass<Real> const& pass,
                    narrow_slots const& rows, unsigned char* kinds, int places) {
    launch(space, label, static_cast<std::size_t>(places),
           [pass, rows, kinds, places, &kernels = cpu_hits<Real>()](std::int64_t first, std::int64_t end) {
             auto const all = static_cast<std::int64_t>(pass.from.rows);
             bool const large = static_cast<std::size_t>(places) * sizeof(moved_particle<Real>) > near_bytes;
             for (std::int64_t place = first; place < end; ++place) {
               if (place + 2 * ahead < places && pass.order[place + 2 * ahead] < all)
                 compat::prefetch_read(pass.from.offsets + pass.order[place + 2 * ahead]);
               if (place + ahead < places && pass.order[place + ahead] < all)
                 prefetch(pass, kinds, pass.order[place + ahead]);
               if (large && place + 2 < places && std::abs(pass.order[place + 2] - pass.order[place + 1]) > nearby &&
                   pass.order[place + 2] < all)
                 prefetch_candidates(pass, pass.order[place + 2]);
               if (pass.order[place] < all) count_row(pass, rows, kinds, kernels, pass.order[place]);
             }
           });
  }

  template <class ExecutionSpace>
  static void emit(ExecutionSpace const& space, std::string const& label, narrow_pass<Real> const& pass,
                   narrow_slots const& rows, unsigned char const* kinds) {
    bool const streams = rows.offsets[pass.from.rows] * sizeof(int) > cached_bytes;
    launch(space, label, pass.from.rows,
           [pass, rows, kinds, streams, &kernels = cpu_hits<Real>()](std::int64_t first, std::int64_t end) {
             for (std::int64_t row = first; row < end; ++row) {
               if (row + ahead < end && !streams) prefetch_slots(rows, kernels, row + ahead);
               emit_row(pass, rows, kinds, streams, rows.offsets[end], kernels, row);
             }
             if (streams) kernels.finish();
           });
  }

 private:
  using hit_kernels = cpu_hit_kernels<Real>;

  static constexpr std::size_t block = 64;
  static constexpr int ahead = 8;     ///< rows that are prefetched
  static constexpr int chunk = 1024;  ///< pairs that are handled together
  static constexpr int nearby = 256;  ///< particles of places side by side are further apart where they have no order
  static constexpr std::size_t near_bytes = std::size_t(1) << 20;  ///< what is surely in caches next to a core
  /// A list that is larger is written past the caches.
  static constexpr std::size_t cached_bytes = std::size_t(1) << 26;

  /// body(first, end) of blocks of 0 ... n-1.
  template <class ExecutionSpace, class Body>
  static void launch(ExecutionSpace const& space, std::string const& label, std::size_t n, Body const& body) {
    using policy =
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
    auto const blocks = static_cast<std::int64_t>(internal::divide_up(n, block));
    Kokkos::parallel_for(label, policy(space, 0, blocks, Kokkos::ChunkSize(1)), [n, body](std::int64_t b) {
      std::size_t const first = static_cast<std::size_t>(b) * block;
      body(static_cast<std::int64_t>(first), static_cast<std::int64_t>(std::min(n, first + block)));
    });
  }

  static void prefetch(narrow_pass<Real> const& pass, unsigned char const* kinds, std::int64_t row) {
    std::size_t const begin = pass.from.offsets[row], end = pass.from.offsets[row + 1];
    for (std::size_t k = begin; k < end; k += 16) compat::prefetch_read(pass.from.neighbors + k);
    if ((kinds[row] & imaged) == 0) return;
    for (std::size_t k = begin; k < end; k += 16) compat::prefetch_read(pass.from.images + k);
  }

  /// Where particles are not stored in the order of cells, each candidate is a line and a page of its own, too many for
  /// the caches next to the core. 256,000 doubles in random order, counting: 120 ms without, 88 ms with it; stored by
  /// cell it would cost 25 ms instead of 19.
  static void prefetch_candidates(narrow_pass<Real> const& pass, std::int64_t row) {
    for (std::size_t k = pass.from.offsets[row]; k < pass.from.offsets[row + 1]; ++k)
      compat::prefetch_read(pass.candidates + pass.from.neighbors[k]);
  }
  static void prefetch_slots(narrow_slots const& rows, hit_kernels const& kernels, std::int64_t row) {
    std::size_t const begin = rows.offsets[row], end = rows.offsets[row + 1];
    kernels.prefetch_for_store(rows.neighbors + begin, rows.neighbors + end);
    if (rows.images == nullptr) return;
    int const* const images = reinterpret_cast<int const*>(rows.images);
    kernels.prefetch_for_store(images + begin, images + end);
  }

  /// The n numbers at `from`, of which whole vectors of up to 32 are read: in place, or where that would be behind the
  /// last of `all` numbers, copied.
  static int const* readable(int const* from, int n, int const* all, std::size_t size, int (&copy)[chunk + 32]) {
    if (static_cast<std::size_t>(from - all) + static_cast<std::size_t>(32 * words_for(n)) <= size) return from;
    std::copy(from, from + n, copy);
    std::fill(copy + n, copy + 32 * words_for(n), from[0]);
    return copy;
  }
  static int const* images_of(narrow_pass<Real> const& pass) { return reinterpret_cast<int const*>(pass.from.images); }

  static void count_row(narrow_pass<Real> const& pass, narrow_slots const& rows, unsigned char* kinds,
                        hit_kernels const& kernels, std::int64_t row) {
    std::size_t const begin = pass.from.offsets[row], length = pass.length(row);
    std::uint32_t* words = pass.words_of(row);
    bool const has_images = (kinds[row] & imaged) != 0;
    pair_test<Real> const test{pass.candidates, pass.particles + row, pass.cutoff_squared};
    std::size_t found = 0;
    bool changed = false;
    for (std::size_t first = 0; first < length; first += chunk) {
      int const n = static_cast<int>(std::min<std::size_t>(chunk, length - first)), all = words_for(n);
      int copy[chunk + 32], image_copy[chunk + 32];
      std::uint32_t in_image[words_for(chunk)];
      int const* const j = readable(pass.from.neighbors + begin + first, n, pass.from.neighbors, pass.pairs, copy);
      int const* const s =
          !has_images ? nullptr : readable(images_of(pass) + begin + first, n, images_of(pass), pass.pairs, image_copy);
      // Vectors of 16 pairs at most: the last ones are of the next row, or repeated.
      changed = kernels.test_pairs(test, j, s, (n + 15) / 16 * 16, words, in_image) || changed;
      if (n % 32 != 0) {
        std::uint32_t const of_row = (std::uint32_t(1) << (n % 32)) - 1;
        words[all - 1] &= of_row;
        in_image[all - 1] &= of_row;
      }
      if (has_images || changed) test_images(pass, row, first, all, words, in_image);
      if (pass.rules.limits_distances()) keep_allowed(pass, row, first, all, words);
      found += static_cast<std::size_t>(kernels.count(words, all));
      words += all;
    }
    rows.offsets[row] = found;
    kinds[row] = static_cast<unsigned char>((has_images ? imaged : plain) | (changed ? moved : plain));
  }

  /// The bits of pairs that are in an image. What makes no vector comes first, then all distances; no branch depends on
  /// one.
  static void test_images(narrow_pass<Real> const& pass, std::int64_t row, std::size_t first, int all,
                          std::uint32_t* words, std::uint32_t const* in_image) {
    // Copies, which no store into the arrays can change.
    moved_particle<Real> const own = pass.particles[row];
    box<Real> const sim_box = pass.sim_box;
    Real const cutoff_squared = pass.cutoff_squared;
    int const* const j = pass.from.neighbors + pass.from.offsets[row] + first;
    Real x[chunk], y[chunk], z[chunk];
    image in[chunk];
    int number[chunk];
    int m = 0;
    for (int w = 0; w < all; ++w) {
      words[w] &= ~in_image[w];
      for (std::uint32_t bits = in_image[w]; bits != 0; bits &= bits - 1, ++m) {
        int const k = 32 * w + std::countr_zero(bits);
        moved_particle<Real> const& other = pass.candidates[j[k]];
        number[m] = k;
        in[m] = pass.image_now(row, first + static_cast<std::size_t>(k));
        x[m] = other.x - own.x;
        y[m] = other.y - own.y;
        z[m] = other.z - own.z;
      }
    }
    for (int k = 0; k < m; ++k) {
      auto const s = sim_box.shift(in[k]);
      x[k] = binned_particles<Real>::length_squared(x[k] + s[0], y[k] + s[1], z[k] + s[2]);
    }
    for (int k = 0; k < m; ++k) words[number[k] / 32] |= std::uint32_t(x[k] <= cutoff_squared) << (number[k] % 32);
  }

  /// Leaves the bits of pairs that types and radii allow.
  static void keep_allowed(narrow_pass<Real> const& pass, std::int64_t row, std::size_t first, int all,
                           std::uint32_t* words) {
    for (int w = 0; w < all; ++w)
      for (std::uint32_t bits = words[w]; bits != 0; bits &= bits - 1)
        if (!pass.is_hit(row, first + static_cast<std::size_t>(32 * w + std::countr_zero(bits))))
          words[w] ^= bits & (~bits + 1);
  }

  static void emit_row(narrow_pass<Real> const& pass, narrow_slots const& rows, unsigned char const* kinds,
                       bool streams, std::size_t end, hit_kernels const& kernels, std::int64_t row) {
    std::size_t const begin = pass.from.offsets[row], length = pass.length(row);
    std::uint32_t const* words = pass.words_of(row);
    std::size_t out = rows.offsets[row];
    for (std::size_t first = 0; first < length; first += chunk) {
      int const n = static_cast<int>(std::min<std::size_t>(chunk, length - first));
      int copy[chunk + 32], kept[chunk + 32];
      bool const in_place = !streams && out + static_cast<std::size_t>(n) + 32 <= end;
      auto const write = [&](int const* in, int count, int* to) {
        if (streams) kernels.stream(in, count, to);
        else std::copy(in, in + count, to);
      };
      int* const neighbors = in_place ? rows.neighbors + out : kept;
      int const found = kernels.select(
          readable(pass.from.neighbors + begin + first, n, pass.from.neighbors, pass.pairs, copy), words, n, neighbors);
      if (!in_place) write(kept, found, rows.neighbors + out);
      if (rows.images != nullptr) {
        int shifts[chunk + 32];
        int* const images = in_place ? reinterpret_cast<int*>(rows.images + out) : shifts;
        if ((kinds[row] & imaged) != 0)
          kernels.select(readable(images_of(pass) + begin + first, n, images_of(pass), pass.pairs, copy), words, n,
                         images);
        else std::fill_n(images, found, static_cast<int>(word_of(image(0, 0, 0))));
        if ((kinds[row] & moved) != 0) {
          auto const own = static_cast<std::uint32_t>(pass.particles[row].edges);
          for (int k = 0; k < found; ++k)
            images[k] = static_cast<int>(static_cast<std::uint32_t>(images[k]) + own -
                                         static_cast<std::uint32_t>(pass.candidates[neighbors[k]].edges));
        }
        if (!in_place) write(shifts, found, reinterpret_cast<int*>(rows.images + out));
      }
      words += words_for(n);
      out += static_cast<std::size_t>(found);
    }
  }
};

}  // namespace upsweep::neighbors::detail
