# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  headers
  blelloch.hpp
  brent_kung.hpp
  brent_kung_k_ary.hpp
  brent_kung_out_of_place.hpp
  coarsened.hpp
  detail/lanes.hpp
  detail/scan_calls.hpp
  internal/warp_sums.hpp
  kogge_stone.hpp
  kogge_stone_double_buffered.hpp
  member.hpp
  reduce.hpp
  sequential.hpp
  shuffle.hpp
  testing/counting.hpp
  testing/fibre.hpp
  testing/lockstep_array.hpp
  testing/lockstep_lanes.hpp
  testing/lockstep_league.hpp
  testing/lockstep_member.hpp
)
