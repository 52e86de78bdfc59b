// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A small stand-in for libFuzzer that any compiler can build: it gives a fuzz target every file of a corpus and then
// random changes of them. The changes follow from the seed alone, so a finding can be repeated:
//   <program> <corpus> [--runs n] [--seconds s] [--seed s] [--only k] [--save file]
// --only k runs the k-th change alone, and --save writes it to a file.
#include "fuzz.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <exception>
#include <random>
#include <string_view>
#include <vector>

namespace {

char current[64] = "fuzz: before the first run\n";

/// Says which run failed. Only async-signal-safe calls.
extern "C" void report(int signal_number) {
  static_cast<void>(::write(2, current, std::strlen(current)));
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void run(std::string const& kind, std::uint64_t number, std::string const& input) {
  std::snprintf(current, sizeof current, "fuzz: failed in %s %llu\n", kind.c_str(),
                static_cast<unsigned long long>(number));
  // A copy of exactly this size, so that a sanitizer sees reads behind its end.
  std::vector<std::uint8_t> const bytes(input.begin(), input.end());
  try {
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  } catch (std::exception const& e) {
    std::fprintf(stderr, "fuzz: unexpected exception: %s\n", e.what());
    std::abort();
  }
}

/// std's distributions give other numbers elsewhere; this is the same everywhere.
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(engine_() % n); }
  template <class Values>
  auto const& one_of(Values const& values) {
    return values[below(std::size(values))];
  }

 private:
  std::mt19937_64 engine_;
};

// clang-format off
constexpr std::string_view words[] = {
    "0", "-1", "1", "2", "3", "4294967296", "9223372036854775807", "9223372036854775808", "99999999999999999999",
    "-9223372036854775808", "1e999", "0.5e999", "-1e-400", "nan", "inf", "0x10", "1,5", "+", ".", "e", "#", "\n",
    "\n\n", " ", "\t", "\r\n", std::string_view("\0", 1), "\x1f\x8b", "\xff\xff\xff\xff", "(", ")", ",", "'", "--", "=",
    "True", "<f8", "|O8"};
// clang-format on

/// Whether a character may be part of a word or number in data files, headers of .npy files and options.
bool in_word(char c) { return c > ' ' && c != ',' && c != '(' && c != ')' && c != '\''; }

/// One random change of `text`; `other` is another input of the corpus.
void change(std::string& text, std::string const& other, random_source& random) {
  auto const at = random.below(text.size() + 1);
  auto const length = std::min(random.below(random.below(2) == 0 ? 4 : 64) + 1, text.size() - at);
  switch (random.below(9)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(random.below(256));
      break;
    case 2: text.erase(at, length); break;
    case 3: text.insert(at, text.substr(random.below(text.size() + 1), length)); break;
    case 4: text.insert(at, random.one_of(words)); break;
    case 5: {  // another word instead of one
      auto first = at, last = at;
      while (first > 0 && in_word(text[first - 1])) --first;
      while (last < text.size() && in_word(text[last])) ++last;
      text.replace(first, last - first, random.one_of(words));
      break;
    }
    case 6: text.insert(at, other.substr(random.below(other.size() + 1), random.below(200))); break;
    case 7: text.resize(at); break;
    default: {  // a line twice or away
      auto const first = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
      auto const last = std::min(text.find('\n', at), text.size() - 1) + 1;
      if (first >= last || last > text.size()) break;
      auto const line = text.substr(first, last - first);
      if (random.below(2) == 0) text.erase(first, last - first);
      else text.insert(first, line);
    }
  }
}

std::string changed(std::vector<std::string> const& corpus, std::uint64_t seed, std::uint64_t number) {
  random_source random(seed * 0x9e3779b97f4a7c15u + number);
  auto text = random.one_of(corpus);
  for (auto changes = random.below(6) + 1; changes > 0; --changes) change(text, random.one_of(corpus), random);
  return text;
}

[[noreturn]] void misuse() {
  std::fputs("usage: <program> <corpus> [--runs n] [--seconds s] [--seed s] [--only k] [--save file]\n", stderr);
  std::exit(2);
}

std::uint64_t number_of(std::string_view word) {
  std::uint64_t value = 0;
  auto const [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc{} || end != word.data() + word.size()) misuse();
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = 0, seconds = 0, seed = 1, only = 0;
  bool has_only = false;
  std::string folder, save;
  for (int i = 1; i < argc; ++i) {
    std::string_view const option = argv[i];
    if (!option.starts_with("--")) {
      folder = option;
      continue;
    }
    if (++i == argc) misuse();
    if (option == "--runs") runs = number_of(argv[i]);
    else if (option == "--seconds") seconds = number_of(argv[i]);
    else if (option == "--seed") seed = number_of(argv[i]);
    else if (option == "--only") {
      only = number_of(argv[i]);
      has_only = true;
    } else if (option == "--save") save = argv[i];
    else misuse();
  }
  if (folder.empty()) misuse();
  for (int const signal_number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) {
    // A sanitizer's own handlers for bad accesses stay; it ends by SIGABRT.
    if (auto const before = std::signal(signal_number, report); before != SIG_DFL) std::signal(signal_number, before);
  }
  std::vector<std::filesystem::path> files;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (auto const& file : files) {
    std::ifstream stream(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  fuzz::check(!corpus.empty(), "the corpus is empty");
  if (has_only) {
    auto const input = changed(corpus, seed, only);
    if (!save.empty()) std::ofstream(save, std::ios::binary) << input;
    run("run", only, input);
    return 0;
  }
  for (std::size_t i = 0; i < corpus.size(); ++i) run(files[i].filename().string() + ", file", i, corpus[i]);
  run("no bytes, file", corpus.size(), "");
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::uint64_t done = 0;
  for (; done < runs || std::chrono::steady_clock::now() < end; ++done) run("run", done, changed(corpus, seed, done));
  std::printf("%zu files and %llu changes of them\n", corpus.size(), static_cast<unsigned long long>(done));
  return 0;
}
