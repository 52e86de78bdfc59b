// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Everything that needs no MPI: base, team, scan, pack and neighbors.

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/cell_grid.hpp>
#include <upsweep/neighbors/displacement.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/list_hash.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_with_total.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/team/coarsened.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/version.hpp>
