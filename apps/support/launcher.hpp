// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace apps {

/// This process' rank as its launcher put it into the environment, 0 where there is none: known before MPI_Init.
int launcher_rank();

/// How many processes the launcher has started, this one included, as it put it into the environment; 1 where there is
/// none. SLURM's variables do not count: the script of a batch job, which is one process, has them, too.
int launcher_size();

}  // namespace apps
