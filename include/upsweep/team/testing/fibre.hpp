// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Host only: functions that can be left in the middle and taken up again, all on one thread of the operating system.

#include <cstddef>
#include <memory>

#include <setjmp.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UPSWEEP_FIBRES_BY_UCONTEXT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UPSWEEP_FIBRES_BY_UCONTEXT 1
#endif
#endif

namespace upsweep::team::testing {

#if defined(__GLIBC__)
// Under _FORTIFY_SOURCE the header's _longjmp refuses to jump to another stack, which is all that fibres do.
extern "C" [[noreturn]] void upsweep_fibre_jump(jmp_buf, int) __asm__("_longjmp");
#else
[[noreturn]] inline void upsweep_fibre_jump(jmp_buf target, int value) { _longjmp(target, value); }
#endif

/// A place to go on from: a stack, and where on it the program was. One that was never started is the
/// caller's own stack.
class fibre {
 public:
  fibre() = default;
  fibre(fibre const&) = delete;
  fibre& operator=(fibre const&) = delete;

  /// Gives this fibre a stack on which `entry` will run at the first switch. Pre: entry never returns.
  void start(void (*entry)(), std::size_t stack_bytes) {
    stack_ = std::unique_ptr<std::byte[]>(new std::byte[stack_bytes]);  // not initialised: pages come when touched
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.get();
    context_.uc_stack.ss_size = stack_bytes;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
    fresh_ = true;
  }

  bool has_stack() const { return stack_ != nullptr; }

  /// Leaves `from` here and goes on where `to` was left; returns when something switches back to `from`.
#if defined(UPSWEEP_FIBRES_BY_UCONTEXT)
  static void switch_between(fibre& from, fibre& to) { swapcontext(&from.context_, &to.context_); }
#else
  // swapcontext asks the kernel for the signal mask each time; a pair of jumps does not, and is 10 to 50 times as fast.
  static void switch_between(fibre& from, fibre& to) {
    if (_setjmp(from.left_at_) != 0) return;
    if (to.fresh_) {
      to.fresh_ = false;
      setcontext(&to.context_);
    }
    upsweep_fibre_jump(to.left_at_, 1);
  }
#endif

 private:
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t context_;
  jmp_buf left_at_;
  bool fresh_ = false;
};

}  // namespace upsweep::team::testing
