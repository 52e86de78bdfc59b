// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/mailbox.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// What is behind the kernels of a call: the counts for the host, which are in the mailbox or at `counts`, or a wait if
/// memory has to be freed.
template <int Parts, class ExecutionSpace>
Kokkos::Array<std::uint64_t, Parts> finish_counts(ExecutionSpace const& space, internal::mailbox<ExecutionSpace>& mail,
                                                  std::uint64_t const* counts, bool to_host,
                                                  internal::temporary_memory const& memory, char const* function) {
  Kokkos::Array<std::uint64_t, Parts> found{};
  if (mail.is_in_use()) mail.take(found.data(), Parts, internal::label(function, "fetch"));
  else if (to_host) internal::fetch(space, counts, found.data(), Parts, internal::label(function, "fetch"));
  else if (memory.owned()) space.fence(internal::label(function, "fence"));
  return found;
}

/// The same for one count, of results that the output must have room for.
template <class ExecutionSpace>
std::uint64_t finish_count(ExecutionSpace const& space, internal::mailbox<ExecutionSpace>& mail,
                           std::uint64_t const* count, bool to_host, std::size_t room,
                           internal::temporary_memory const& memory, char const* function) {
  std::uint64_t const found = finish_counts<1>(space, mail, count, to_host, memory, function)[0];
  if (to_host) require_room(found, room, function);
  return found;
}

}  // namespace upsweep::pack::detail
