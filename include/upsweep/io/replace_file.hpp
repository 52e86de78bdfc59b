// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <filesystem>
#include <string_view>

namespace upsweep {

/// Replaces a file in one step: `file_replacement f("out.json"); f.write(text); f.commit();`
/// The bytes go to a part file in the same folder, `.out.json.HOST-PID-N.part`. commit() gives it the final name, so
/// the older file stays untouched through errors and kills until then. The destructor removes a part that was not
/// committed; the next replacement of the same file removes parts of runs that were killed.
/// Symbolic links are followed: the file behind the link is replaced, the link stays. Mode and (where permitted) owner
/// of an older file are kept; a new file honours the umask. Other hard links to an older file keep its contents.
/// Cost: one listing of the folder; commit() waits for the disk.
/// Throws: output_error naming the file and the system's reason; the same for a folder, device, FIFO, socket or stream
/// (/dev/stdout) and for a file without write permission, before anything is created.
class file_replacement {
 public:
  explicit file_replacement(std::filesystem::path const& path);
  file_replacement(file_replacement&& other) noexcept;
  file_replacement& operator=(file_replacement&& other) noexcept;
  ~file_replacement();

  /// The part file, for writers that fill it by other means than write().
  std::filesystem::path const& part() const { return part_; }

  /// Appends bytes to the part file. A full disk and a limit on file sizes (RLIMIT_FSIZE) throw output_error alike; the
  /// part file is removed then.
  void write(std::string_view bytes);

  /// Writes the part file through to the disk, renames it and writes the folder through. Once; nothing can be written
  /// afterwards.
  void commit();

  /// commit() that keeps the older file, where there is one, under the name `previous`, and replaces a file of that
  /// name: `f.commit_and_keep("run.checkpoint.previous");` At every moment, also after a kill, the file is the old or
  /// the new one, and `previous` is complete if it was there before. Uses a hard link, or a copy where the file system
  /// has no hard links.
  /// Throws: output_error, with both files as they were; precondition_error where `previous` is in another folder.
  void commit_and_keep(std::filesystem::path const& previous);

 private:
  void discard() noexcept;
  void write_through();
  void keep_as(std::filesystem::path const& previous) const;
  void keep_owner_and_mode();

  std::filesystem::path path_;    // as the caller named it, for messages
  std::filesystem::path target_;  // without symbolic links
  std::filesystem::path part_;    // empty: committed or moved from
  int file_ = -1;                 // open and locked as long as the part exists
};

/// Writes a whole file in one step: replace_file("out.json", text) leaves the new contents or, after an error, the old
/// file untouched. See file_replacement.
void replace_file(std::filesystem::path const& path, std::string_view contents);

/// Finds out before long work whether `path` could be replaced, without touching an older file.
/// Throws: as file_replacement.
void check_writable(std::filesystem::path const& path);

/// True where two names mean one place, so that writing one would change the other: existing files are compared by
/// device and inode (hard links are one place), names without a file by folder and last word.
/// same_place("out.txt", "/dev/stdout") is true if standard output goes to out.txt.
bool same_place(std::filesystem::path const& a, std::filesystem::path const& b);

}  // namespace upsweep
