// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstring>

namespace upsweep::mpi::detail {

/// Whether the monoid says that (a b) c and a (b c) are the same bits. MPI may then group the ranks as it likes.
template <class Monoid>
inline constexpr bool exactly_associative = requires { requires Monoid::exactly_associative; };

/// Which ranks a call combines: those below this one, all of them, or both.
enum class which_ranks { below, all, both };

/// A monoid as an operation of MPI on one state of bytes. One at a time on a host thread: MPI hands its callback no
/// pointer to a monoid, so a variable of the thread has it.
template <class Monoid>
class mpi_operation {
  using state = typename Monoid::value_type;

 public:
  mpi_operation(communicator const& comm, Monoid const& monoid) : comm_(comm) {
    current_ = &monoid;
    check(comm, MPI_Type_contiguous(static_cast<int>(sizeof(state)), MPI_BYTE, &type_), "MPI_Type_contiguous");
    check(comm, MPI_Type_commit(&type_), "MPI_Type_commit");
    check(comm, MPI_Op_create(&combine_states, 0, &operation_), "MPI_Op_create");
  }
  mpi_operation(mpi_operation const&) = delete;
  mpi_operation& operator=(mpi_operation const&) = delete;
  ~mpi_operation() {
    MPI_Op_free(&operation_);
    MPI_Type_free(&type_);
  }

  /// The combination of the states of these ranks; `identity` where there are none. Collective.
  state combine(which_ranks which, state const& mine, state const& identity) const {
    state result = identity;
    if (which == which_ranks::all)
      check(comm_, MPI_Allreduce(&mine, &result, 1, type_, operation_, comm_.get()), "MPI_Allreduce");
    else check(comm_, MPI_Exscan(&mine, &result, 1, type_, operation_, comm_.get()), "MPI_Exscan");
    // MPI leaves the prefix of rank 0 undefined.
    return which == which_ranks::below && comm_.rank() == 0 ? identity : result;
  }

 private:
  /// MPI's buffers need not be aligned for a state.
  static void combine_states(void* left, void* right_and_result, int* count, MPI_Datatype*) {
    auto const* l = static_cast<std::byte const*>(left);
    auto* r = static_cast<std::byte*>(right_and_result);
    for (int k = 0; k < *count; ++k, l += sizeof(state), r += sizeof(state)) {
      state a, b;
      std::memcpy(static_cast<void*>(&a), l, sizeof(state));
      std::memcpy(static_cast<void*>(&b), r, sizeof(state));
      b = (*current_)(a, b);
      std::memcpy(r, static_cast<void const*>(&b), sizeof(state));
    }
  }

  static inline thread_local Monoid const* current_ = nullptr;

  communicator const& comm_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op operation_ = MPI_OP_NULL;
};

}  // namespace upsweep::mpi::detail
