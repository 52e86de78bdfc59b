// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/bricks/halo_lists.hpp>
#include <upsweep/mpi/detail/bricks/halo_plan.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <vector>

namespace upsweep::mpi::detail {

/// The image of a ghost is that of its link, which is found by bisection in where links begin.
template <class Images, class LinkImages, class Starts>
struct store_images {
  Images images;
  LinkImages of_links;
  Starts starts;
  std::size_t owned;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    if (i < owned) {
      images(i) = upsweep::image(0, 0, 0);
      return;
    }
    std::size_t const ghost = i - owned;
    std::size_t link = 0, end = of_links.extent(0);  // starts(link) <= ghost < starts(end)
    while (end - link > 1) {
      std::size_t const middle = link + (end - link) / 2;
      if (starts(middle) <= ghost) link = middle;
      else end = middle;
    }
    images(i) = of_links(link);
  }
};

/// Images of owned particles and ghosts, made on the device.
template <class ExecutionSpace>
class ghost_images {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  using view = Kokkos::View<upsweep::image*, memory_space>;

  /// Waits for the instance.
  void set_links(ExecutionSpace const& space, std::vector<halo_link> const& receives) {
    std::vector<upsweep::image> images;
    for (auto const& link : receives) images.push_back(link.image);
    of_links_ = to_device(space, images, "halo", "images of links");
    starts_ = allocate<std::size_t>(space, receives.size() + 1, "halo", "starts of links");
  }

  /// New images in the memory of the last ones, unless somebody else holds these. `starts` must live until the
  /// instance is done.
  void store(ExecutionSpace const& space, std::vector<std::size_t> const& starts, std::size_t owned) {
    using starts_view = Kokkos::View<std::size_t*, memory_space>;
    std::size_t const all = owned + starts.back();
    clear();
    if (memory_.use_count() > 1) memory_ = {};
    grow_with_room(space, memory_, all, "images");
    Kokkos::deep_copy(space, starts_, host_span<std::size_t const>(starts.data(), starts.size()));
    upsweep::internal::for_each_index(space, "upsweep::halo::images", all,
                                      store_images<view, view, starts_view>{memory_, of_links_, starts_, owned});
    images_ = Kokkos::subview(memory_, Kokkos::make_pair(std::size_t(0), all));
  }
  void clear() { images_ = {}; }

  view const& images() const { return images_; }

 private:
  view of_links_, memory_, images_;
  Kokkos::View<std::size_t*, memory_space> starts_;
};

}  // namespace upsweep::mpi::detail
