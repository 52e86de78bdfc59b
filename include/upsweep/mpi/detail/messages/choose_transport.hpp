// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/fetch.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/messages/device_kind.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep::mpi::detail {

/// The environment variables UPSWEEP_TRANSPORT, UPSWEEP_NCCL_TIMEOUT and UPSWEEP_PEER_TIMEOUT, or what they mean where
/// they are not set.
struct transport_variables {
  std::string transport, nccl_timeout, peer_timeout;
};
transport_variables read_transport_variables();

/// What the variables and MPI say.
struct wanted_transfer {
  std::optional<way> forced;       ///< by UPSWEEP_TRANSPORT
  bool mpi_knows_devices = false;  ///< as it says itself
  double nccl_seconds = 0, peer_seconds = 0;
  std::string reason;
};
/// Throws precondition_error for values that are none.
wanted_transfer want_transfer(device_kind kind, transport_variables const& set);

template <class View>
struct write_pattern {
  View data;
  int rank;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    data(i) = static_cast<std::byte>((i * 37 + static_cast<std::size_t>(rank) * 11) & 255u);
  }
};

/// Sends bytes from one buffer to another of this rank. False when MPI returns an error or they come as another number.
bool sends_to_itself(exchange& alone, std::byte const* from, std::byte* to);

/// True on all ranks when it is true on all.
bool true_everywhere(communicator const& comm, bool mine);

/// Buffers and messages of the self-tests.
template <class ExecutionSpace>
struct transfer_test {
  using buffer = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;
  static constexpr std::size_t bytes = 4096;

  buffer sent, received;
  exchange alone, ring;
  int rank, left;

  transfer_test(communicator const& comm, ExecutionSpace const& space)
      : sent(allocate<std::byte>(space, bytes, "gpu_aware", "sent")),
        received(allocate<std::byte>(space, bytes, "gpu_aware", "received")),
        rank(comm.rank()),
        left((comm.rank() + comm.size() - 1) % comm.size()) {
    int const right = (comm.rank() + 1) % comm.size();
    alone.prepare(exchange::nobody, {{0, 0, bytes}}, {{0, 0, bytes}});
    ring.prepare(exchange::nobody, {{right, 0, bytes}}, {{left, 0, bytes}});
    fill(space, "upsweep::gpu_aware::write", rank);
  }
  void fill(ExecutionSpace const& space, char const* name, int writer) {
    upsweep::internal::for_each_index(space, name, bytes, write_pattern<buffer>{sent, writer});
    space.fence(name);
  }
  /// Whether what `writer` wrote has arrived.
  bool arrived(ExecutionSpace const& space, int writer) {
    fill(space, "upsweep::gpu_aware::expect", writer);
    bool const same = to_host(space, sent) == to_host(space, received);
    fill(space, "upsweep::gpu_aware::write", rank);
    Kokkos::deep_copy(space, received, std::byte{0});
    space.fence("upsweep::gpu_aware::clear");
    return same;
  }
};

/// Whether MPI moves device buffers: first each rank to itself, where an error concerns no other rank, then around a
/// ring. An error or wrong bytes on one rank is false on all.
template <class ExecutionSpace>
bool device_pointers_arrive(communicator const& comm, ExecutionSpace const& space) {
  auto test = all_or_none(comm, [&] { return transfer_test<ExecutionSpace>(comm, space); });
  bool good = all_or_none(comm, [&] {
    return sends_to_itself(test.alone, test.sent.data(), test.received.data()) && test.arrived(space, comm.rank());
  });
  if (!true_everywhere(comm, good)) return false;
  good = test.ring.try_run(comm.get(), test.sent.data(), test.received.data()).good();
  good = all_or_none(comm, [&] { return good && test.arrived(space, test.left); });
  return true_everywhere(comm, good);
}

/// Makes comm's communicator of NCCL and sends a buffer around a ring. Where that fails on one rank, all of them get
/// its reason, and do without; empty where bytes arrive.
template <class ExecutionSpace>
std::string connect_and_test_nccl(communicator const& comm, ExecutionSpace const& space, double seconds) {
  auto test = all_or_none(comm, [&] { return transfer_test<ExecutionSpace>(comm, space); });
  auto why_not = connect_nccl(comm, gpu_number(space), seconds);
  if (!why_not.empty()) return why_not;
  auto& nccl = access::transfers(comm).nccl;
  int marker = 0;
  auto failure = nccl->start(exchange::nobody, test.ring.sends(), test.ring.receives(), test.sent.data(),
                             test.received.data(), marker);
  if (!failure) failure = nccl->finish(marker);
  bool const arrived = all_or_none(comm, [&] { return !failure && test.arrived(space, test.left); });
  why_not = reason_of_all(comm, *nccl, failure, arrived ? nullptr : "bytes did not arrive in the self-test");
  if (!why_not.empty()) nccl.reset();
  return why_not;
}

/// Opens the windows of comm's GPUs, and sends a buffer from each rank to each other one. Where that fails on one rank,
/// all of them get its reason, and do without; empty where bytes arrive.
template <class ExecutionSpace>
std::string connect_and_test_peers(communicator const& comm, ExecutionSpace const& space, double seconds) {
  auto test = all_or_none(comm, [&] { return transfer_test<ExecutionSpace>(comm, space); });
  auto why_not = connect_peers(comm, gpu_number(space), seconds);
  if (!why_not.empty()) return why_not;
  auto& peers = access::transfers(comm).peers;
  int const rank = comm.rank(), size = comm.size();
  std::size_t const bytes = test.bytes;
  for (int step = 1; step < size && why_not.empty(); ++step) {
    int const to = (rank + step) % size, from = (rank + size - step) % size;
    auto const table = all_or_none(comm, [&] {
      peer_table made;
      made.set({{to, 0, bytes}}, {{from, 0, bytes}}, rank, size);
      return made;
    });
    std::uint32_t number = 0;
    auto fault = peers->start(table, test.sent.data(), test.received.data(), number);
    if (!fault) fault = peers->finish(number);
    if (fault) peers->give_up();  // so that the others do not wait
    bool const arrived = all_or_none(comm, [&] { return !fault && test.arrived(space, from); });
    why_not = reason_of_all(comm, [&] {
      if (fault) return peers->text(fault);
      return arrived ? std::string() : "bytes of rank " + std::to_string(from) + " did not arrive in the self-test";
    });
  }
  if (why_not.empty()) return why_not;
  close_peers(comm, *peers);
  peers.reset();
  return why_not;
}

/// How memory of a kind travels, as the variables, MPI and a self-test say. Collective.
template <class ExecutionSpace>
transfer find_transfer(communicator const& comm, ExecutionSpace const& space, device_kind kind) {
  static constexpr char const* function = "mpi::gpu_aware";
  auto const set = all_or_none(comm, [] { return read_transport_variables(); });
  upsweep::internal::fingerprint arguments;
  arguments.text(set.transport).text(set.nccl_timeout).text(set.peer_timeout);
  std::string name;
  auto const wanted = all_or_none_checked(
      comm, arguments, function,
      "the environment variables UPSWEEP_TRANSPORT, UPSWEEP_NCCL_TIMEOUT and UPSWEEP_PEER_TIMEOUT", [&] {
        name = std::string(ExecutionSpace::memory_space::name()) + ": ";
        return want_transfer(kind, set);
      });
  auto const result = [&](way by, auto const& describe) {
    return all_or_none(comm, [&] { return transfer{by, name + describe()}; });
  };
  if (kind == device_kind::host)
    return result(way::mpi, [] { return std::string("MPI reads and writes it in place"); });
  if (comm.size() == 1) return result(way::mpi, [] { return std::string("there is no other rank"); });

  std::string no_peers;
  bool const tries_peers = !wanted.forced || wanted.forced == way::peer;
  if (tries_peers) {
    no_peers = why_not_peer(comm, kind, gpu_number(space));
    if (no_peers.empty()) no_peers = connect_and_test_peers(comm, space, wanted.peer_seconds);
    if (no_peers.empty())
      return result(way::peer, [&] {
        return "kernels store into memory of the other GPUs of this node (" + wanted.reason + ", self-test passed)";
      });
  }

  // A device pointer that MPI does not know may be a crash, so it is tried only when MPI says that it knows them, or
  // the user does.
  bool const tries_mpi = true_everywhere(comm, wanted.forced ? wanted.forced == way::mpi : wanted.mpi_knows_devices);
  if (tries_mpi && device_pointers_arrive(comm, space))
    return result(way::mpi, [&] { return "device pointers go to MPI (" + wanted.reason + ", self-test passed)"; });

  std::string why_not;
  bool const tries_nccl = !wanted.forced || wanted.forced == way::nccl;
  if (tries_nccl) {
    why_not = why_not_nccl(comm, kind, gpu_number(space));
    if (why_not.empty()) {
      why_not = connect_and_test_nccl(comm, space, wanted.nccl_seconds);
      if (why_not.empty())
        return result(way::nccl, [&] {
          return access::transfers(comm).library->name() + ", a GPU for each rank (" + wanted.reason +
                 ", self-test passed)";
        });
    }
  }
  return result(way::staged, [&] {
    upsweep::internal::require(wanted.forced != way::mpi, function, [&] {
      return wanted.reason + ", but bytes of " + name.substr(0, name.size() - 2) + " did not arrive in the self-test";
    });
    upsweep::internal::require(wanted.forced != way::nccl, function, [&] {
      return wanted.reason + ", but " + why_not + "; UPSWEEP_TRANSPORT=staged, or auto, does without";
    });
    upsweep::internal::require(wanted.forced != way::peer, function, [&] {
      return wanted.reason + ", but " + no_peers + "; UPSWEEP_TRANSPORT=staged, or auto, does without";
    });
    return "staged through pinned host memory (" + wanted.reason + (tries_mpi ? ", self-test failed" : "") +
           (tries_peers ? "; no peer memory: " + no_peers : "") + (tries_nccl ? "; no NCCL: " + why_not : "") + ")";
  });
}

// Compiled once, in the library: every call that moves rows asks for it.
#if !defined(UPSWEEP_LINKS_NO_LIBRARY)
extern template transfer find_transfer(communicator const& comm, Kokkos::DefaultExecutionSpace const& space,
                                       device_kind kind);
#endif

/// How the space's memory travels, the same on all ranks. The first call for a communicator and memory space is
/// collective, later ones look it up.
template <class ExecutionSpace>
transfer const* transfer_of(communicator const& comm, ExecutionSpace const& space) {
  using memory_space = typename ExecutionSpace::memory_space;
  auto& known = access::transfers(comm).known;
  auto const at = known.find(memory_space::name());
  if (at != known.end()) return &at->second;
  auto found = find_transfer(comm, space, device_kind_of<memory_space>());
  // The cache is written after the agreement, by a merge that allocates nothing: all ranks have the entry, or none.
  std::remove_cvref_t<decltype(known)> entry;
  all_or_none(comm, [&] { entry.emplace(memory_space::name(), std::move(found)); });
  known.merge(entry);
  return &known.find(memory_space::name())->second;
}

}  // namespace upsweep::mpi::detail
