// Records what the program under test does to the file system, for power_loss.py. Loaded with LD_PRELOAD; not
// used under sanitizers, which stand in front of the same calls.
//
//   SHEAF_RECORD_FOLDER=FOLDER   only files below this folder (an absolute path without symbolic links) are
//   recorded SHEAF_RECORD_LOG=FILE        records are appended there
//
// A record is a line of words, and the number of bytes that follow it:
//
//   open INODE 1 (created) or 0 (emptied) PATH    write INODE OFFSET    size INODE SIZE    sync INODE
//   mkdir INODE PATH    remove PATH    rename FROM TO    link INODE PATH
//
// Paths are relative to the folder, and percent-encoded. One lock is held from before each call until its
// record is written, so the records are in the order of the calls. Calls within the C library do not come by
// here: power_loss.py checks that the records account for every byte. fopen() does, because RocksDB writes
// its text log that way.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <string>
#include <string_view>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::recursive_mutex& lock() {
  static auto* const kLock = new std::recursive_mutex;  // never destroyed: threads may outlive main()
  return *kLock;
}
using Guard = std::lock_guard<std::recursive_mutex>;

const std::string& root() {
  static const auto* const kRoot = [] {
    const char* folder = getenv("SHEAF_RECORD_FOLDER");
    return new std::string(folder == nullptr ? "" : folder);
  }();
  return *kRoot;
}

ssize_t real_write(int descriptor, const void* bytes, size_t size) {
  static auto* const kReal = next<ssize_t(int, const void*, size_t)>("write");
  return kReal(descriptor, bytes, size);
}

int log_file() {
  static const int kFile = [] {
    const char* name = getenv("SHEAF_RECORD_LOG");
    static auto* const kOpen = next<int(const char*, int, ...)>("open");
    return name == nullptr ? -1 : kOpen(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  }();
  return kFile;
}

void record(const std::string& words, std::string_view bytes = {}) {
  std::string text = words + " " + std::to_string(bytes.size()) + "\n";
  text += bytes;
  for (size_t done = 0; done < text.size();) {
    // Not by way of fault_shim.cpp, which could kill the program between a call and its record.
    const ssize_t count = syscall(SYS_write, log_file(), text.data() + done, text.size() - done);
    if (count <= 0) abort();
    done += static_cast<size_t>(count);
  }
}

std::string encoded(std::string_view path) {
  std::string text;
  for (const char c : path) {
    char hex[4];
    if (c <= ' ' || c == '%' || c == 0x7f) {
      snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
      text += hex;
    } else {
      text += c;
    }
  }
  return text;
}

/// The path below the folder, "/" for the folder itself; empty for paths elsewhere. The last component need
/// not exist.
std::string path_below(int folder, const char* path) {
  const int saved = errno;
  std::string absolute;
  char buffer[PATH_MAX];
  if (path[0] != '/') {
    if (folder == AT_FDCWD) {
      if (getcwd(buffer, sizeof buffer) == nullptr) abort();
      absolute = buffer;
    } else {
      const ssize_t size =
          readlink(("/proc/self/fd/" + std::to_string(folder)).c_str(), buffer, sizeof buffer);
      absolute.assign(buffer, size > 0 ? static_cast<size_t>(size) : 0);
    }
    absolute += '/';
  }
  absolute += path;
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  const size_t slash = absolute.rfind('/');
  const std::string name = absolute.substr(slash + 1);
  std::string below;
  if (realpath(absolute.substr(0, slash + 1).c_str(), buffer) != nullptr)
    below = std::string(buffer) + "/" + name;
  errno = saved;
  if (below == root()) return "/";
  return !root().empty() && below.starts_with(root() + "/") ? encoded(below.substr(root().size() + 1))
                                                            : std::string();
}

/// The inode of a file below the folder; 0 for other files.
ino_t inode_below(int descriptor) {
  if (root().empty()) return 0;
  const int saved = errno;
  char path[PATH_MAX];
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof path);
  struct stat status{};
  const bool is_known = size > 0 && fstat(descriptor, &status) == 0;
  errno = saved;
  const std::string_view name(path, size > 0 ? static_cast<size_t>(size) : 0);
  const bool is_below =
      name.starts_with(root()) && (name.size() == root().size() || name[root().size()] == '/');
  return is_known && is_below ? status.st_ino : 0;
}

bool exists_at(int folder, const char* path) {
  const int saved = errno;
  struct stat status{};
  const bool found = fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
  errno = saved;
  return found;
}

/// Calls `open_it` and records what it creates or empties.
template <class Open>
int open_and_record(int folder, const char* path, int flags, Open open_it) {
  if ((flags & (O_CREAT | O_TRUNC)) == 0) return open_it();
  const Guard guard(lock());
  const std::string below = path_below(folder, path);
  const bool is_new = !below.empty() && !exists_at(folder, path);
  const int descriptor = open_it();
  if (descriptor < 0 || below.empty()) return descriptor;
  const int saved = errno;
  struct stat status{};
  if (fstat(descriptor, &status) != 0) abort();
  if (is_new || (flags & O_TRUNC) != 0)
    record("open " + std::to_string(status.st_ino) + (is_new ? " 1 " : " 0 ") + below);
  errno = saved;
  return descriptor;
}

/// Records bytes that were written before the current position.
void record_written(int descriptor, ino_t inode, const void* bytes, ssize_t written) {
  if (written <= 0) return;
  const off_t end = lseek(descriptor, 0, SEEK_CUR);
  record("write " + std::to_string(inode) + " " + std::to_string(end - written),
         {static_cast<const char*>(bytes), static_cast<size_t>(written)});
}

ssize_t write_at(const char* name, int descriptor, const void* bytes, size_t size, off_t offset) {
  auto* const real = next<ssize_t(int, const void*, size_t, off_t)>(name);
  const Guard guard(lock());
  const ssize_t written = real(descriptor, bytes, size, offset);
  const ino_t inode = written > 0 ? inode_below(descriptor) : 0;
  if (inode != 0)
    record("write " + std::to_string(inode) + " " + std::to_string(offset),
           {static_cast<const char*>(bytes), static_cast<size_t>(written)});
  return written;
}

int sync_it(const char* name, int descriptor) {
  auto* const real = next<int(int)>(name);
  const Guard guard(lock());
  const int result = real(descriptor);
  const ino_t inode = result == 0 ? inode_below(descriptor) : 0;
  if (inode != 0) record("sync " + std::to_string(inode));
  return result;
}

void record_size(int descriptor) {
  const ino_t inode = inode_below(descriptor);
  struct stat status{};
  if (inode == 0 || fstat(descriptor, &status) != 0) return;
  record("size " + std::to_string(inode) + " " + std::to_string(status.st_size));
}

template <class Call>
int remove_and_record(int folder, const char* path, Call call) {
  const Guard guard(lock());
  const std::string below = path_below(folder, path);
  const int result = call();
  if (result == 0 && !below.empty()) record("remove " + below);
  return result;
}

template <class Call>
int rename_and_record(int old_folder, const char* from, int new_folder, const char* to, Call call) {
  const Guard guard(lock());
  const std::string old_name = path_below(old_folder, from);
  const std::string new_name = path_below(new_folder, to);
  const int result = call();
  if (result != 0 || (old_name.empty() && new_name.empty())) return result;
  if (old_name.empty() || new_name.empty()) abort();  // in or out of the folder: not known to power_loss.py
  record("rename " + old_name + " " + new_name);
  return result;
}

template <class Call>
int link_and_record(int folder, const char* to, Call call) {
  const Guard guard(lock());
  const std::string below = path_below(folder, to);
  const int result = call();
  if (result != 0 || below.empty()) return result;
  struct stat status{};
  if (fstatat(folder, to, &status, AT_SYMLINK_NOFOLLOW) != 0) abort();
  record("link " + std::to_string(status.st_ino) + " " + below);
  return result;
}

template <class Call>
int mkdir_and_record(int folder, const char* path, Call call) {
  const Guard guard(lock());
  const std::string below = path_below(folder, path);
  const int result = call();
  if (result != 0 || below.empty()) return result;
  struct stat status{};
  if (fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0) abort();
  record("mkdir " + std::to_string(status.st_ino) + " " + below);
  return result;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

/// Whether fault_shim.cpp kills the program in one of its calls. Then no other thread may be between a call
/// and its record.
bool may_be_killed() {
  static const bool kMayBe = getenv("SHEAF_FAULT_KILL_AT") != nullptr;
  return kMayBe;
}

[[noreturn]] void refuse(const char* call) {
  fprintf(stderr, "record_shim: %s is not recorded\n", call);
  abort();
}

}  // namespace

extern "C" {

#define SHEAF_OPEN(name)                                                                     \
  int name(const char* path, int flags, ...) {                                               \
    static auto* const kReal = next<int(const char*, int, ...)>(#name);                      \
    va_list arguments;                                                                       \
    va_start(arguments, flags);                                                              \
    const mode_t mode = mode_of(flags, arguments);                                           \
    va_end(arguments);                                                                       \
    return open_and_record(AT_FDCWD, path, flags, [&] { return kReal(path, flags, mode); }); \
  }
SHEAF_OPEN(open)
SHEAF_OPEN(open64)

#define SHEAF_OPENAT(name)                                                                         \
  int name(int folder, const char* path, int flags, ...) {                                         \
    static auto* const kReal = next<int(int, const char*, int, ...)>(#name);                       \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    const mode_t mode = mode_of(flags, arguments);                                                 \
    va_end(arguments);                                                                             \
    return open_and_record(folder, path, flags, [&] { return kReal(folder, path, flags, mode); }); \
  }
SHEAF_OPENAT(openat)
SHEAF_OPENAT(openat64)

int creat(const char* path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char* path, mode_t mode) { return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int mkostemp(char* path, int flags) {
  static auto* const kReal = next<int(char*, int)>("mkostemp");
  const Guard guard(lock());
  const int descriptor = kReal(path, flags);
  const ino_t inode = descriptor >= 0 ? inode_below(descriptor) : 0;
  if (inode != 0) record("open " + std::to_string(inode) + " 1 " + path_below(AT_FDCWD, path));
  return descriptor;
}
int mkstemp(char* path) { return mkostemp(path, 0); }
int mkostemp64(char* path, int flags) { return mkostemp(path, flags); }
int mkstemp64(char* path) { return mkostemp(path, 0); }

#define SHEAF_FOPEN(name)                                                                                   \
  FILE* name(const char* path, const char* mode) {                                                          \
    static auto* const kReal = next<FILE*(const char*, const char*)>(#name);                                \
    const int flags = *mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT : 0;                        \
    FILE* file = nullptr;                                                                                   \
    open_and_record(AT_FDCWD, path, flags, [&] { return (file = kReal(path, mode)) ? fileno(file) : -1; }); \
    return file;                                                                                            \
  }
SHEAF_FOPEN(fopen)
SHEAF_FOPEN(fopen64)

ssize_t write(int descriptor, const void* bytes, size_t size) {
  const ino_t inode = inode_below(descriptor);
  if (inode == 0 && !may_be_killed()) return real_write(descriptor, bytes, size);  // a pipe may be full
  const Guard guard(lock());
  const ssize_t written = real_write(descriptor, bytes, size);
  if (inode != 0) record_written(descriptor, inode, bytes, written);
  return written;
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  static auto* const kReal = next<ssize_t(int, const iovec*, int)>("writev");
  const ino_t inode = inode_below(descriptor);
  if (inode == 0) return kReal(descriptor, parts, count);
  const Guard guard(lock());
  const ssize_t written = kReal(descriptor, parts, count);
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  record_written(descriptor, inode, bytes.data(), written);
  return written;
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  return write_at("pwrite", descriptor, bytes, size, offset);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  return write_at("pwrite64", descriptor, bytes, size, offset);
}

int fsync(int descriptor) { return sync_it("fsync", descriptor); }
int fdatasync(int descriptor) { return sync_it("fdatasync", descriptor); }

#define SHEAF_FTRUNCATE(name, offset)                         \
  int name(int descriptor, offset size) noexcept {            \
    static auto* const kReal = next<int(int, offset)>(#name); \
    const Guard guard(lock());                                \
    const int result = kReal(descriptor, size);               \
    if (result == 0) record_size(descriptor);                 \
    return result;                                            \
  }
SHEAF_FTRUNCATE(ftruncate, off_t)
SHEAF_FTRUNCATE(ftruncate64, off64_t)

// The new bytes are zero, as if the file had been extended. With FALLOC_FL_KEEP_SIZE nothing changes that
// anybody sees.
#define SHEAF_FALLOCATE(name, offset)                                                      \
  int name(int descriptor, int mode, offset from, offset size) {                           \
    static auto* const kReal = next<int(int, int, offset, offset)>(#name);                 \
    const Guard guard(lock());                                                             \
    if ((mode & ~FALLOC_FL_KEEP_SIZE) != 0 && inode_below(descriptor) != 0) refuse(#name); \
    const int result = kReal(descriptor, mode, from, size);                                \
    if (result == 0 && mode == 0) record_size(descriptor);                                 \
    return result;                                                                         \
  }
SHEAF_FALLOCATE(fallocate, off_t)
SHEAF_FALLOCATE(fallocate64, off64_t)

int truncate(const char* path, off_t size) noexcept {
  static auto* const kReal = next<int(const char*, off_t)>("truncate");
  const Guard guard(lock());
  const std::string below = path_below(AT_FDCWD, path);
  const int result = kReal(path, size);
  struct stat status{};
  if (result == 0 && !below.empty() && stat(path, &status) == 0)
    record("size " + std::to_string(status.st_ino) + " " + std::to_string(size));
  return result;
}

ssize_t copy_file_range(int in, off64_t* in_offset, int out, off64_t* out_offset, size_t size,
                        unsigned flags) {
  static auto* const kReal = next<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>("copy_file_range");
  if (inode_below(out) != 0) refuse("copy_file_range");
  return kReal(in, in_offset, out, out_offset, size, flags);
}

ssize_t sendfile(int out, int in, off_t* offset, size_t size) noexcept {
  static auto* const kReal = next<ssize_t(int, int, off_t*, size_t)>("sendfile");
  if (inode_below(out) != 0) refuse("sendfile");
  return kReal(out, in, offset, size);
}

int unlink(const char* path) noexcept {
  static auto* const kReal = next<int(const char*)>("unlink");
  return remove_and_record(AT_FDCWD, path, [&] { return kReal(path); });
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  static auto* const kReal = next<int(int, const char*, int)>("unlinkat");
  return remove_and_record(folder, path, [&] { return kReal(folder, path, flags); });
}
int rmdir(const char* path) noexcept {
  static auto* const kReal = next<int(const char*)>("rmdir");
  return remove_and_record(AT_FDCWD, path, [&] { return kReal(path); });
}
int remove(const char* path) noexcept {
  static auto* const kReal = next<int(const char*)>("remove");
  return remove_and_record(AT_FDCWD, path, [&] { return kReal(path); });
}

int rename(const char* from, const char* to) noexcept {
  static auto* const kReal = next<int(const char*, const char*)>("rename");
  return rename_and_record(AT_FDCWD, from, AT_FDCWD, to, [&] { return kReal(from, to); });
}
int renameat(int old_folder, const char* from, int new_folder, const char* to) noexcept {
  static auto* const kReal = next<int(int, const char*, int, const char*)>("renameat");
  return rename_and_record(old_folder, from, new_folder, to,
                           [&] { return kReal(old_folder, from, new_folder, to); });
}
int renameat2(int old_folder, const char* from, int new_folder, const char* to, unsigned flags) noexcept {
  static auto* const kReal = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
  if ((flags & RENAME_EXCHANGE) != 0) refuse("renameat2 with RENAME_EXCHANGE");
  return rename_and_record(old_folder, from, new_folder, to,
                           [&] { return kReal(old_folder, from, new_folder, to, flags); });
}

int link(const char* from, const char* to) noexcept {
  static auto* const kReal = next<int(const char*, const char*)>("link");
  return link_and_record(AT_FDCWD, to, [&] { return kReal(from, to); });
}
int linkat(int old_folder, const char* from, int new_folder, const char* to, int flags) noexcept {
  static auto* const kReal = next<int(int, const char*, int, const char*, int)>("linkat");
  return link_and_record(new_folder, to, [&] { return kReal(old_folder, from, new_folder, to, flags); });
}
int symlink(const char* target, const char* path) noexcept {
  static auto* const kReal = next<int(const char*, const char*)>("symlink");
  if (!path_below(AT_FDCWD, path).empty()) refuse("symlink");
  return kReal(target, path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const kReal = next<int(const char*, mode_t)>("mkdir");
  return mkdir_and_record(AT_FDCWD, path, [&] { return kReal(path, mode); });
}
int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  static auto* const kReal = next<int(int, const char*, mode_t)>("mkdirat");
  return mkdir_and_record(folder, path, [&] { return kReal(folder, path, mode); });
}
}
