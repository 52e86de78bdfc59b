// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernel of GPUs that sorts rows of lists, on a CPU: with lockstep lanes, for warps of 32 and wavefronts of 64.

#include <upsweep/neighbors/detail/pairs/warp_sort_rows.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

namespace {

using upsweep::image;
using upsweep::neighbors::detail::sort_rows_kernel;
using upsweep::neighbors::detail::warp_sort_rows;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

struct host_list {
  std::vector<std::size_t> offsets{0};
  std::vector<int> neighbors;
  std::vector<image> images;
  std::vector<std::int64_t> ids;
  std::vector<image> ghosts;
};

/// Rows of many lengths of neighbours below `particles`: few, so that a particle comes often, in several images. Half
/// of them have ids that 32 bits cannot hold; every other row has none of these.
host_list random_list(int particles) {
  std::mt19937_64 random(7);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  auto const any_image = [&] { return image(below(3) - 1, below(5) - 2, below(3) - 1); };
  host_list list;
  for (int const n :
       {0, 1, 2, 3, 31, 32, 33, 0, 63, 64, 65, 78, 127, 128, 129, 200, 255, 256, 257, 300, 511, 512, 513}) {
    for (int k = 0; k < n; ++k) {
      list.neighbors.push_back(below(list.offsets.size() % 2 == 0 ? particles : particles / 2));
      list.images.push_back(any_image());
    }
    list.offsets.push_back(list.neighbors.size());
  }
  for (int j = 0; j < particles; ++j) {
    std::int64_t const id = (std::int64_t(j / 2) * 30000001) % (std::int64_t(1) << 32);  // two have the same
    list.ids.push_back(j < particles / 2 ? id : j % 2 == 0 ? -id - 1 : id << 32);
    list.ghosts.push_back(any_image());
  }
  list.ids[2] = (std::int64_t(1) << 32) - 1;
  list.ids[3] = std::int64_t(1) << 31;
  return list;
}

/// Images of -1, 0 and 1 beside small indices, and rows that have one of another image, or the largest index below
/// 2^26, or the next one.
host_list list_of_near_images() {
  std::mt19937_64 random(8);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  auto const any_image = [&] { return image(below(3) - 1, below(3) - 1, below(3) - 1); };
  host_list list;
  for (int const n : {1, 5, 31, 33, 64, 78, 79, 80, 81, 82, 128, 250}) {
    for (int k = 0; k < n; ++k) {
      list.neighbors.push_back(below(20));
      list.images.push_back(any_image());
    }
    std::size_t const last = list.images.size() - 1;
    if (n == 64) list.images[last] = image(2, 2, 2);
    if (n == 78) list.images[last] = image(3, 0, 0);
    if (n == 79) list.images[last] = image(0, -2, 0);
    if (n == 80) list.neighbors[last] = (1 << 26) - 1;
    if (n == 81) list.neighbors[last] = 1 << 26;
    if (n == 82) list.images[last] = image(-512, -1, 511);
    list.offsets.push_back(list.neighbors.size());
  }
  return list;
}

template <class Lanes, bool Imaged>
void check_of(host_list const& in, bool by_id, bool with_ghosts) {
  constexpr bool imaged = Imaged;
  host_list out = in;
  sort_rows_kernel const list{out.offsets.data(), out.neighbors.data(), imaged ? out.images.data() : nullptr,
                              by_id ? out.ids.data() : nullptr, with_ghosts ? out.ghosts.data() : nullptr};
  std::size_t const rows = out.offsets.size() - 1;
  using kernel = warp_sort_rows<Lanes, Imaged>;
  kernel const k{list, static_cast<std::int64_t>(rows)};
  lockstep_league league(1);
  league.run(static_cast<int>(rows / kernel::warps + 1), kernel::team_size,
             [&](lockstep_league_member const& m) { k(m); });
  for (std::size_t i = 0; i < rows; ++i) {
    using entry = std::tuple<std::int64_t, image, image, int>;
    auto const row = [&](host_list const& of) {
      std::vector<entry> result;
      for (std::size_t e = of.offsets[i]; e < of.offsets[i + 1]; ++e) {
        int const j = of.neighbors[e];
        auto const at = static_cast<std::size_t>(j);
        result.emplace_back(by_id ? in.ids[at] : j, imaged ? of.images[e] : image(0, 0, 0),
                            with_ghosts ? in.ghosts[at] : image(0, 0, 0), j);
      }
      return result;
    };
    auto expected = row(in);
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(row(out), expected) << "row " << i << ", imaged " << imaged << ", by id " << by_id;
  }
}

template <class Lanes>
void check(host_list const& in, bool imaged, bool by_id, bool with_ghosts) {
  if (imaged) check_of<Lanes, true>(in, by_id, with_ghosts);
  else check_of<Lanes, false>(in, by_id, with_ghosts);
}

TEST(lockstep_sort_rows, warps_and_wavefronts) {
  host_list const any = random_list(300), near = list_of_near_images();
  for (bool const imaged : {false, true}) {
    check<lockstep_lanes<32>>(near, imaged, false, false);
    check<lockstep_lanes<64>>(near, imaged, false, false);
    for (bool const by_id : {false, true})
      for (bool const with_ghosts : {false, true}) {
        check<lockstep_lanes<32>>(any, imaged, by_id, with_ghosts);
        check<lockstep_lanes<64>>(any, imaged, by_id, with_ghosts);
      }
  }
}

}  // namespace
