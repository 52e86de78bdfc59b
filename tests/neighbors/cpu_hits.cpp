// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The compiled loops of the lists, of every instruction set that this processor has, against what they promise.

#include "../oracle/instruction_sets.hpp"

#include <upsweep/neighbors/detail/masks/distance_filter.hpp>
#include <upsweep/neighbors/detail/masks/hits.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#if defined(UPSWEEP_CPU_KERNELS)
namespace {

namespace detail = upsweep::neighbors::detail;
using upsweep::internal::instruction_set;

class cpu_hits : public oracle::instruction_set_test {};
INSTANTIATE_TEST_SUITE_P(all, cpu_hits, oracle::all_instruction_sets(), oracle::name_of_instruction_set);

/// Candidates around a corner of space, related to an origin.
template <class Real>
struct neighbourhood {
  int n;
  std::vector<Real> x, y, z;
  std::vector<float> near[4];
  Real const origin[3] = {Real(1000.25), Real(-20), Real(7)}, shift[3];

  neighbourhood(int count, bool shifted)
      : n(count), shift{shifted ? Real(33) : Real(0), 0, shifted ? Real(-5) : Real(0)} {
    std::mt19937_64 random(static_cast<unsigned>(n));
    std::uniform_real_distribution<Real> u(-4, 4);
    for (int k = 0; k < n; ++k) {
      x.push_back(origin[0] - shift[0] + u(random));
      y.push_back(origin[1] - shift[1] + u(random));
      z.push_back(origin[2] - shift[2] + u(random));
    }
    for (auto& v : near) v.assign(static_cast<std::size_t>((n + 31) / 32 * 32 + 32), 0.0f);
  }
  detail::filter_candidates candidates() { return {near[0].data(), near[1].data(), near[2].data(), near[3].data()}; }
  double at(int d, int k) const {
    auto const& of = d == 0 ? x : d == 1 ? y : z;
    return (double(of[static_cast<std::size_t>(k)]) - double(origin[d])) + double(shift[d]);
  }
};

/// Candidate i becomes particle i of the group.
void put_particle(detail::filter_particles& group, int i, detail::filter_candidates const& near) {
  group.x[i] = -2 * near.x[i];
  group.y[i] = -2 * near.y[i];
  group.z[i] = -2 * near.z[i];
}

template <class Real>
void relate_and_test(instruction_set which, int n, int particles, bool shifted) {
  SCOPED_TRACE(std::to_string(n) + " candidates, " + std::to_string(particles) + " particles");
  auto const& kernels = detail::cpu_hits<Real>(which);
  neighbourhood<Real> all(n, shifted);
  auto const near = all.candidates();
  kernels.relate({all.x.data(), all.y.data(), all.z.data(), n}, n, all.origin, all.shift, near);
  int const whole = (n + 31) / 32 * 32;
  std::fill(near.squared + n, near.squared + whole, 0.0f);
  double most = 0;
  for (int k = 0; k < n; ++k) {
    double const x = all.at(0, k), y = all.at(1, k), z = all.at(2, k);
    ASSERT_NEAR(near.x[k], x, 1e-4);
    ASSERT_NEAR(near.y[k], y, 1e-4);
    ASSERT_NEAR(near.z[k], z, 1e-4);
    ASSERT_NEAR(near.squared[k], x * x + y * y + z * z, 1e-3);
    most = std::max(most, double(near.squared[k]));
  }
  EXPECT_EQ(kernels.largest(near.squared, whole), static_cast<float>(most));
  std::fill(near.squared + n, near.squared + whole, std::numeric_limits<float>::infinity());

  // The first candidates are the particles, too; every other one is so far from the rest that nothing is
  // certain for it.
  double const cutoff_squared = 9,
               error_bound =
                   detail::distance_error_bound<Real>({2 * std::sqrt(most), shifted ? 34.0 : 0.0, cutoff_squared});
  detail::filter_particles group{};
  group.count = particles;
  for (int i = 0; i < particles; ++i) {
    put_particle(group, i, near);
    double const own = double(near.squared[i]), width = i % 2 == 0 ? error_bound : 100.0;
    group.certain[i] = static_cast<float>(cutoff_squared - own - width);
    group.possible[i] = static_cast<float>(cutoff_squared - own + width);
  }
  auto const each = static_cast<std::size_t>(whole / 32);
  std::vector<std::uint32_t> words(each * 64, 0xdeadbeefu), possible = words;
  std::vector<int> hits(64, -1);
  std::uint64_t const undecided = kernels.test(near, whole, group, words.data(), possible.data(), hits.data());
  for (int i = 0; i < particles; ++i) {
    int found = 0;
    bool differ = false;
    bool const is_undecided = undecided >> i & 1;
    for (std::size_t w = 0; w < each; ++w) {
      std::size_t const at = static_cast<std::size_t>(i) * each + w;
      found += std::popcount(words[at]);
      if (!is_undecided) {
        EXPECT_EQ(possible[at], 0xdeadbeefu);
        possible[at] = words[at];
      }
      differ = differ || words[at] != possible[at];
    }
    EXPECT_EQ(hits[static_cast<std::size_t>(i)], found);
    EXPECT_EQ(is_undecided, differ);
    for (int k = 0; k < whole; ++k) {
      std::size_t const at = static_cast<std::size_t>(i) * each + static_cast<std::size_t>(k) / 32;
      bool const certain = words[at] >> k % 32 & 1, open = possible[at] >> k % 32 & 1;
      double const dx = k < n ? all.at(0, k) - all.at(0, i) : 1e9, dy = k < n ? all.at(1, k) - all.at(1, i) : 0,
                   dz = k < n ? all.at(2, k) - all.at(2, i) : 0, squared = dx * dx + dy * dy + dz * dz;
      ASSERT_TRUE(!certain || squared <= cutoff_squared) << i << " " << k;
      ASSERT_TRUE(open || squared > cutoff_squared) << i << " " << k;
      ASSERT_TRUE(open || !certain);
      ASSERT_TRUE(certain == open || i % 2 != 0 || std::abs(squared - cutoff_squared) < 4 * error_bound);
    }
  }
  EXPECT_TRUE(particles < 2 || n < 100 || undecided != 0);
  EXPECT_EQ(words[static_cast<std::size_t>(particles) * each], 0xdeadbeefu);
}

TEST_P(cpu_hits, pairs_are_decided_or_undecided) {
  for (int n : {1, 5, 16, 31, 32, 33, 100, 500})
    for (int particles : {1, 2, 3, 5, 63})
      for (bool shifted : {false, true}) {
        if (particles > n) continue;
        relate_and_test<float>(GetParam(), n, particles, shifted);
        relate_and_test<double>(GetParam(), n, particles, shifted);
      }
}

/// Ids of candidates in halves, and one's own.
struct split_list {
  std::vector<std::int64_t> all;
  std::vector<int> low, high;
  detail::split_ids halves(bool wide) const { return {low.data(), wide ? high.data() : nullptr}; }

  split_list(int n, bool wide, std::mt19937_64& random) {
    for (int k = 0; k < n; ++k) {
      auto const near = static_cast<std::int64_t>(random() % 100) - (wide ? 50 : 0);
      all.push_back(wide && random() % 2 == 0 ? static_cast<std::int64_t>(random()) : near);
      low.push_back(detail::split_id::of(all.back()).low);
      high.push_back(detail::split_id::of(all.back()).high);
    }
  }
};

std::vector<std::uint32_t> random_words(int n, std::mt19937_64& random) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(n) / 32);
  for (auto& word : words) word = static_cast<std::uint32_t>(random() & random());
  return words;
}

bool bit(std::vector<std::uint32_t> const& words, int k) {
  return words[static_cast<std::size_t>(k) / 32] >> k % 32 & 1;
}

TEST_P(cpu_hits, half_lists_and_exclusions_by_id) {
  auto const& kernels = detail::cpu_hits<float>(GetParam());
  std::mt19937_64 random(3);
  for (bool wide : {false, true})
    for (int n : {32, 64, 320}) {
      split_list const ids(n, wide, random);
      auto const before = random_words(n, random);
      std::vector<std::uint32_t> odd(before.size());
      kernels.parities(ids.low.data(), n, odd.data());
      for (int own = 0; own < n; own += 5) {
        auto const id = ids.all[static_cast<std::size_t>(own)];
        auto half = before, without = before;
        int const left = kernels.keep_half(ids.halves(wide), odd.data(), n, detail::split_id::of(id), half.data());
        kernels.remove(ids.halves(wide), n, detail::split_id::of(id), without.data());
        int expected = 0;
        for (int k = 0; k < n; ++k) {
          auto const other = ids.all[static_cast<std::size_t>(k)];
          bool const even = (static_cast<std::uint64_t>(id ^ other) & 1) == 0;
          bool const kept = bit(before, k) && other != id && (id < other) == even;
          expected += kept ? 1 : 0;
          ASSERT_EQ(bit(half, k), kept) << id << " " << other;
          ASSERT_EQ(bit(without, k), bit(before, k) && other != id) << id << " " << other;
        }
        ASSERT_EQ(left, expected);
        ASSERT_EQ(kernels.count(half.data(), n / 32), expected);
      }
    }
}

bool is_in_half_list(std::int64_t i, std::int64_t j) { return i != j && (i < j) == (((i ^ j) & 1) == 0); }

TEST(half_numbers, say_which_pairs_a_half_list_has) {
  std::mt19937_64 random(8);
  // Lower halves of both signs; at most 2^31 - 1 apart.
  for (std::int64_t const first :
       {std::int64_t(0), std::int64_t(1) << 31, -(std::int64_t(1) << 31), std::int64_t(5) << 32})
    for (int pass = 0; pass < 1000; ++pass) {
      auto const any = [&] { return first + static_cast<std::int64_t>(random() >> (pass % 2 == 0 ? 33 : 60)); };
      std::int64_t const i = pass % 3 == 0 ? first : any(), j = pass % 5 == 0 ? first + 0x7fffffff : any();
      auto const number = [](std::int64_t id) {
        return static_cast<std::uint32_t>(detail::half_number(detail::split_id::of(id)));
      };
      ASSERT_EQ(static_cast<std::int32_t>(number(i) - number(j)) < 0, is_in_half_list(i, j)) << i << " " << j;
    }
}

/// A test with numbers finds those pairs of a half list that a test without finds.
template <class Real>
void test_half(detail::cpu_hit_kernels<Real> const& kernels) {
  constexpr int n = 320, particles = 11;
  neighbourhood<Real> all(n, false);
  auto near = all.candidates();
  kernels.relate({all.x.data(), all.y.data(), all.z.data(), n}, n, all.origin, all.shift, near);
  std::vector<float> radius(n, 0.1f);
  std::vector<int> ids, numbers;
  std::mt19937_64 random(9);
  for (int k = 0; k < n; ++k) {
    ids.push_back(static_cast<int>(random() % 200));  // some twice
    numbers.push_back(detail::half_number(detail::split_id::of(ids.back())));
  }
  detail::filter_particles group{};
  group.count = particles;
  for (int i = 0; i < particles; ++i) {
    put_particle(group, i, near);
    group.half_number[i] = numbers[static_cast<std::size_t>(i)];
    float const own = near.squared[i];
    group.certain[i] = (i % 2 == 0 ? 9.0f : 7.0f) - own;
    group.possible[i] = 9.0f - own;
  }
  using words_of = std::vector<std::uint32_t>;
  words_of words(n / 32 * 64), possible = words, half_words = words, half_possible = words;
  std::vector<int> hits(64), half_hits(64);
  for (float* const radii : {static_cast<float*>(nullptr), radius.data()}) {
    near.radius = radii;
    near.half_numbers = nullptr;
    auto const open = kernels.test(near, n, group, words.data(), possible.data(), hits.data());
    near.half_numbers = numbers.data();
    auto const half_open = kernels.test(near, n, group, half_words.data(), half_possible.data(), half_hits.data());
    int found = 0;
    for (int i = 0; i < particles; ++i) {
      int left = 0;
      for (int k = 0; k < n; ++k) {
        int const at = 32 * (n / 32 * i) + k;
        bool const has = is_in_half_list(ids[static_cast<std::size_t>(i)], ids[static_cast<std::size_t>(k)]);
        ASSERT_EQ(bit(half_words, at), bit(words, at) && has) << i << " " << k;
        if ((half_open >> i & 1) != 0) {
          ASSERT_EQ(bit(half_possible, at), bit(possible, at) && has) << i << " " << k;
        } else if ((open >> i & 1) != 0) {
          ASSERT_EQ(bit(half_words, at), bit(possible, at) && has) << i << " " << k;
        }
        left += bit(half_words, at) ? 1 : 0;
      }
      ASSERT_EQ(half_hits[static_cast<std::size_t>(i)], left);
      found += left;
    }
    EXPECT_GT(found, 100);
    EXPECT_NE(half_open, 0u);
  }
}

TEST_P(cpu_hits, pairs_are_halved) {
  auto const& kernels = detail::cpu_hits<double>(GetParam());
  ASSERT_EQ(kernels.halves, GetParam() != instruction_set::portable);
  if (!kernels.halves) return;
  test_half(kernels);
  test_half(detail::cpu_hits<float>(GetParam()));
}

/// With radii, a pair is a hit where its distance is at most their sum.
template <class Real>
void test_radii(instruction_set which) {
  auto const& kernels = detail::cpu_hits<Real>(which);
  constexpr int n = 160, particles = 60;
  neighbourhood<Real> all(n, false);
  auto near = all.candidates();
  kernels.relate({all.x.data(), all.y.data(), all.z.data(), n}, n, all.origin, all.shift, near);
  std::vector<float> radius, limited;
  for (int k = 0; k < n; ++k) {
    radius.push_back(0.01f * static_cast<float>(k));
    limited.push_back(near.squared[k] - radius.back() * radius.back());
  }
  double const most = kernels.largest(near.squared, n),
               error_bound = detail::distance_error_bound<Real>({2 * std::sqrt(most), 0.0, 9.0, 16.0});
  detail::filter_particles group{};
  group.count = particles;
  for (int i = 0; i < particles; ++i) {
    put_particle(group, i, near);
    group.radius[i] = -2 * radius[static_cast<std::size_t>(i)];
    double const own = double(radius[static_cast<std::size_t>(i)]);
    group.certain[i] = static_cast<float>(own * own - double(near.squared[i]) - error_bound);
    group.possible[i] = static_cast<float>(own * own - double(near.squared[i]) + error_bound);
  }
  std::vector<std::uint32_t> words(n / 32 * 64), possible = words;
  std::vector<int> hits(64, -1);
  std::uint64_t const undecided = kernels.test({near.x, near.y, near.z, limited.data(), radius.data()}, n, group,
                                               words.data(), possible.data(), hits.data());
  int certain_hits = 0, sure_misses = 0;
  for (int i = 0; i < particles; ++i)
    for (int k = 0; k < n; ++k) {
      auto const at = static_cast<std::size_t>(i * (n / 32) + k / 32);
      double const d[3] = {all.at(0, k) - all.at(0, i), all.at(1, k) - all.at(1, i), all.at(2, k) - all.at(2, i)},
                   reach = 0.01 * (i + k), beyond = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - reach * reach;
      bool const certain = words[at] >> k % 32 & 1;
      bool const open = undecided >> i & 1 ? possible[at] >> k % 32 & 1 : certain;
      // The radii of this test are floats of decimal numbers.
      ASSERT_TRUE(!certain || beyond <= 1e-6) << i << " " << k;
      ASSERT_TRUE(open || beyond > -1e-6) << i << " " << k;
      ASSERT_TRUE(open || !certain);
      certain_hits += certain ? 1 : 0;
      sure_misses += open ? 0 : 1;
    }
  EXPECT_GT(certain_hits, 100);
  EXPECT_GT(sure_misses, 1000);
}

TEST_P(cpu_hits, radii_limit_pairs) {
  test_radii<float>(GetParam());
  test_radii<double>(GetParam());
}

template <class Real>
void measure(instruction_set which) {
  auto const& kernels = detail::cpu_hits<Real>(which);
  neighbourhood<Real> const all(300, true);
  std::mt19937_64 random(5);
  for (int n = 0; n < 40; ++n) {
    std::vector<int> places;
    for (int k = 0; k < n; ++k) places.push_back(static_cast<int>(random() % 300));
    auto const size = static_cast<std::size_t>(n);
    std::vector<Real> way(3 * size + 8, Real(-1)), distance(size + 8, Real(-1)), same_way(3 * size);
    detail::pairs_of_particle<Real> const pairs{all.x.data(),
                                                all.y.data(),
                                                all.z.data(),
                                                places.data(),
                                                {all.origin[0], all.origin[1], all.origin[2]},
                                                {all.shift[0], all.shift[1], all.shift[2]}};
    kernels.measure(pairs, n, way.data(), distance.data());
    kernels.measure(pairs, n, same_way.data(), nullptr);
    std::vector<Real> squared(size + 8, Real(-1));
    kernels.square(pairs, n, squared.data());
    for (std::size_t k = 0; k < size; ++k) {
      auto const j = static_cast<std::size_t>(places[k]);
      Real const x = (all.x[j] - all.origin[0]) + all.shift[0], y = (all.y[j] - all.origin[1]) + all.shift[1];
      Real const z = (all.z[j] - all.origin[2]) + all.shift[2];
      ASSERT_EQ(way[3 * k], x);
      ASSERT_EQ(way[3 * k + 1], y);
      ASSERT_EQ(way[3 * k + 2], z);
      ASSERT_EQ(squared[k], std::fma(z, z, std::fma(y, y, x * x)));
      ASSERT_EQ(distance[k], std::sqrt(squared[k]));
    }
    ASSERT_EQ(squared[size], Real(-1));
    ASSERT_TRUE(std::equal(same_way.begin(), same_way.end(), way.begin()));
    ASSERT_EQ(way[3 * size], Real(-1));
    ASSERT_EQ(distance[size], Real(-1));
  }
}

TEST_P(cpu_hits, displacements_distances_and_squares) {
  measure<float>(GetParam());
  measure<double>(GetParam());
}

template <class Real>
void find_numbers_near_a_rank(detail::cpu_hit_kernels<Real> const& kernels) {
  std::mt19937_64 random(3);
  // Spread, with ties, almost equal, at both ends, all 0.
  for (int kind = 0; kind < 5; ++kind)
    for (int const n : {1, 2, 11, 12, 13, 14, 31, 32, 79, 100, 1000}) {
      std::vector<Real> numbers;
      for (int k = 0; k < n; ++k) {
        Real const u = std::uniform_real_distribution<Real>(0, Real(6.25))(random);
        numbers.push_back(kind == 0   ? u
                          : kind == 1 ? std::floor(u)
                          : kind == 2 ? std::nextafter(Real(3), u)
                          : kind == 3 ? (u < 1 ? std::ldexp(u, -100) : Real(6.25))
                                      : Real(0));
      }
      auto expected = numbers;
      std::sort(expected.begin(), expected.end());
      std::vector<Real> room(numbers.size() + 2, Real(-1));
      for (int wanted = 1; wanted <= n; wanted += 1 + n / 40) {
        auto const [count, below] = kernels.near_rank(numbers.data(), n, wanted, Real(6.25), room.data());
        ASSERT_TRUE(below < wanted && wanted <= below + count) << kind << ", " << wanted << " of " << n;
        std::vector<Real> around(room.begin(), room.begin() + count);
        std::sort(around.begin(), around.end());
        ASSERT_TRUE(std::equal(around.begin(), around.end(), expected.begin() + below))
            << kind << ", " << wanted << " of " << n;
        if (kind == 0) {
          ASSERT_LE(count, 40) << wanted << " of " << n;
        }
      }
      ASSERT_EQ(room.back(), Real(-1)) << "behind the last of " << n;
    }
}

TEST_P(cpu_hits, numbers_near_a_rank) {
  find_numbers_near_a_rank(detail::cpu_hits<float>(GetParam()));
  find_numbers_near_a_rank(detail::cpu_hits<double>(GetParam()));
}

TEST_P(cpu_hits, selected_in_order) {
  auto const& kernels = detail::cpu_hits<double>(GetParam());
  std::mt19937 random(1);
  for (int n : {1, 16, 17, 32, 33, 128, 500})
    for (std::uint32_t often : {0u, 1u, 8u, 16u}) {
      std::vector<int> in(static_cast<std::size_t>(n) + 32), out(static_cast<std::size_t>(n) + 32), expected;
      std::vector<std::uint32_t> words(static_cast<std::size_t>(n + 31) / 32);
      for (int k = 0; k < n; ++k) {
        in[static_cast<std::size_t>(k)] = 7 * k - 3;
        if (k / 128 % 2 != 0 || random() % 16 >= often) continue;  // whole blocks of words without hits, too
        words[static_cast<std::size_t>(k) / 32] |= std::uint32_t(1) << k % 32;
        expected.push_back(7 * k - 3);
      }
      out.resize(static_cast<std::size_t>(kernels.select(in.data(), words.data(), n, out.data())));
      EXPECT_EQ(out, expected) << n;
    }
}

TEST_P(cpu_hits, streams_write_what_they_should_alone) {
  auto const& kernels = detail::cpu_hits<float>(GetParam());
  std::vector<int> in(100);
  for (int k = 0; k < 100; ++k) in[static_cast<std::size_t>(k)] = k + 1;
  for (int first = 0; first < 20; ++first)
    for (int n = 0; n < 70; ++n) {
      std::vector<int> out(128, -1), expected = out;
      std::copy(in.begin(), in.begin() + n, expected.begin() + first);
      kernels.prefetch_for_stream(out.data() + first, out.data() + first + n);
      kernels.prefetch_for_store(out.data() + first, out.data() + first + n);
      kernels.stream(in.data(), n, out.data() + first);
      kernels.finish();
      ASSERT_EQ(out, expected) << first << " " << n;
    }
}

}  // namespace
#endif
