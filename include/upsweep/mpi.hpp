// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Everything that works over MPI ranks. Link Upsweep::mpi.

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/bisect.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/compact.hpp>
#include <upsweep/mpi/counts_to_offsets.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/mpi/gpu_aware.hpp>
#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/histogram.hpp>
#include <upsweep/mpi/inclusive_scan.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/mpi/migration.hpp>
#include <upsweep/mpi/pack_lists.hpp>
#include <upsweep/mpi/partition.hpp>
#include <upsweep/mpi/rank_count.hpp>
#include <upsweep/mpi/redistribute.hpp>
#include <upsweep/mpi/redistribute_evenly.hpp>
#include <upsweep/mpi/redistribute_rows.hpp>
#include <upsweep/mpi/redistribution.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/mpi/reduce_by_key.hpp>
#include <upsweep/mpi/scan_by_key.hpp>
#include <upsweep/mpi/segmented_scan.hpp>
#include <upsweep/mpi/sort.hpp>
#include <upsweep/mpi/unique.hpp>
