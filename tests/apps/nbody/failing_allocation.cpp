// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// operator new with one failure, linked with the objects of upsweep-nbody. UPSWEEP_TEST_FAIL=rank,number,least,most: on
// this rank the allocation of this number, counted from 1 among those of `least` to `most` bytes while Kokkos runs,
// fails. (Before that, libraries allocate where nobody can catch.)

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

struct wish {
  long number = 0;  // 0: none on this rank
  std::size_t least = 0, most = 0;

  wish() {
    char const* const text = std::getenv("UPSWEEP_TEST_FAIL");
    char const* rank = std::getenv("PMI_RANK");
    if (rank == nullptr) rank = std::getenv("OMPI_COMM_WORLD_RANK");
    if (rank == nullptr) rank = "0";
    long of_rank = 0;
    if (text == nullptr || std::sscanf(text, "%ld,%ld,%zu,%zu", &of_rank, &number, &least, &most) != 4 ||
        of_rank != std::atol(rank))
      number = 0;
  }
};

void* allocate(std::size_t size, std::size_t alignment) {
  static wish const failure;  // allocates nothing
  static std::atomic<long> seen{0};
  bool const counts = size >= failure.least && size <= failure.most;
  if (failure.number > 0 && counts && Kokkos::is_initialized() && ++seen == failure.number) throw std::bad_alloc();
  // aligned_alloc wants a multiple of the alignment.
  std::size_t const rounded = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The standard library's other forms of new and delete call these.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
