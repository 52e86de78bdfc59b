// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/forces/own_pair.hpp"
#include "../../apps/nbody/forces/pair_coefficients.hpp"
#include "../../apps/nbody/forces/pair_laws.hpp"
#include "../../apps/nbody/forces/pair_table.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using nbody::read_coefficients;

template <class Law>
void expect_force_is_derivative() {
  for (double r = 0.8; r < 2.5; r += 0.0171) {
    double const h = 1e-5, slope = (Law::energy((r + h) * (r + h)) - Law::energy((r - h) * (r - h))) / (2 * h);
    EXPECT_NEAR(Law::force_over_r(r * r) * r, -slope, 1e-6 * (1 + std::abs(slope))) << r;
  }
}

TEST(pair_laws, forces_are_derivatives_of_energies) {
  expect_force_is_derivative<nbody::lennard_jones_law>();
  expect_force_is_derivative<nbody::soft_sphere_law>();
  expect_force_is_derivative<nbody::own_law>();
}

struct fill_row {
  nbody::pair_table::coefficients rows;
  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    for (int k = 0; k < 4; ++k) rows(row, k) = 10.0 * static_cast<double>(row) + k;
  }
};
struct choose_row {
  nbody::pair_table table;
  Kokkos::View<double* [3], nbody::memory_space> found;
  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    auto const types = static_cast<std::int32_t>(row);
    auto const chosen = table.force_coefficients_of_few(types / table.types, types % table.types);
    for (std::size_t k = 0; k < 3; ++k) found(row, k) = chosen[k];
  }
};

// What GPUs choose by the types has the numbers that others load.
TEST(pair_table, coefficients_of_few_types_are_those_of_the_rows) {
  nbody::space_type const space;
  for (int const types : {1, 2}) {
    nbody::pair_table table;
    table.types = types;
    table.of_forces = nbody::make<nbody::pair_table::coefficients>(space, "forces", types * types);
    Kokkos::View<double* [3], nbody::memory_space> const found("found", types * types);
    Kokkos::parallel_for("fill", nbody::particles(space, types * types), fill_row{table.of_forces});
    Kokkos::parallel_for("choose", nbody::particles(space, types * types), choose_row{table, found});
    space.fence();
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, found);
    for (std::size_t row = 0; row < host.extent(0); ++row)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(host(row, k), 10.0 * static_cast<double>(row) + static_cast<double>(k))
            << types << " types, row " << row;
  }
}

TEST(pair_coefficients, what_is_not_given_is_mixed) {
  auto const given = read_coefficients("x", "# two types\n1 1 4 1\n\n 2 2\t1 3 2.0 # small\r\n");
  nbody::require_complete("x", given, 2.5);
  auto const all = nbody::all_pairs(given, 2.5);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].epsilon, 4);
  EXPECT_EQ(all[0].cutoff, 2.5);
  EXPECT_EQ(all[3].cutoff, 2.0);
  for (auto const k : {1, 2}) {
    EXPECT_EQ(all[k].epsilon, 2);
    EXPECT_EQ(all[k].sigma, 2);
    EXPECT_EQ(all[k].cutoff, 2.5);
  }
  // A pair of two types in any order.
  auto const both = nbody::all_pairs(read_coefficients("x", "1 1 1 1\n2 2 1 1\n2 1 7 5 1"), 2.5);
  EXPECT_EQ(both[1].epsilon, 7);
  EXPECT_EQ(both[2].sigma, 5);
  EXPECT_EQ(both[2].cutoff, 1);
}

std::string refusal(std::string const& text, double cutoff = 2.5) {
  try {
    nbody::require_complete("x", read_coefficients("x", text), cutoff);
    return {};
  } catch (upsweep::input_error const& e) {
    return e.what();
  }
}

TEST(pair_coefficients, what_is_wrong_is_said) {
  for (auto const& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"", "x: no coefficients"},
           {"# nothing\n", "x: no coefficients"},
           {"1 1 1", "x:1: 3 words (expected type type epsilon sigma [cutoff])"},
           {"1 1 1 1 1 1", "x:1: 6 words"},
           {"\n1 1 0 1", "x:2: '0' for epsilon (expected a finite number above 0)"},
           {"1 1 1 -1", "x:1: '-1' for sigma"},
           {"1 1 1 1e999", "x:1: '1e999' for sigma"},
           {"1 1 1 1,5", "x:1: '1,5' for sigma"},
           {"1 1 1 1 0", "x:1: '0' for the cutoff"},
           {"1 1 1 1 2.6", "types 1 and 1 have the cutoff 2.6 (expected at most that of --cutoff, 2.5)"},
           {"0 1 1 1", "x:1: '0' for a type (expected an integer from 1 to 1000)"},
           {"1 1001 1 1", "x:1: '1001' for a type"},
           {"import numpy as np", "x:1: 'import' for a type"},
           {"1 4294967297 1 1", "x:1: '4294967297' for a type"},
           {"1 1 1 1\n1 2 1 1", "nothing for type 2 (expected a line 2 2 epsilon sigma)"},
           {"1 1 1 1\n2 2 1 1\n1 2 1 1\n2 1 1 1", "x:4: types 1 and 2 for the second time"},
       })
    EXPECT_NE(refusal(text).find(says), std::string::npos) << text << ": " << refusal(text);
}

TEST(fuzz, pair_coefficients) {
  using namespace std::string_literals;  // texts with a zero byte
  std::mt19937 random(3);
  auto const below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::string const start = "1 1 1.0 1.0 2.5\n2 2 0.5 0.88\n1 2 1.5 0.8 # mixed\n",
                    hostile = " \n\t#-+.eE0129,xn\0\xff"s;
  int taken = 0;
  for (int k = 0; k < 20000; ++k) {
    auto text = start;
    for (auto changes = below(5); changes-- > 0;) text[below(text.size())] = hostile[below(hostile.size())];
    try {
      auto const given = read_coefficients("x", text);
      nbody::require_complete("x", given, 2.5);
      for (auto const& c : nbody::all_pairs(given, 2.5)) {
        EXPECT_GT(c.epsilon, 0);
        EXPECT_GT(c.sigma, 0);
        EXPECT_GT(c.cutoff, 0);
        EXPECT_LE(c.cutoff, 2.5);
      }
      ++taken;
    } catch (upsweep::input_error const&) {
    }
  }
  EXPECT_GT(taken, 1000);
  EXPECT_LT(taken, 19000);
}

}  // namespace
