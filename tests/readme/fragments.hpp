// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What stands above the fragments of every page (check_readme.py).
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/mpi.hpp>
#include <upsweep/upsweep.hpp>

#include <cstdint>
#include <vector>

using space_type = Kokkos::DefaultExecutionSpace;
using vector3 = Kokkos::Array<double, 3>;
