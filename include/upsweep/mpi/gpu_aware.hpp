// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/index_policy.hpp>
#include <upsweep/base/internal/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/exchange_bytes.hpp>
#include <upsweep/mpi/detail/host_copy.hpp>
#include <upsweep/mpi/detail/transfer_cache.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep::mpi {

namespace detail {

enum class device_kind { host, cuda, hip, other };

template <class MemorySpace>
constexpr device_kind device_kind_of() {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible) return device_kind::host;
#if defined(KOKKOS_ENABLE_CUDA)
  else if constexpr (std::is_same_v<MemorySpace, Kokkos::CudaSpace>) return device_kind::cuda;
#endif
#if defined(KOKKOS_ENABLE_HIP)
  else if constexpr (std::is_same_v<MemorySpace, Kokkos::HIPSpace>) return device_kind::hip;
#endif
  else return device_kind::other;
}

/// What is wanted for a kind of memory.
struct wanted_transfer {
  bool direct = false;     ///< device pointers go to MPI, if they arrive
  bool is_forced = false;  ///< by UPSWEEP_TRANSPORT
  std::string reason;
};

/// UPSWEEP_TRANSPORT, or auto where it is not set.
std::string transport_setting();
/// What a setting (auto, mpi or staged) says; for auto what MPI answers.
wanted_transfer want_transfer(device_kind kind, std::string const& setting);

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

/// Buffers and messages of the self-test.
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
    Kokkos::parallel_for(name, upsweep::internal::index_policy(space, bytes), write_pattern<buffer>{sent, writer});
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

/// How the space's memory travels where MPI has to be asked. Collective.
template <class ExecutionSpace>
transfer find_transfer(communicator const& comm, ExecutionSpace const& space) {
  using memory_space = typename ExecutionSpace::memory_space;
  static constexpr char const* function = "mpi::gpu_aware";
  auto const setting = all_or_none(comm, [] { return transport_setting(); });
  upsweep::internal::fingerprint arguments;
  arguments.text(setting.c_str());
  wanted_transfer mine;
  all_or_none_checked(comm, arguments, function, "the environment variable UPSWEEP_TRANSPORT",
                      [&] { mine = want_transfer(device_kind_of<memory_space>(), setting); });
  bool const wanted = true_everywhere(comm, mine.direct);
  // A single rank has no other to send to. A device pointer that MPI does not know may be a crash, so it is tried only
  // when MPI says that it knows them, or the user does.
  bool const tried = wanted && comm.size() > 1;
  bool const works = tried && device_pointers_arrive(comm, space);
  return all_or_none(comm, [&]() -> transfer {
    std::string const name = memory_space::name();
    if (comm.size() == 1) return {false, name + ": there is no other rank"};
    if (works) return {true, name + ": device pointers go to MPI (" + mine.reason + ", self-test passed)"};
    upsweep::internal::require(!(tried && mine.is_forced), function,
                               mine.reason + ", but bytes of " + name + " did not arrive in the self-test");
    return {false,
            name + ": staged through pinned host memory (" + mine.reason + (tried ? ", self-test failed)" : ")")};
  });
}

/// How the space's memory travels; null for host memory, which MPI takes as it is, unless the cache says otherwise. The
/// first call for a memory space of a device is collective, later ones look it up.
template <class ExecutionSpace>
transfer const* transfer_of(communicator const& comm, ExecutionSpace const& space) {
  using memory_space = typename ExecutionSpace::memory_space;
  auto& known = comm.transfers().known;
  auto const at = known.find(memory_space::name());
  if (at != known.end()) return &at->second;
  if constexpr (device_kind_of<memory_space>() == device_kind::host) {
    return nullptr;
  } else {
    auto found = find_transfer(comm, space);
    // The cache is written after the agreement, by a merge that allocates nothing: all ranks have the entry, or none.
    std::remove_cvref_t<decltype(known)> entry;
    all_or_none(comm, [&] { entry.emplace(memory_space::name(), std::move(found)); });
    known.merge(entry);
    return &known.find(memory_space::name())->second;
  }
}

/// Whether MPI gets this space's pointers: transfer_of in short.
template <class ExecutionSpace>
bool transfers_directly(communicator const& comm, ExecutionSpace const& space) {
  transfer const* const found = transfer_of(comm, space);
  return found == nullptr || found->direct;
}

}  // namespace detail

/// Whether device memory of this execution space is handed to MPI as it is.
/// Asked at run time: the environment variable UPSWEEP_TRANSPORT says mpi (yes), staged (no: through pinned host
/// memory) or auto, which is MPI's own query. A yes is checked by sending a small device buffer, first from each rank
/// to itself, then around a ring. An error on one rank makes it false on all. Host-accessible memory is always true.
/// Sync: the first call for a communicator and memory space is collective.
/// Throws: for memory of devices, on all ranks alike: precondition_error when the variable has another value, differs
/// between ranks, or is mpi and bytes did not arrive.
template <class ExecutionSpace>
bool gpu_aware(communicator const& comm, ExecutionSpace const& space) {
  return detail::transfers_directly(comm, space);
}

/// The same for people: "Cuda: staged through pinned host memory (MPI says that it is not GPU-aware)".
template <class ExecutionSpace>
std::string describe_transfers(communicator const& comm, ExecutionSpace const& space) {
  detail::transfer const* const found = detail::transfer_of(comm, space);
  return found != nullptr ? found->description
                          : std::string(ExecutionSpace::memory_space::name()) + ": MPI reads and writes it in place";
}

}  // namespace upsweep::mpi
