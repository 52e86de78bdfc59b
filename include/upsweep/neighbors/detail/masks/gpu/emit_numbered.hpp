// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/scratch_copies.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_numbered.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// One warp per group: turns the bits that count_numbered_gpu kept into rows. Each lane has a row, and notes the
/// candidates whose bits are set, one after the other, in scratch, behind those of the rows before. Then lanes write
/// what is noted side by side, whichever rows it is of.
template <class Real, class Systems, class Lanes = warp_lanes, int Resident = 8, bool Direct = false>
struct emit_numbered_gpu {
  mask_pass<Real, Systems> pass;
  row_slots rows;

  static constexpr int warps = 4;
  static constexpr int resident_teams = Resident;
  static constexpr int window = 20;      ///< words whose candidates are in scratch together
  static constexpr int notes = 1024;     ///< at least those of a word
  static constexpr int unrolled = 4;     ///< rounds that are written together
  static constexpr int number_bits = 11; ///< of a note; the others are the row

  struct scratch {
    std::size_t base[Lanes::size];  ///< where a row's pairs are, less the number of its first note
    int index[window * Lanes::size];
    std::uint16_t noted[notes];
  };
  static constexpr std::size_t scratch_bytes = warps * sizeof(scratch) + 16;
  static_assert(window * Lanes::size <= 1 << number_bits && Lanes::size * Lanes::size <= notes);

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const rank = member.team_rank(), lane = rank % Lanes::size;
    auto* const all = static_cast<scratch*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch), 16));
    std::int64_t const group =
        pass.first_group + static_cast<std::int64_t>(member.league_rank()) * warps + rank / Lanes::size;
    if (pass.has(group)) emit_group(group, lane, all[rank / Lanes::size]);
  }

 private:
  /// The rows of a group, as a lane knows them.
  struct group_rows {
    int count;
    std::size_t next;            ///< where the lane's row goes on
    std::uint32_t const* words;  ///< the lane's of the next word
    bool is_mine;
  };

  KOKKOS_FUNCTION void emit_group(std::int64_t group, int lane, scratch& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    std::uint32_t const* const kept = pass.masks.of(group);
    int i = first + lane < end ? p.order[first + lane] : p.rows;
    auto const which = Lanes::ballot(i < p.rows);
    group_rows r;
    r.count = Lanes::popcount(which);
    if (r.count == 0) return;
    r.is_mine = lane < r.count;
    if ((which & (which + 1)) != 0) i = Lanes::shuffle(i, r.is_mine ? nth_set_bit<Lanes>(which, lane) : lane);
    r.next = r.is_mine ? rows.offsets[i] : 0;
    r.words = kept + lane;
    auto const runs = number_candidates<Real, Systems, Lanes>(p, pass.cells_of(first, end), lane);
    numbered_words<Lanes> walk(runs);
    int const words = (runs.all + Lanes::size - 1) / Lanes::size;
    UPSWEEP_NO_UNROLL
    for (int word = 0; word < words; word += window) {
      int const last = Kokkos::min(words, word + window);
      UPSWEEP_NO_UNROLL
      for (int w = word; w < last; ++w) {
        int const number = w * Lanes::size + lane, of = walk.run_in_next(w, lane);
        int const place = number + Lanes::shuffle(runs.to_place, of);
        if (number < runs.all) internal::scratch_copies::begin(s.index + (number - word * Lanes::size), p.order + place);
      }
      internal::scratch_copies::wait();
      Lanes::sync();
      if constexpr (Direct) write_bits(last - word, lane, s, r);
      else write_window(last - word, lane, s, r);
      Lanes::sync();
    }
  }

  /// Each lane its own row, at once.
  KOKKOS_FORCEINLINE_FUNCTION void write_bits(int n, int, scratch& s, group_rows& r) const {
    std::uint32_t next = r.is_mine ? *r.words : 0;
    for (int w = 0; w < n; ++w) {
      std::uint32_t bits = next;
      r.words += r.count;
      next = r.is_mine && w + 1 < n ? *r.words : 0;
      for (; bits != 0; bits &= bits - 1)
        rows.neighbors[r.next++] = s.index[w * Lanes::size + Lanes::lowest_set_bit(bits)] - pass.search.particles.first_candidate;
    }
  }

  /// The pairs of n words.
  KOKKOS_FORCEINLINE_FUNCTION void write_window(int n, int lane, scratch& s, group_rows& r) const {
    int done = 0;
    UPSWEEP_NO_UNROLL
    while (done < n) {
      // As many words as there is room for.
      int batch = done, own = 0, all = 0;
      std::uint32_t const* ahead = r.words;
      UPSWEEP_NO_UNROLL
      for (; batch < n; ++batch) {
        int const hits = r.is_mine ? Lanes::popcount(*ahead) : 0;
        int const more = static_cast<int>(Lanes::reduce_sum(static_cast<std::uint32_t>(hits)));
        if (all + more > notes) break;
        all += more;
        own += hits;
        ahead += r.count;
      }
      int at = internal::scan_lanes<Lanes>(plus<int>{}, own, lane) - own;
      s.base[lane] = r.next - static_cast<std::size_t>(at);
      r.next += static_cast<std::size_t>(own);
      note(done, batch, lane, at, s, r);
      done = batch;
      Lanes::sync();
      write(all, lane, s);
      Lanes::sync();
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void note(int from, int to, int lane, int at, scratch& s, group_rows& r) const {
    std::uint32_t next = r.is_mine ? *r.words : 0;
    UPSWEEP_NO_UNROLL
    for (int w = from; w < to; ++w) {
      std::uint32_t bits = next;
      r.words += r.count;
      next = r.is_mine && w + 1 < to ? *r.words : 0;
      int const row_and_word = lane << number_bits | w * Lanes::size;
      UPSWEEP_NO_UNROLL
      for (; bits != 0; bits &= bits - 1)
        s.noted[at++] = static_cast<std::uint16_t>(row_and_word + Lanes::lowest_set_bit(bits));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(int n, int lane, scratch const& s) const {
    UPSWEEP_NO_UNROLL
    for (int k = lane; k < n; k += unrolled * Lanes::size) {
      UPSWEEP_UNROLL
      for (int u = 0; u < unrolled; ++u) {
        int const at = k + u * Lanes::size;
        if (at >= n) break;
        unsigned const noted = s.noted[at];
        rows.neighbors[s.base[noted >> number_bits] + static_cast<std::size_t>(at)] =
            s.index[noted & ((1u << number_bits) - 1)] - pass.search.particles.first_candidate;
      }
    }
  }
};

}  // namespace upsweep::neighbors::detail
