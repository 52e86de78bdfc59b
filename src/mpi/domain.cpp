// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/domain.hpp>

#include <string>

namespace upsweep::mpi {

namespace {
std::string text(rank_grid const& g) {
  return std::to_string(g[0]) + " x " + std::to_string(g[1]) + " x " + std::to_string(g[2]);
}
}  // namespace

rank_grid choose_grid(int ranks, Kokkos::Array<double, 3> const& lengths, rank_grid const& wanted) {
  static constexpr char const* function = "mpi::choose_grid";
  // Messages are made only for errors: domain calls this after ranks have agreed, so success must not allocate.
  auto const refuse = [](std::string const& why) { throw precondition_error(std::string(function) + ": " + why); };
  if (ranks <= 0) refuse("ranks = " + std::to_string(ranks));
  for (int d = 0; d < 3; ++d)
    if (wanted[d] < 0) refuse("the rank grid " + text(wanted) + " has a negative component");
  auto const fits = [&](int d, int g) { return wanted[d] == 0 || wanted[d] == g; };
  rank_grid best{0, 0, 0};
  double smallest = 0;
  for (int gx = 1; gx <= ranks; ++gx) {
    if (ranks % gx != 0 || !fits(0, gx)) continue;
    for (int gy = 1; gy <= ranks / gx; ++gy) {
      int const gz = ranks / gx / gy;
      if (ranks / gx % gy != 0 || !fits(1, gy) || !fits(2, gz)) continue;
      double const a = lengths[0] / gx, b = lengths[1] / gy, c = lengths[2] / gz;
      double const surface = a * b + b * c + c * a;
      // Equal surfaces, up to rounding: the first one, so that every machine chooses alike.
      if (best[0] == 0 || surface < smallest * (1 - 1e-9)) {
        best = {gx, gy, gz};
        smallest = surface;
      }
    }
  }
  if (best[0] == 0)
    refuse("no rank grid of the form " + text(wanted) + " (0 = free) has " + std::to_string(ranks) +
           " bricks, one for each rank");
  return best;
}

}  // namespace upsweep::mpi
