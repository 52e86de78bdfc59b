// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/check_particles.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/masks/gpu/group_box.hpp>
#include <upsweep/neighbors/detail/masks/gpu/group_filter.hpp>
#include <upsweep/neighbors/detail/small_systems/small_systems.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// What the scratch of a team has room for.
struct system_room {
  int particles;
  int words;  ///< of 32 candidates

  KOKKOS_FUNCTION int candidates() const { return 32 * words; }
  /// Words from a row to the next: odd, so that rows side by side begin in different banks.
  KOKKOS_FUNCTION int stride() const { return words | 1; }
};

/// An image in 16 bits: each component from -16 to 15.
class small_image {
 public:
  static constexpr int limit = 16;
  KOKKOS_FUNCTION explicit small_image(image im)
      : packed_(static_cast<std::uint16_t>((im.x() + limit) | (im.y() + limit) << 5 | (im.z() + limit) << 10)) {}
  KOKKOS_FUNCTION image wide() const {
    int const bits = packed_;
    return {(bits & 31) - limit, (bits >> 5 & 31) - limit, (bits >> 10) - limit};
  }

 private:
  std::uint16_t packed_;
};

/// Scratch of a team for its system.
template <class Real, class Lanes>
struct system_scratch {
  static constexpr int most_warps = 4;
  static constexpr int notes_each = 16;  ///< of a row: pairs that are put together
  /// From one to the next: so that the notes of a row are in as many banks.
  static constexpr int note_stride = Lanes::size + 2;
  using point = typename group_filter<Lanes>::point;
  /// The cells of the system.
  struct cell_tables {
    std::uint16_t keys[most_particles_of_small_system];
    std::uint16_t sorted[most_particles_of_small_system];  ///< keys in the order of places
    std::uint16_t starts[2 * most_particles_of_small_system + 1];
  };
  struct team_words {
    std::uint64_t before[most_warps], largest_of_warp[most_warps];
    warp_bounds<Real, Lanes> bounds[most_warps];
    particle_summary<Real> summaries[most_warps];
    grid_layout<Real> layout;
    int near[2][most_warps], sums[most_warps];
    bool bad[most_warps];
    int team;
  };
  struct points_of_warp {
    point at[Lanes::size];
  };
  struct notes_of_warp {
    std::uint16_t candidate[notes_each * note_stride];
  };

  system_room room;
  team_words* common;
  std::uint32_t* hits;       ///< of each row a word for each 32 candidates
  small_image* images;       ///< of each candidate
  std::uint8_t* index;       ///< of each candidate, its particle in the system
  std::uint32_t* row_begin;  ///< where rows begin among those of the system; behind them, where the last one ends
  std::uint16_t* self;       ///< of each particle, its number among the candidates
  // These share memory: cells are needed until candidates are found, points until they are tested, then notes.
  Real* at[3];  ///< coordinates of particles; beside cells and points
  cell_tables* cells;
  points_of_warp* points;
  notes_of_warp* notes;

  /// In place of hits, until all candidates are found: what warps have found, and for how many times 32 there is room.
  KOKKOS_FUNCTION std::uint16_t* codes() const { return reinterpret_cast<std::uint16_t*>(hits); }
  KOKKOS_FUNCTION int code_words() const { return words_of_hits(room) / 16; }

  static std::size_t bytes(system_room const& room) {
    auto const particles = static_cast<std::size_t>(room.particles), words = static_cast<std::size_t>(room.words);
    auto const rounded = [](std::size_t n) { return (n + alignment - 1) / alignment * alignment; };
    return alignment + rounded(sizeof(team_words)) +
           rounded(sizeof(std::uint32_t) * static_cast<std::size_t>(words_of_hits(room))) +
           rounded(sizeof(small_image) * 32 * words) + rounded(32 * words) +
           rounded(sizeof(std::uint32_t) * (particles + 1)) + rounded(sizeof(std::uint16_t) * particles) +
           rounded(bytes_in_turn(room.particles));
  }

  template <class Member>
  KOKKOS_FUNCTION system_scratch(Member const& m, system_room const& of)
      : room(of),
        common(take<team_words>(m, 1)),
        hits(take<std::uint32_t>(m, words_of_hits(of))),
        images(take<small_image>(m, of.candidates())),
        index(take<std::uint8_t>(m, of.candidates())),
        row_begin(take<std::uint32_t>(m, of.particles + 1)),
        self(take<std::uint16_t>(m, of.particles)) {
    char* const in_turn = take<char>(m, static_cast<int>(bytes_in_turn(of.particles)));
    notes = reinterpret_cast<notes_of_warp*>(in_turn);
    points = reinterpret_cast<points_of_warp*>(in_turn);
    cells = reinterpret_cast<cell_tables*>(in_turn);
    at[0] = reinterpret_cast<Real*>(in_turn + most_warps * sizeof(points_of_warp));
    at[1] = at[0] + of.particles;
    at[2] = at[1] + of.particles;
  }

 private:
  static constexpr std::size_t alignment = 16;
  static constexpr int least_hits = 256;
  static_assert(sizeof(cell_tables) <= most_warps * sizeof(points_of_warp));

  KOKKOS_FUNCTION static constexpr std::size_t bytes_in_turn(int particles) {
    std::size_t const first =
                          most_warps * sizeof(points_of_warp) + 3 * sizeof(Real) * static_cast<std::size_t>(particles),
                      then = most_warps * sizeof(notes_of_warp);
    return first > then ? first : then;
  }
  KOKKOS_FUNCTION static int words_of_hits(system_room const& room) {
    int const all = room.particles * room.stride();
    return all > least_hits ? all : least_hits;
  }
  template <class T, class Member>
  KOKKOS_FUNCTION static T* take(Member const& m, int n) {
    return static_cast<T*>(m.team_scratch(0).get_shmem_aligned(static_cast<std::size_t>(n) * sizeof(T), alignment));
  }
};

/// The system of a team, as its threads know it.
template <class Real, class Lanes>
struct team_system {
  int number;                ///< of the batch's systems
  int first = 0, count = 0;  ///< particles
  group_box<Real, Lanes> around = {};
  grid_geometry<Real> const* grid = nullptr;
};

}  // namespace upsweep::neighbors::detail
