// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A kernel of your own in which every team scans a row: the scan of layer team, with scratch and a running prefix.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/team/coarsened.hpp>

#include <cstddef>
#include <random>
#include <vector>

constexpr int items = 4;  // values that a thread holds in registers
using algorithm = upsweep::team::coarsened<items, upsweep::team::kogge_stone>;

/// Row r, values(offsets(r)) ... values(offsets(r + 1) - 1), becomes its own running sum. A team takes a row: it goes
/// along it in pieces of team_size * items values, each of which begins with the sum of the pieces before.
struct scan_rows {
  using policy = Kokkos::TeamPolicy<>;
  Kokkos::View<int const*> offsets;
  Kokkos::View<int*> values;

  KOKKOS_FUNCTION void operator()(policy::member_type const& team) const {
    std::size_t const bytes = algorithm::scratch_bytes<int>(team.team_size());
    auto* const scratch = static_cast<int*>(team.team_scratch(0).get_shmem_aligned(bytes, alignof(int)));
    int const begin = offsets(team.league_rank()), end = offsets(team.league_rank() + 1);
    upsweep::plus<int> const sum;
    int prefix = sum.identity();
    for (int piece = begin; piece < end; piece += team.team_size() * items) {
      int const first = piece + team.team_rank() * items;
      int mine[items];
      for (int k = 0; k < items; ++k) mine[k] = first + k < end ? values(first + k) : sum.identity();
      // All threads of the team call it; a thread behind the end of the row has identities.
      algorithm::inclusive_scan(team, mine, sum, scratch, prefix);
      for (int k = 0; k < items; ++k)
        if (first + k < end) values(first + k) = mine[k];
    }
  }
};

std::vector<int> running_sums(std::vector<int> const& offsets, std::vector<int> const& values) {
  scan_rows const kernel{example::to_device(offsets), example::to_device(values)};
  int const rows = static_cast<int>(offsets.size()) - 1;
  // Teams as large as the backend likes, and scratch for the largest that there can be.
  auto policy = scan_rows::policy(rows, Kokkos::AUTO);
  auto const most = static_cast<int>(algorithm::scratch_bytes<int>(1024) + alignof(int));
  policy.set_scratch_size(0, Kokkos::PerTeam(most));
  Kokkos::parallel_for("scan_rows", policy, kernel);
  return upsweep::to_host(Kokkos::DefaultExecutionSpace(), kernel.values);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  // The row of the lecture, an empty one, that of the slides and that of the article.
  example::expect("rows of 8, 0, 6 and 4",
                  running_sums({0, 8, 8, 14, 18}, {3, 1, 7, 0, 4, 1, 6, 3, 4, 3, 7, 9, 2, 3, 1, 2, 3, 4}),
                  {3, 4, 11, 11, 15, 16, 22, 25, 4, 7, 14, 23, 25, 28, 1, 3, 6, 10});

  // Rows of up to 3000 values.
  std::mt19937 random(1);
  std::vector<int> offsets{0}, values, expected;
  for (int row = 0; row < 200; ++row) {
    int sum = 0;
    for (int left = static_cast<int>(random() % 3000); left > 0; --left) {
      values.push_back(static_cast<int>(random() % 100));
      expected.push_back(sum += values.back());
    }
    offsets.push_back(static_cast<int>(values.size()));
  }
  example::confirm("200 long rows are those of a loop", running_sums(offsets, values) == expected);
  return example::exit_code();
}
