// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "data_file.hpp"

#include <upsweep/io/replace_file.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

namespace {

namespace fs = std::filesystem;
using upsweep::file_replacement;
using upsweep::replace_file;
using upsweep::same_place;
using upsweep_test::file_contents;
using upsweep_test::temporary_folder;
using upsweep_test::write_file;

std::ptrdiff_t files_in(temporary_folder const& folder) {
  auto entries = fs::directory_iterator(folder.path());
  return std::distance(begin(entries), end(entries));
}

struct stat status_of(fs::path const& path) {
  struct stat status = {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status;
}

/// What is said when `path` is to be replaced, and before long work.
std::string refusal_of(fs::path const& path) {
  std::string early = "no error";
  try {
    upsweep::check_writable(path);
  } catch (upsweep::output_error const& e) {
    early = e.what();
  }
  try {
    replace_file(path, "x");
  } catch (upsweep::output_error const& e) {
    EXPECT_EQ(early, e.what());
    return e.what();
  }
  return "no error";
}

/// Runs f in a process of its own, which ends without destructors.
pid_t in_child(std::function<void()> const& f) {
  pid_t const child = ::fork();
  if (child != 0) return child;
  try {
    f();
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(replace_file, replaces_or_leaves_alone) {
  temporary_folder folder;
  auto const path = folder / "report.json";
  replace_file(path, "old");
  replace_file(path, "new");
  EXPECT_EQ(file_contents(path), "new");
  EXPECT_THROW(replace_file(folder.path() / "none" / "x", "x"), upsweep::output_error);
  EXPECT_THROW(replace_file(path / "x", "x"), upsweep::output_error);
  EXPECT_THROW(replace_file("", "x"), upsweep::output_error);
  EXPECT_THROW(upsweep::check_writable(folder.path() / "none" / "x"), upsweep::output_error);
  upsweep::check_writable(path);
  EXPECT_EQ(file_contents(path), "new");
  EXPECT_EQ(files_in(folder), 1) << "part files are left";
}

TEST(replace_file, refuses_all_but_regular_files_by_their_kind) {
  temporary_folder folder;
  auto const expect = [](fs::path const& path, std::string const& kind) {
    EXPECT_EQ(refusal_of(path), path.string() + ": is " + kind + " (expected a regular file or a new name)");
  };
  auto const fifo = folder / "fifo", link = folder / "link", socket = folder / "socket";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  fs::create_symlink("fifo", link);
  int const listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr const*>(&address), sizeof address), 0);
  ::close(listener);
  expect(folder.path(), "a folder");
  expect(folder.path() / "", "a folder");
  expect(fifo, "a FIFO");
  expect(link, "a FIFO");
  expect(socket, "a socket");
  expect("/dev/null", "a character device");
  expect("/dev/full", "a character device");
  expect(folder.path() / "none/", "the name of a folder");
  EXPECT_TRUE(fs::is_fifo(fs::symlink_status(fifo)));
  EXPECT_TRUE(fs::is_symlink(fs::symlink_status(link)));
  EXPECT_TRUE(fs::is_socket(fs::symlink_status(socket)));
  EXPECT_EQ(files_in(folder), 3);
}

TEST(replace_file, refuses_streams_that_lead_to_regular_files) {
  temporary_folder folder;
  auto const path = folder / "out";
  int const file = ::open(path.c_str(), O_CREAT | O_WRONLY, 0600);
  auto const name = "/dev/fd/" + std::to_string(file);
  // As /dev/stdout of a program that a shell started with > out.
  EXPECT_EQ(refusal_of(name), name + ": is a stream of a process (expected a regular file or a new name)");
  EXPECT_TRUE(same_place(name, path));
  ::close(file);
  EXPECT_EQ(file_contents(path), "");
  EXPECT_EQ(files_in(folder), 1);
}

TEST(replace_file, follows_symbolic_links) {
  temporary_folder folder;
  fs::create_directory(folder / "away");
  fs::create_symlink("away/b", folder / "a");
  fs::create_symlink(folder / "away/c", folder / "away/b");
  replace_file(folder / "a", "new");
  EXPECT_EQ(file_contents(folder / "away/c"), "new") << "the file of a link to nothing is made";
  replace_file(folder / "a", "newer");
  EXPECT_EQ(file_contents(folder / "away/c"), "newer");
  EXPECT_TRUE(fs::is_symlink(folder / "a"));
  EXPECT_TRUE(fs::is_symlink(folder / "away/b"));
  EXPECT_FALSE(fs::is_symlink(folder / "away/c"));
  fs::create_symlink("loop", folder / "loop");
  EXPECT_NE(refusal_of(folder / "loop").find("loop: cannot be written: "), std::string::npos);
}

TEST(replace_file, keeps_mode_and_owner_and_honours_the_umask) {
  temporary_folder folder;
  auto const path = folder / "x";
  mode_t const old_umask = ::umask(027);
  replace_file(path, "new");
  ::umask(old_umask);
  EXPECT_EQ(status_of(path).st_mode & 07777, 0640u);
  for (mode_t const mode : {0600, 0664, 0755, 0666}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    // Root may give the file away; the others' files stay theirs anyway.
    static_cast<void>(::chown(path.c_str(), 12345, 54321) == 0);
    auto const before = status_of(path);
    replace_file(path, "newer");
    auto const after = status_of(path);
    EXPECT_NE(after.st_ino, before.st_ino);
    EXPECT_EQ(after.st_mode, before.st_mode);
    EXPECT_EQ(after.st_uid, before.st_uid);
    EXPECT_EQ(after.st_gid, before.st_gid);
  }
}

TEST(replace_file, refuses_what_is_protected_against_writing) {
  temporary_folder folder;
  auto const path = folder / "x";
  write_file(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  bool const permitted = ::access(path.c_str(), W_OK) == 0;  // for root
  EXPECT_EQ(refusal_of(path) == "no error", permitted);
  EXPECT_EQ(file_contents(path), permitted ? "x" : "old");
  EXPECT_EQ(status_of(path).st_mode & 07777, 0444u);
}

TEST(replace_file, removes_parts_of_killed_runs) {
  temporary_folder folder;
  auto const path = folder / "x";
  replace_file(path, "old");
  for (int k = 0; k < 3; ++k) {
    pid_t const child = in_child([&] {
      file_replacement file(path);
      file.write("half");
      ::kill(::getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(wait_for(child)));
    EXPECT_EQ(file_contents(path), "old");
    EXPECT_EQ(files_in(folder), 2) << "the part of this run, and none of the run before";
  }
  upsweep::check_writable(path);
  EXPECT_EQ(files_in(folder), 1);
}

TEST(replace_file, leaves_parts_of_runs_that_live) {
  temporary_folder folder;
  auto const path = folder / "x";
  int ready[2], go[2];
  ASSERT_TRUE(::pipe(ready) == 0 && ::pipe(go) == 0);
  pid_t const child = in_child([&] {
    file_replacement file(path);
    file.write("theirs");
    char c = 'r';
    if (::write(ready[1], &c, 1) != 1 || ::read(go[0], &c, 1) != 1) ::_exit(1);
    file.commit();
  });
  char c = 'g';
  ASSERT_EQ(::read(ready[0], &c, 1), 1);
  {
    file_replacement mine(path);
    replace_file(path, "ours");
    EXPECT_EQ(files_in(folder), 3) << "the file, the child's part and this process's own";
    mine.write("mine");
    EXPECT_EQ(file_contents(path), "ours");
    mine.commit();
  }
  EXPECT_EQ(file_contents(path), "mine");
  ASSERT_EQ(::write(go[1], &c, 1), 1);
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_EQ(file_contents(path), "theirs");
  EXPECT_EQ(files_in(folder), 1);
  for (int const end : {ready[0], ready[1], go[0], go[1]}) ::close(end);
}

TEST(replace_file, leaves_files_that_are_no_parts_of_this_name) {
  temporary_folder folder;
  std::string const others[] = {".x.part",          ".x.y.host-1-0.part",   ".x.host-1.part", ".x.host-1-0.part.txt",
                                ".y.host-1-0.part", ".x.elsewhere-1-0.part"};
  for (auto const& name : others) write_file(folder / name, "");
  write_file(folder / ".x.elsewhere-1-1.part", "");
  // The lock of another machine may be unknown here, so only age decides.
  fs::last_write_time(folder / ".x.elsewhere-1-1.part", fs::file_time_type::clock::now() - std::chrono::hours(25));
  replace_file(folder / "x", "new");
  for (auto const& name : others) EXPECT_TRUE(fs::exists(folder / name)) << name;
  EXPECT_EQ(files_in(folder), 7);
}

TEST(replace_file, long_names) {
  temporary_folder folder;
  std::string const name(255, 'x');
  replace_file(folder / name, "new");
  EXPECT_EQ(file_contents(folder / name), "new");
  EXPECT_EQ(files_in(folder), 1);
}

TEST(replace_file, a_kill_leaves_the_old_file_or_the_new_one) {
  temporary_folder folder;
  auto const path = folder / "x";
  constexpr std::size_t size = 300000;
  replace_file(path, std::string(size, 'a'));
  for (int k = 0; k < 20; ++k) {
    pid_t const child = in_child([&] {
      for (char c = 'a';; c = c == 'z' ? 'a' : static_cast<char>(c + 1)) replace_file(path, std::string(size, c));
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(k));
    ::kill(child, SIGKILL);
    wait_for(child);
    auto const text = file_contents(path);
    ASSERT_EQ(text, std::string(size, text.empty() ? '?' : text[0]));
  }
  upsweep::check_writable(path);
  EXPECT_EQ(files_in(folder), 1);
}

void replace_and_keep(fs::path const& path, std::string const& contents, fs::path const& previous) {
  file_replacement file(path);
  file.write(contents);
  file.commit_and_keep(previous);
}

TEST(replace_file, keeps_the_older_one_under_another_name) {
  temporary_folder const folder;
  auto const path = folder / "x", previous = folder / "x.previous";
  replace_and_keep(path, "1", previous);
  EXPECT_EQ(file_contents(path), "1");
  EXPECT_FALSE(fs::exists(previous));
  replace_and_keep(path, "2", previous);
  replace_and_keep(path, "3", previous);
  EXPECT_EQ(file_contents(path), "3");
  EXPECT_EQ(file_contents(previous), "2");
  // What a kill between the two renames leaves.
  fs::remove(previous);
  fs::create_hard_link(path, previous);
  replace_and_keep(path, "4", previous);
  EXPECT_EQ(file_contents(path), "4");
  EXPECT_EQ(file_contents(previous), "3");
  EXPECT_EQ(files_in(folder), 2);
  fs::create_directory(folder / "other");
  EXPECT_THROW(replace_and_keep(path, "5", folder / "other/x"), upsweep::precondition_error);
  EXPECT_THROW(replace_and_keep(path, "5", folder / "other"), upsweep::output_error);
  EXPECT_EQ(file_contents(path), "4");
  EXPECT_EQ(file_contents(previous), "3");
  EXPECT_EQ(files_in(folder), 3);
}

/// At every moment both names are complete files.
TEST(replace_file, a_kill_leaves_two_complete_files) {
  temporary_folder const folder;
  auto const path = folder / "x", previous = folder / "x.previous";
  auto const text = [](int n) { return std::string(5000, static_cast<char>('a' + n % 26)); };
  replace_and_keep(path, text(0), previous);
  replace_and_keep(path, text(1), previous);
  for (int k = 0; k < 30; ++k) {
    pid_t const child = in_child([&] {
      for (int n = 2;; ++n) replace_and_keep(path, text(n), previous);
    });
    std::this_thread::sleep_for(std::chrono::microseconds(500 + 700 * k));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (auto const& name : {path, previous}) {
      auto const found = file_contents(name);
      ASSERT_EQ(found.size(), 5000u) << name;
      ASSERT_EQ(found, std::string(5000, found[0])) << name;
    }
  }
  replace_and_keep(path, text(0), previous);
  EXPECT_EQ(files_in(folder), 2) << "the next replacement removes what kills have left";
}

TEST(replace_file, a_limit_on_file_sizes_is_an_error_and_no_signal) {
  temporary_folder folder;
  auto const path = folder / "x";
  replace_file(path, "old");
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit small = old;
  small.rlim_cur = 1000;
  file_replacement file(path);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(file.write(std::string(5000, 'x')), upsweep::output_error);
  EXPECT_THROW(replace_file(path, std::string(5000, 'x')), upsweep::output_error);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  // What could be written only in part must not get the name.
  EXPECT_THROW(file.commit(), upsweep::precondition_error);
  EXPECT_EQ(file_contents(path), "old");
  EXPECT_EQ(files_in(folder), 1);
}

TEST(replace_file, moves_and_ends_once) {
  temporary_folder folder;
  file_replacement a(folder / "a"), b(folder / "b");
  a.write("text");
  b = std::move(a);
  EXPECT_EQ(files_in(folder), 1);
  file_replacement c(std::move(b));
  EXPECT_EQ(files_in(folder), 1);
  c.commit();
  EXPECT_EQ(file_contents(folder / "a"), "text");
  EXPECT_FALSE(fs::exists(folder / "b"));
  EXPECT_THROW(c.commit(), upsweep::precondition_error);
  EXPECT_THROW(c.write("more"), upsweep::precondition_error);
}

TEST(same_place, files_links_and_names_without_files) {
  temporary_folder folder;
  fs::create_directory(folder / "sub");
  write_file(folder / "file", "");
  write_file(folder / "other", "");
  fs::create_symlink("file", folder / "link");
  fs::create_hard_link(folder / "file", folder / "hard");
  fs::create_symlink("sub", folder / "sub_link");
  fs::create_symlink("sub/new", folder / "new_link");
  EXPECT_TRUE(same_place(folder / "file", folder / "file"));
  EXPECT_TRUE(same_place(folder / "file", folder / "sub/../file"));
  EXPECT_TRUE(same_place(folder / "file", folder / "link"));
  EXPECT_TRUE(same_place(folder / "file", folder / "hard"));
  EXPECT_TRUE(same_place(folder / "sub", folder / "sub_link/"));
  EXPECT_FALSE(same_place(folder / "file", folder / "other"));
  EXPECT_FALSE(same_place(folder / "file", folder / "new"));
  EXPECT_TRUE(same_place(folder / "new", folder / "sub/../new"));
  EXPECT_TRUE(same_place(folder / "sub/new", folder / "sub_link/new"));
  EXPECT_TRUE(same_place(folder / "sub/new", folder / "new_link")) << "a link to a file that is yet to be made";
  EXPECT_TRUE(same_place(folder / "made/later/x", folder / "sub_link/../made/./later/x"));
  EXPECT_TRUE(same_place(folder / "made/", folder / "made"));
  EXPECT_FALSE(same_place(folder / "new", folder / "sub/new"));
  EXPECT_FALSE(same_place(folder / "made/x", folder / "made/y"));
  EXPECT_TRUE(same_place("no such file", fs::current_path() / "no such file"));
}

}  // namespace
