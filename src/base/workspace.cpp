// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/workspace.hpp>

#include <algorithm>
#include <utility>

namespace upsweep {

workspace::workspace(any_instance const& space) : memory_(space.make_memory()), protocol_(space.make_memory()) {}

void workspace::check(any_instance const& space) {
  using internal::access;
  access::reserve(*this, space, 0);
  access::error_values const found = access::read_errors(*this);
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    if (found[k + 1] == 0) continue;
    memory_->write_word(k + 1, 0);
    internal::throw_data_error(found[k + 1], functions_[k]);
  }
}

namespace internal {

void access::require_same_instance(workspace const& memory, any_instance const& space) {
  if (!space.owns(*memory.memory_))
    throw precondition_error(
        "workspace: it was made for another execution-space instance than the one given; make one workspace per "
        "instance");
}

std::byte* access::reserve(workspace& memory, any_instance const& space, std::size_t bytes) {
  require_same_instance(memory, space);
  auto& held = *memory.memory_;
  if (held.size() < header_bytes + bytes) {
    // Errors not yet checked must survive growth, also growth that fails: the old memory is gone then.
    if (held.size() != 0) memory.pending_ = read_errors(memory);
    held.grow(header_bytes + bytes);
    for (std::size_t k = 0; k < error_word_count; ++k)
      if (memory.pending_[k] != 0) held.write_word(k, std::exchange(memory.pending_[k], 0));
  }
  auto const used = reinterpret_cast<std::uintptr_t>(held.data()) + front_bytes;
  return held.data() + front_bytes + (alignment - used % alignment) % alignment;
}

std::byte* access::result_slot(workspace& memory, any_instance const& space) {
  reserve(memory, space, 0);
  return memory.memory_->data() + error_word_count * sizeof(std::uint64_t);
}

error_word access::errors(workspace& memory, any_instance const& space) {
  reserve(memory, space, 0);
  // A call that ended between errors() and take_error() may have left something.
  if (std::exchange(memory.is_reporting_, true)) memory.memory_->write_word(0, 0);
  return {error_words(memory)};
}

error_word access::errors(workspace& memory, any_instance const& space, std::string_view function) {
  reserve(memory, space, 0);
  auto& functions = memory.functions_;
  std::size_t k = 0;
  while (k < functions.size() && functions[k] != function) ++k;
  if (k == functions.size()) {
    require(k + 1 < error_word_count, "workspace", [&] {
      return "it keeps the errors of " + std::to_string(k) + " functions and has no word for those of " +
             std::string(function);
    });
    functions.emplace_back(function);
  }
  return {error_words(memory) + k + 1};
}

std::uint64_t access::take_error(workspace& memory, any_instance const& space) {
  return take_error(memory, space, nullptr, 0);
}

std::uint64_t access::take_error(workspace& memory, any_instance const& space, std::uint64_t* results,
                                 std::size_t count) {
  reserve(memory, space, 0);
  front_values front;
  memory.memory_->read_words(front.data(), error_word_count + count);
  std::copy_n(front.begin() + error_word_count, count, results);
  if (front[0] != 0) memory.memory_->write_word(0, 0);
  memory.is_reporting_ = false;
  return front[0];
}

std::byte* access::reserve_protocol(workspace& memory, any_instance const& space, std::size_t bytes) {
  require_same_instance(memory, space);
  if (memory.protocol_->size() < bytes) memory.protocol_->grow(bytes);
  return memory.protocol_->data();
}

std::byte* access::begin_protocol(workspace& memory, any_instance const& space, std::size_t bytes) {
  std::byte* const region = reserve_protocol(memory, space, bytes);
  if (std::exchange(memory.is_in_protocol_, true)) memory.protocol_->clear();
  return region;
}

void access::end_protocol(workspace& memory) { memory.is_in_protocol_ = false; }

std::size_t access::protocol_bytes(workspace const& memory) { return memory.protocol_->size(); }

void access::fence(workspace const& memory, std::string const& label) { memory.memory_->fence(label); }

std::uint64_t* access::error_words(workspace const& memory) {
  return reinterpret_cast<std::uint64_t*>(memory.memory_->data());
}

access::error_values access::read_errors(workspace const& memory) {
  error_values values;
  memory.memory_->read_words(values.data(), values.size());
  return values;
}

}  // namespace internal

}  // namespace upsweep
