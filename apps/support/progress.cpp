// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "progress.hpp"

#include "options/read_number.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace apps {
namespace {

constexpr std::chrono::milliseconds between_bars{200};
constexpr std::chrono::seconds between_lines{10};
constexpr std::size_t width = 30;

/// "1 min 5 s".
std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  auto const whole = static_cast<long long>(std::ceil(seconds));
  if (whole >= 3600) return plain(whole / 3600) + " h " + plain(whole / 60 % 60) + " min";
  if (whole >= 60) return plain(whole / 60) + " min " + plain(whole % 60) + " s";
  return plain(whole) + " s";
}

bool is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace

progress::progress(bool shown)
    : progress(shown ? stderr : nullptr, is_terminal(),
               is_terminal() ? clock::duration(between_bars) : clock::duration(between_lines)) {}

progress::progress(std::FILE* to, bool terminal, clock::duration between)
    : to_(to), terminal_(terminal), between_(between), begin_(clock::now()), next_(begin_ + between) {}

void progress::show(double done, std::string const& words) {
  auto const percent = static_cast<int>(std::floor(100 * done));
  auto const filled = std::min(width, static_cast<std::size_t>(static_cast<double>(width) * done));
  auto const text = words + ", " + plain(percent) + " %, " + duration_text(seconds() * (1 - done) / done) + " left";
  print(terminal_ ? "[" + std::string(filled, '=') + std::string(width - filled, ' ') + "] " + text : text);
}

void progress::enter(std::string const& phase) {
  if (to_ == nullptr || (!terminal_ && clock::now() < next_)) return;
  print(phase + ", after " + duration_text(std::floor(seconds())));
}

void progress::print(std::string const& text) {
  next_ = clock::now() + between_;
  // Errors of standard error are ignored: they are no reason to end a run.
  std::fprintf(to_, terminal_ ? "\r\033[K%s" : "%s\n", text.c_str());
  std::fflush(to_);
  bar_ = terminal_;
}

void progress::clear() {
  if (bar_) std::fprintf(to_, "\r\033[K");
  if (bar_) std::fflush(to_);
  bar_ = false;
}

}  // namespace apps
