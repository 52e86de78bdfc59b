// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/bricks/halo_plan.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/rows/row_route.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep::mpi::detail {

/// One message a peer, in rows, of rows between the offsets of links. Links are in order of peers.
inline void messages_by_peer(std::vector<halo_link> const& links, std::vector<std::size_t> const& offsets,
                             std::vector<message>& messages) {
  messages.clear();
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (messages.empty() || messages.back().peer != links[l].peer) messages.push_back({links[l].peer, offsets[l], 0});
    messages.back().bytes += offsets[l + 1] - offsets[l];
  }
}

/// How many ghosts go over each link, which a rank learns from its peers. Made once for a plan.
class halo_counts {
 public:
  void set_links(int rank, std::vector<halo_link> const& sends, std::vector<halo_link> const& receives) {
    give_.assign(sends.size(), 0);
    take_.assign(receives.size(), 0);
    starts_.assign(receives.size() + 1, 0);
    std::vector<message> out, in;
    messages_by_peer(sends, consecutive(sends.size()), out);
    messages_by_peer(receives, consecutive(receives.size()), in);
    exchange_.prepare(rank, out, in, sizeof(std::uint64_t));
    // A rank meets itself over the same links in both lists.
    auto const is_own = [&](halo_link const& l) { return l.peer == rank; };
    own_sends_ = std::find_if(sends.begin(), sends.end(), is_own) - sends.begin();
    own_receives_ = std::find_if(receives.begin(), receives.end(), is_own) - receives.begin();
    own_links_ = std::count_if(sends.begin(), sends.end(), is_own);
  }

  /// What this rank gives; local. Allocates nothing.
  void set(std::vector<std::size_t> const& sent) {
    for (std::size_t l = 0; l < give_.size(); ++l) give_[l] = sent[l + 1] - sent[l];
  }

  /// Collective. Allocates nothing.
  void run(communicator const& comm) {
    exchange_.run(comm, reinterpret_cast<std::byte const*>(give_.data()), reinterpret_cast<std::byte*>(take_.data()));
    std::copy_n(give_.begin() + own_sends_, own_links_, take_.begin() + own_receives_);
    sum_counts(take_, starts_);
  }

  /// Where the ghosts of each receiving link begin among all, and their number.
  std::vector<std::size_t> const& starts() const { return starts_; }

 private:
  static std::vector<std::size_t> consecutive(std::size_t n) {
    std::vector<std::size_t> offsets(n + 1);
    for (std::size_t i = 0; i <= n; ++i) offsets[i] = i;
    return offsets;
  }

  std::vector<std::uint64_t> give_, take_;
  std::vector<std::size_t> starts_;
  exchange exchange_;
  std::ptrdiff_t own_sends_ = 0, own_receives_ = 0, own_links_ = 0;
};

}  // namespace upsweep::mpi::detail
