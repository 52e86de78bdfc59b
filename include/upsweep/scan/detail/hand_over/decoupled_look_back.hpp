// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/hand_over/status_words.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

// Decoupled look-back (Merrill and Garland) by groups of tiles, by one warp of a team. With one lane (one_lane) each
// tile is a group: it waits for the prefix of the tile before, and aggregates serve the fallback.
//
// Shared state, in the region of look_back_memory.hpp: the control block, and lines of stamped values:
//   tiles    one per tile: its aggregate
//   groups   one per group of as many tiles as a warp has lanes: first the fold of the group's aggregates, then the
//            combination of init and all tiles up to the end of the group
// A tile's prefix is prefix(group before) * fold(aggregates of its group before it). In one round trip a warp reads the
// aggregates of the tiles of its group, one lane per tile, and what the groups before have published, one lane per
// group; it takes the nearest group with a prefix and the folds of the groups behind that; tiles far behind the first
// groups look for a prefix near by. Of the nearest `Window` groups it reads the tiles, too: their folds would come one
// round trip later. The last tile of a group publishes the group's fold and its prefix. No tile publishes a prefix of
// its own: teams poll few words, and a chain of prefixes has a link per group.
//
// Association: folds of a group's aggregates are balanced trees, prefixes of groups are the strict left fold of them,
// wherever the walk began. So a prefix is a fixed expression of n and the constants, whatever Window is.
//
// Progress: a tile before has started, if numbers come from tickets; its team need not be running, since it may wait
// for a core. After `polls` round trips without result the warp walks back to the nearest group with a prefix, reduces
// every stalled tile on the way from its input, by its owner's expression, and publishes the prefixes of the groups up
// to its own; all that by compare-exchange, and with the owners' bits. In place, the owner may overwrite that input.
// Every owner publishes its aggregate and fences before its first store; a team that falls back fences between its last
// read and the exchange. So one that has read overwritten input finds the owner's aggregate in the words that it wants
// to write, and the exchange fails.
// An owner stores without looking. So its fold may replace the prefix that a fallback has published for the group,
// until it stores the prefix itself: walks that have read that prefix keep it, others wait, or fall back again.

/// Instead of a reduction: no team reduces a stalled tile, so that its own team is waited for as long as it takes. Only
/// for backends that promise that a team goes on that has begun.
struct no_fallback {};

/// Groups whose tiles persistent teams read one by one.
/// H200, 2^28 int32, pipelined, fraction of a copy: 4: 0.91, 6: 0.87; in a first sketch of the kernel 2: 0.79, 4: 0.92,
/// 8: 0.91. Groups had no folds of their own then.
template <class Monoid>
inline constexpr int groups_by_tile = status_words<typename Monoid::value_type>::pieces <= 4 ? 4 : 2;

template <class Monoid, class Lanes = internal::warp_lanes, int Window = Lanes::size == 1 ? 0 : groups_by_tile<Monoid>>
struct decoupled_look_back {
  using state = typename Monoid::value_type;
  using stamped = status_words<state>;
  using mask = typename Lanes::mask;
  static constexpr std::size_t group_size = Lanes::size;
  static constexpr int window = Window;
  static_assert(0 <= window && window < Lanes::size);
  /// Tiles that one look sees without any group's word.
  static constexpr std::size_t tiles_in_view = group_size * (window + 1);
  static constexpr std::size_t stride = (stamped::pieces + words_per_line - 1) / words_per_line * words_per_line;

  look_back_control* control;
  std::uint64_t* lines;
  std::size_t tiles;
  std::size_t region_words;   ///< all 64-bit words that statuses of any call may have been written to
  std::uint32_t epoch_limit;  ///< the last epoch before the words are cleared
  int polls;                  ///< before stalled tiles are reduced by others
  bool in_place;              ///< teams store where others may read

  /// 64-bit words that a scan of so many tiles needs behind the control block.
  static std::size_t words(std::size_t tiles) { return (tiles + tiles / group_size) * stride; }

  struct prefix {
    state exclusive;  ///< init and all tiles before this one
    state inclusive;  ///< and this one; where the tile is the last of its group, or of all
  };

  /// Whether wait_for_prefix() of a tile publishes something. If not, it may be left out where the tile's
  /// prefix is not needed.
  KOKKOS_FUNCTION bool ends_group(std::size_t tile) const { return (tile + 1) % group_size == 0 || tile + 1 == tiles; }

  /// By one thread.
  KOKKOS_FUNCTION void publish(std::size_t tile, std::uint32_t epoch, state const& aggregate) const {
    stamped::write(tile_line(tile), stamp::make(epoch, tile_status::aggregate), aggregate);
    // What the team stores in place comes after the word that says that its input is not needed.
    if (in_place) Kokkos::memory_fence();
  }

  /// Whether a tile has published its aggregate. What its team wrote before, and fenced, is then seen
  /// behind a fence here.
  KOKKOS_FUNCTION bool has_published(std::size_t tile, std::uint32_t epoch) const {
    state ignored;
    return stamped::read(tile_line(tile), epoch, ignored) != tile_status::invalid;
  }

  /// By one thread, where a fallback may find another aggregate than the owner: false if that has come first. Teams
  /// store nothing that others read.
  KOKKOS_FUNCTION bool publish_or_compare(std::size_t tile, std::uint32_t epoch, state const& aggregate) const {
    // Words of two values with different flags would stay invalid together, for ever.
    static_assert(!stamped::parts::has_flag);
    stamped::upgrade(tile_line(tile), epoch, tile_status::aggregate, aggregate);
    state published = aggregate;
    stamped::read(tile_line(tile), epoch, published);
    return published == aggregate;
  }

  /// init and all tiles, in every lane, for the team of a tile: as the prefix of a tile behind the last one. It waits
  /// for tiles that may not have started: reduce() must reduce them.
  template <class Reduce>
  KOKKOS_FUNCTION state total(std::size_t tile, std::uint32_t epoch, Monoid const& op, state const& init, int lane,
                              Reduce const& reduce) const {
    static_assert(!std::is_same_v<Reduce, no_fallback>, "upsweep: tiles behind one's own may never start.");
    return walk_from<false>(tiles, tile, epoch, op, init, lane, reduce).exclusive;
  }

  /// The prefix of a tile that has taken its number, in every lane. reduce(tile), called by the whole warp, gives every
  /// lane the aggregate of a tile from its input; or no_fallback. FromFirst: a fallback begins with the first tile of a
  /// group, not with the place of the tile that asks. Both are right. It decides how a compiler spends registers: H200,
  /// 2026-11-23, 2^28 with / without: exclusive_scan of int32 567 / 584 us, of int16 293 / 301 (200 bytes of spilled
  /// registers less); but compact of int64 919 / 850 us, inclusive_scan_by_key of double 1493 / 1401.
  template <bool FromFirst = false, class Reduce>
  KOKKOS_FUNCTION prefix wait_for_prefix(std::size_t tile, std::uint32_t epoch, Monoid const& op, state const& init,
                                         int lane, Reduce const& reduce) const {
    return walk_from<FromFirst>(tile, tile, epoch, op, init, lane, reduce);
  }

  /// To be called by one warp of each of `teams` teams when the team reads and writes words no more, and takes no
  /// ticket. The last one leaves the region ready for the next call.
  KOKKOS_FUNCTION void finish(std::uint64_t teams, std::uint32_t epoch, int lane) const {
    bool last = false;
    bool const clear = must_clear(epoch);
    if (lane == 0) {
      // What is read is known by now, and what is written has the stamp of an epoch that nobody asks for again: no
      // fence, which would be a round trip more, but where the words are cleared.
      if (clear) Kokkos::memory_fence();
      last = Kokkos::atomic_fetch_add(&control->finished, std::uint64_t(1)) + 1 == teams;
    }
    if (Lanes::ballot(last) == 0) return;
    if (clear) {
      for (auto k = static_cast<std::size_t>(lane); k < region_words; k += Lanes::size)
        compat::store_word(lines + k, std::uint64_t(0));
    }
    if (lane == 0) {
      compat::store_word(&control->ticket, std::uint64_t(0));
      compat::store_word(&control->finished, std::uint64_t(0));
      compat::store_word(&control->epoch, clear ? std::uint64_t(0) : std::uint64_t(epoch) + 1);
    }
  }

  /// The same for teams that take no tickets, at their beginning, when they know the epoch: the control block is not
  /// looked at again in this call, and words stay readable. Where this returns false, finish() is to be called.
  KOKKOS_FUNCTION bool finish_ahead(std::uint64_t teams, std::uint32_t epoch, int lane) const {
    if (must_clear(epoch)) return false;
    finish(teams, epoch, lane);
    return true;
  }

 private:
  /// Groups whose tiles are read.
  static constexpr mask by_tile = (mask(1) << window) - mask(1);

  KOKKOS_FUNCTION bool must_clear(std::uint32_t epoch) const { return epoch >= epoch_limit; }
  KOKKOS_FUNCTION std::uint64_t* tile_line(std::size_t tile) const { return lines + tile * stride; }
  KOKKOS_FUNCTION std::uint64_t* group_line(std::size_t group) const { return lines + (tiles + group) * stride; }

  // wait_for_prefix() of a tile, or of one behind the last one; `asker` is the tile of the team that asks.
  template <bool FromFirst, class Reduce>
  KOKKOS_FUNCTION prefix walk_from(std::size_t tile, [[maybe_unused]] std::size_t asker, std::uint32_t epoch,
                                   Monoid const& op, state const& init, int lane, Reduce const& reduce) const {
    std::size_t const group = tile / group_size;
    int const place = static_cast<int>(tile % group_size);
    bool const closes = (FromFirst || tile < tiles) && ends_group(tile);
    bool const fills_group = closes && place + 1 == static_cast<int>(group_size);
    int const wanted = place + (closes ? 1 : 0);  // aggregates of the own group
    auto const back = static_cast<std::size_t>(lane);
    state own = op.identity();
    bool has_own = lane >= wanted;
    // Lane k: what the group k + 1 before the own one has published. In front of the first group stands init.
    state group_value = init;
    tile_status group_status = back == group ? tile_status::prefix : tile_status::invalid;
    state earlier[Kokkos::max(window, 1)];  // of the tiles of the groups before
    bool has[Kokkos::max(window, 1)];
    UPSWEEP_UNROLL
    for (int k = 0; k < window; ++k) {
      earlier[k] = op.identity();
      has[k] = static_cast<std::size_t>(k) >= group;
    }
    // The first tiles all run at once and need the folds of all groups. Later ones find a prefix near by, and ask one
    // group more than they read tile by tile: what is polled less comes sooner. H200, 2026-11-22, compact of int32,
    // half of them kept, 2^28 and 2^22: all tiles ask all groups 455 and 18.0 us, all ask the near ones 446 and 18.6
    // us. (This choice between them is not timed.)
    int nearest = window > 1 && group >= group_size ? window : Lanes::size - 1;
    mask known = 0;  // groups before that have published their fold or their prefix
    bool published_fold = false;
    [[maybe_unused]] int poll = 0;
    for (;;) {
      // All loads go out before the first answer is looked at. What has been there is not read again, except from
      // groups that have published only their fold, whose prefix may have come: what is polled is what limits the
      // engine. H200, 2^28 int64, fraction of a copy: all lines each time 0.45, a branch for each line 0.85.
      bool const asks = back < group && lane <= nearest && group_status != tile_status::prefix;
      auto const own_words = stamped::load(tile_line(group * group_size + back), !has_own);
      auto const group_words = stamped::load(group_line(group - 1 - back), asks);
      typename stamped::words earlier_words[Kokkos::max(window, 1)];
      UPSWEEP_UNROLL
      for (int k = 0; k < window; ++k)
        earlier_words[k] =
            stamped::load(tile_line((group - 1 - static_cast<std::size_t>(k)) * group_size + back), !has[k]);
      // The branch needs them all. Without it nvcc 13, short of registers, decoded each one before it loaded the next:
      // 2^28 int32, inclusive, 0.82, with it 0.90; exclusive, where it happened not to, 0.91 both. Long states lose by
      // it, for lack of registers: two int64 0.73, without 0.79; 2x2 matrices 0.72, without 0.77.
      bool any_published = stamped::pieces > 2;
      if constexpr (stamped::pieces <= 2) {
        int published = stamped::may_be_published(own_words, epoch);
        published |= stamped::may_be_published(group_words, epoch);
        UPSWEEP_UNROLL
        for (int k = 0; k < window; ++k) published |= stamped::may_be_published(earlier_words[k], epoch);
        any_published = published != 0;
      }
      if (any_published) {
        if (asks) group_status = Kokkos::max(group_status, stamped::decode(group_words, epoch, group_value));
        if (!has_own) has_own = stamped::decode(own_words, epoch, own) != tile_status::invalid;
        UPSWEEP_UNROLL
        for (int k = 0; k < window; ++k)
          if (!has[k]) has[k] = stamped::decode(earlier_words[k], epoch, earlier[k]) != tile_status::invalid;
      }
      // With one lane nobody reads a group's fold.
      if (group_size > 1 && fills_group && !published_fold && Lanes::all(has_own)) {
        state const fold = internal::fold_lanes<Lanes>(op, own, lane);
        if (lane == 0) stamped::write(group_line(group), stamp::make(epoch, tile_status::aggregate), fold);
        published_fold = true;
      }
      known = Lanes::ballot(group_status != tile_status::invalid);
      mask const prefixes = Lanes::ballot(group_status == tile_status::prefix);
      if (prefixes != 0) {
        nearest = Lanes::lowest_set_bit(prefixes);
        mask const between = (mask(1) << nearest) - mask(1);
        bool complete = has_own && (between & ~known & ~by_tile) == 0;
        UPSWEEP_UNROLL
        for (int k = 0; k < window; ++k) complete = complete && (has[k] || k >= nearest || (known >> k & 1u) != 0);
        if (Lanes::all(complete)) break;
      }
      UPSWEEP_UNROLL
      for (int k = 0; k < window; ++k) has[k] = has[k] || (known >> k & 1u) != 0;
      if constexpr (Lanes::size == 1) compat::pause();  // a thread may wait for one that needs its core
      if constexpr (!std::is_same_v<Reduce, no_fallback>) {
        if (++poll > polls) {
          fall_back(group, wanted, FromFirst ? 0 : static_cast<int>(asker % group_size), epoch, op, init, lane, reduce);
          poll = 1;
        }
      }
    }
    state running = Lanes::shuffle(group_value, nearest);
    for (int k = nearest - 1; k >= window; --k) running = op(running, Lanes::shuffle(group_value, k));
    UPSWEEP_UNROLL
    for (int k = window - 1; k >= 0; --k) {
      if (k < nearest) {
        bool const is_known = (known >> k & 1u) != 0;
        running =
            op(running, is_known ? Lanes::shuffle(group_value, k) : internal::fold_lanes<Lanes>(op, earlier[k], lane));
      }
    }
    prefix found{running, running};
    state const left = lane < place ? own : op.identity();
    // Without tiles before in its group, nothing is added: init may be -0.0, which a sum with the identity is not.
    found.exclusive = place == 0 ? running : op(running, internal::fold_lanes<Lanes>(op, left, lane));
    if (closes) {
      found.inclusive = op(running, internal::fold_lanes<Lanes>(op, own, lane));
      if (lane == 0 && fills_group)
        stamped::write(group_line(group), stamp::make(epoch, tile_status::prefix), found.inclusive);
    }
    return found;
  }

  // Publishes what is missing of the prefix of the group before `group`, and of the first `wanted`
  // aggregates of `group`.
  template <class Reduce>
  KOKKOS_FUNCTION void fall_back(std::size_t group, int wanted, int start, std::uint32_t epoch, Monoid const& op,
                                 state const& init, int lane, Reduce const& reduce) const {
    std::size_t from = group;
    state running = init;
    for (; from > 0; --from) {
      bool const has_prefix = stamped::read(group_line(from - 1), epoch, running) == tile_status::prefix;
      if ((Lanes::ballot(has_prefix) & 1u) != 0) break;  // lane 0 decides: others may have read a moment earlier
    }
    running = from == 0 ? init : Lanes::shuffle(running, 0);
    for (; from < group; ++from) {
      state const aggregate = publish_missing(from, static_cast<int>(group_size), start, epoch, op, lane, reduce);
      running = op(running, internal::fold_lanes<Lanes>(op, aggregate, lane));
      if (lane == 0) stamped::upgrade(group_line(from), epoch, tile_status::prefix, running);
    }
    publish_missing(group, wanted, start, epoch, op, lane, reduce);
  }

  // Reduces the stalled ones among the first `count` tiles of a group, from place `start` on: other teams begin
  // elsewhere. Returns the aggregate of tile k in lane k.
  template <class Reduce>
  KOKKOS_FUNCTION state publish_missing(std::size_t group, int count, int start, std::uint32_t epoch, Monoid const& op,
                                        int lane, Reduce const& reduce) const {
    state aggregate = op.identity();
    std::size_t const first = group * group_size;
    auto const published = [&](std::size_t tile) {
      return stamped::read(tile_line(tile), epoch, aggregate) != tile_status::invalid;
    };
    bool is_there = lane >= count || published(first + static_cast<std::size_t>(lane));
    for (mask stalled = Lanes::ballot(!is_there); stalled != 0; stalled = Lanes::ballot(!is_there)) {
      mask const behind = stalled & static_cast<mask>(mask(0) - (mask(1) << start));
      int const k = Lanes::lowest_set_bit(behind != 0 ? behind : stalled);
      std::size_t const tile = first + static_cast<std::size_t>(k);
      state const reduced = reduce(tile);
      Kokkos::memory_fence();  // every lane: its reads come before the exchange
      Lanes::sync();
      if (lane == k) {
        stamped::upgrade(tile_line(tile), epoch, tile_status::aggregate, reduced);
        Kokkos::atomic_inc(&control->fallbacks);
      }
      // What is there now counts: in place, the input may have been overwritten while it was read. Meanwhile others may
      // have published.
      is_there = is_there || published(first + static_cast<std::size_t>(lane));
    }
    return aggregate;
  }
};

}  // namespace upsweep::scan::detail
