// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../backend.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace perf::ranks {

namespace mpi = upsweep::mpi;

/// What all benchmarks of a run share.
struct session {
  mpi::communicator const& all;
  mpi::communicator const& alone;  ///< this rank only
  space instance;
  std::vector<std::string> operations;  ///< empty: all
  std::vector<std::size_t> sizes;       ///< elements or rows in all
  int measurements;
};

/// Names of what runs a benchmark, for the column `impl`: the distributed call on all ranks, the same call on a
/// communicator of rank 0 alone, and the call of one rank without any communicator.
std::string on_all_ranks(session const& s);
inline constexpr char const* on_one_rank = "upsweep_1_rank";
inline constexpr char const* without_ranks = "upsweep";
inline constexpr char const* by_mpi = "mpi";

/// A benchmark: the state, the ranks that run it, and n.
using body = std::function<void(benchmark::State&, mpi::communicator const&, std::size_t)>;

/// Registers a benchmark that all ranks run together.
void add_on_all(session const& s, std::string const& impl, std::string const& operation, std::string const& type,
                std::size_t n, body const& run);
/// Registers one that rank 0 runs alone, while the others wait without taking its processor.
void add_on_first(session const& s, std::string const& impl, std::string const& operation, std::string const& type,
                  std::size_t n, body const& run);

/// Whether a rank has the memory for so many bytes; ranks on host memory share it. The same on all ranks; rank 0 says
/// what is left out. Collective.
bool has_memory(session const& s, std::string const& impl, std::string const& operation, std::size_t n, double bytes);

/// Whether the operation was asked for.
bool wanted(session const& s, std::string const& operation);

void add_scans(session const& s);
void add_sorts(session const& s);
void add_states(session const& s);
void add_collectives(session const& s);
void add_migrations(session const& s);
void add_halos(session const& s);
void add_redistributions(session const& s);

/// The names of all operations.
std::vector<std::string> operations();

}  // namespace perf::ranks
