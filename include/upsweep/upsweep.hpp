// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Everything that needs no MPI: base, team, scan, pack and neighbors.

#include <upsweep/base/access_count.hpp>
#include <upsweep/base/allocate.hpp>
#include <upsweep/base/compensated_plus.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/reproducible_plus.hpp>
#include <upsweep/base/segmented.hpp>
#include <upsweep/base/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/cell_grid.hpp>
#include <upsweep/neighbors/displacement.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/list_hash.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/unique.hpp>
#include <upsweep/scan/batched_scan.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_with_total.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_scan.hpp>
#include <upsweep/scan/temporary_bytes.hpp>
#include <upsweep/team/blelloch.hpp>
#include <upsweep/team/brent_kung.hpp>
#include <upsweep/team/brent_kung_k_ary.hpp>
#include <upsweep/team/brent_kung_out_of_place.hpp>
#include <upsweep/team/coarsened.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/kogge_stone_double_buffered.hpp>
#include <upsweep/team/member.hpp>
#include <upsweep/team/reduce.hpp>
#include <upsweep/team/segmented.hpp>
#include <upsweep/team/sequential.hpp>
#include <upsweep/team/shuffle.hpp>
#include <upsweep/version.hpp>
