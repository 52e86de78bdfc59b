// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/workspace.hpp>

#include <algorithm>
#include <utility>

namespace upsweep {

workspace::workspace(any_instance const& space) : memory_(space.make_memory()), protocol_(space.make_memory()) {}

internal::error_word workspace::errors(any_instance const& space) {
  reserve(space, 0);
  // A call that ended between errors() and take_error() may have left something.
  if (std::exchange(is_reporting_, true)) memory_->write_word(0, 0);
  return {error_words()};
}

internal::error_word workspace::errors(any_instance const& space, std::string_view function) {
  reserve(space, 0);
  std::size_t k = 0;
  while (k < functions_.size() && functions_[k] != function) ++k;
  if (k == functions_.size()) {
    internal::require(k + 1 < error_word_count, "workspace",
                      "it keeps the errors of " + std::to_string(k) + " functions and has no word for those of " +
                          std::string(function));
    functions_.emplace_back(function);
  }
  return {error_words() + k + 1};
}

std::byte* workspace::result_slot(any_instance const& space) {
  reserve(space, 0);
  return memory_->data() + error_word_count * sizeof(std::uint64_t);
}

std::byte* workspace::reserve(any_instance const& space, std::size_t bytes) {
  require_same_instance(space);
  if (memory_->size() < header_bytes + bytes) {
    // Errors not yet checked must survive growth, also growth that fails: the old memory is gone then.
    if (memory_->size() != 0) pending_ = read_errors();
    memory_->grow(header_bytes + bytes);
    for (std::size_t k = 0; k < error_word_count; ++k)
      if (pending_[k] != 0) memory_->write_word(k, std::exchange(pending_[k], 0));
  }
  auto const used = reinterpret_cast<std::uintptr_t>(memory_->data()) + front_bytes;
  return memory_->data() + front_bytes + (alignment - used % alignment) % alignment;
}

std::byte* workspace::reserve_protocol(any_instance const& space, std::size_t bytes) {
  require_same_instance(space);
  if (protocol_->size() < bytes) protocol_->grow(bytes);
  return protocol_->data();
}

std::byte* workspace::begin_protocol(any_instance const& space, std::size_t bytes) {
  std::byte* const region = reserve_protocol(space, bytes);
  if (std::exchange(is_in_protocol_, true)) protocol_->clear();
  return region;
}

void workspace::check(any_instance const& space) {
  reserve(space, 0);
  error_values const found = read_errors();
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    if (found[k + 1] == 0) continue;
    memory_->write_word(k + 1, 0);
    internal::throw_data_error(found[k + 1], functions_[k]);
  }
}

std::uint64_t workspace::take_error(any_instance const& space) { return take_error(space, nullptr, 0); }

std::uint64_t workspace::take_error(any_instance const& space, std::uint64_t* results, std::size_t count) {
  reserve(space, 0);
  front_values front;
  memory_->read_words(front.data(), error_word_count + count);
  std::copy_n(front.begin() + error_word_count, count, results);
  if (front[0] != 0) memory_->write_word(0, 0);
  is_reporting_ = false;
  return front[0];
}

void workspace::require_same_instance(any_instance const& space) const {
  if (!space.owns(*memory_))
    throw precondition_error(
        "workspace: it was made for another execution-space instance than the one given; make one workspace per "
        "instance");
}

workspace::error_values workspace::read_errors() const {
  error_values values;
  memory_->read_words(values.data(), values.size());
  return values;
}

}  // namespace upsweep
