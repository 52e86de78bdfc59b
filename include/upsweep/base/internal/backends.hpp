// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

// UPSWEEP_FOR_EACH_BACKEND(macro): macro(space) for each execution space that Kokkos has and the library is compiled
// for.

#if defined(KOKKOS_ENABLE_SERIAL)
#define UPSWEEP_IF_SERIAL(macro) macro(Kokkos::Serial)
#else
#define UPSWEEP_IF_SERIAL(macro)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
#define UPSWEEP_IF_OPENMP(macro) macro(Kokkos::OpenMP)
#else
#define UPSWEEP_IF_OPENMP(macro)
#endif
#if defined(KOKKOS_ENABLE_THREADS)
#define UPSWEEP_IF_THREADS(macro) macro(Kokkos::Threads)
#else
#define UPSWEEP_IF_THREADS(macro)
#endif
#if defined(KOKKOS_ENABLE_CUDA)
#define UPSWEEP_IF_CUDA(macro) macro(Kokkos::Cuda)
#else
#define UPSWEEP_IF_CUDA(macro)
#endif
#if defined(KOKKOS_ENABLE_HIP)
#define UPSWEEP_IF_HIP(macro) macro(Kokkos::HIP)
#else
#define UPSWEEP_IF_HIP(macro)
#endif

#define UPSWEEP_FOR_EACH_BACKEND(macro) \
  UPSWEEP_IF_SERIAL(macro)              \
  UPSWEEP_IF_OPENMP(macro) UPSWEEP_IF_THREADS(macro) UPSWEEP_IF_CUDA(macro) UPSWEEP_IF_HIP(macro)
