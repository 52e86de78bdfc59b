// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "progress.hpp"

#include "text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>

namespace nbody {
namespace {

constexpr std::chrono::milliseconds between_bars{200};
constexpr std::chrono::seconds between_lines{10};
constexpr std::size_t width = 30;

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  auto const whole = static_cast<long long>(std::ceil(seconds));
  if (whole >= 3600) return text("%lld h %lld min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return text("%lld min %lld s", whole / 60, whole % 60);
  return text("%lld s", whole);
}

}  // namespace

std::string progress_text(std::int64_t particles, std::int64_t first, std::int64_t step, std::int64_t last,
                          double seconds) {
  auto const done = static_cast<double>(step - first), all = static_cast<double>(last - first);
  return text("step %lld of %lld, %.0f %%, %.3g particle-steps/s, ", static_cast<long long>(step),
              static_cast<long long>(last), std::floor(100 * done / all),
              static_cast<double>(particles) * done / seconds) +
         duration_text(seconds / done * (all - done)) + " left";
}

progress::progress(bool shown, std::int64_t particles, std::int64_t first, std::int64_t last)
    : shown_(shown && first < last),
      terminal_(::isatty(STDERR_FILENO) == 1),
      particles_(particles),
      first_(first),
      last_(last),
      begin_(clock::now()),
      next_(begin_ + (terminal_ ? clock::duration(between_bars) : clock::duration(between_lines))) {}

void progress::show(std::int64_t step) {
  try {
    print(step);
  } catch (std::bad_alloc const&) {  // only this rank is here: the others would wait for it
  }
}

void progress::print(std::int64_t step) {
  auto const now = clock::now();
  next_ = now + (terminal_ ? clock::duration(between_bars) : clock::duration(between_lines));
  std::chrono::duration<double> const seconds = now - begin_;
  auto const words = progress_text(particles_, first_, step, last_, seconds.count());
  // Errors of standard error are ignored: they are no reason to end a run.
  if (terminal_) {
    auto const filled =
        std::min(width, static_cast<std::size_t>(static_cast<double>(width) * static_cast<double>(step - first_) /
                                                 static_cast<double>(last_ - first_)));
    std::fprintf(stderr, "\r\033[K[%s%s] %s", std::string(filled, '=').c_str(),
                 std::string(width - filled, ' ').c_str(), words.c_str());
    bar_ = true;
  } else {
    std::fprintf(stderr, "%s\n", words.c_str());
  }
  std::fflush(stderr);
}

void progress::clear() {
  if (bar_) std::fprintf(stderr, "\r\033[K");
  if (bar_) std::fflush(stderr);
  bar_ = false;
}

}  // namespace nbody
