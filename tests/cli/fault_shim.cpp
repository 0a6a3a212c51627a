// Makes system calls of the program under test fail at a chosen moment. Loaded with LD_PRELOAD by faults.py
// and progress.py; not used under sanitizers, which stand in front of the same calls.
//
//   SHEAF_FAULT="CALL PART NTH ACTION"   the NTH (from 1) CALL on a file whose path contains PART
//     CALL    read, pread, write, fsync or rename; or `thread`, which starts a thread, with the PART "-"
//     NTH     with a + after it every such call from there on, as on a disk that is full
//     ACTION  an error (EAGAIN, EIO, ENOSPC, EDQUOT), SIGTERM or SIGKILL, or `truncate`: the file loses all its bytes
//     first
//   SHEAF_FAULT_KILL_AT=N                SIGKILL before the Nth call (from 1) that changes the file system
//   SHEAF_FAULT_COUNT=FILE               the number of such calls is written there at the end
//   SHEAF_FAULT_CLOCK=N                  the monotonic clock moves by N seconds at every look at it, and only
//   then
//   SHEAF_FAULT_DATE=N                   the other clock stands still, N seconds after 1970
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>

namespace {

struct Fault {
  std::string call, part, action;
  int nth = 0;
  bool from_there_on = false;
};

const Fault& fault() {
  static const Fault kFault = [] {
    Fault read;
    char call[16] = "";
    char part[64] = "";
    char nth[16] = "";
    char action[16] = "";
    if (const char* text = getenv("SHEAF_FAULT");
        text != nullptr && sscanf(text, "%15s %63s %15s %15s", call, part, nth, action) == 4) {
      read.nth = atoi(nth);
      read.from_there_on = strchr(nth, '+') != nullptr;
      read.call = call;
      read.part = part;
      read.action = action;
    }
    return read;
  }();
  return kFault;
}

std::string path_of(int descriptor) {
  char path[4096];
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof path);
  return size > 0 ? std::string(path, static_cast<size_t>(size)) : std::string();
}

int error_number(const std::string& name) {
  if (name == "EAGAIN") return EAGAIN;
  if (name == "EIO") return EIO;
  if (name == "ENOSPC") return ENOSPC;
  if (name == "EDQUOT") return EDQUOT;
  return 0;
}

/// Whether the call is to fail, with errno set; other actions are done here and the call goes on.
bool strikes(const char* call, const std::string& path) {
  static std::atomic<int> seen{0};
  if (fault().call != call || path.find(fault().part) == std::string::npos) return false;
  const int number = ++seen;
  if (fault().from_there_on ? number < fault().nth : number != fault().nth) return false;
  if (fault().action == "SIGKILL") raise(SIGKILL);
  if (fault().action == "SIGTERM") raise(SIGTERM);
  if (fault().action == "truncate" && truncate(path.c_str(), 0) != 0) abort();
  errno = error_number(fault().action);
  return errno != 0;
}

std::atomic<long> changes{0};

/// Before every call that changes the file system.
void note_change() {
  static const char* const kKillAt = getenv("SHEAF_FAULT_KILL_AT");
  const long number = ++changes;
  if (kKillAt != nullptr && number == atol(kKillAt)) raise(SIGKILL);
}

__attribute__((destructor)) void write_count() {
  const char* file = getenv("SHEAF_FAULT_COUNT");
  if (file == nullptr) return;
  if (FILE* out = fopen(file, "w"); out != nullptr) {
    fprintf(out, "%ld\n", changes.load());
    fclose(out);
  }
}

bool is_asked_for(const char* call) { return fault().call == call; }

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t read(int descriptor, void* buffer, size_t size) {
  static auto* const kReal = next<ssize_t(int, void*, size_t)>("read");
  if (is_asked_for("read") && strikes("read", path_of(descriptor))) return -1;
  return kReal(descriptor, buffer, size);
}

ssize_t pread(int descriptor, void* buffer, size_t size, off_t offset) {
  static auto* const kReal = next<ssize_t(int, void*, size_t, off_t)>("pread");
  if (is_asked_for("pread") && strikes("pread", path_of(descriptor))) return -1;
  return kReal(descriptor, buffer, size, offset);
}

ssize_t write(int descriptor, const void* buffer, size_t size) {
  static auto* const kReal = next<ssize_t(int, const void*, size_t)>("write");
  if (is_asked_for("write") && strikes("write", path_of(descriptor))) return -1;
  note_change();
  return kReal(descriptor, buffer, size);
}

// Both names: which one a library calls depends on how it was compiled.
ssize_t pwrite(int descriptor, const void* buffer, size_t size, off_t offset) {
  static auto* const kReal = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  if (is_asked_for("write") && strikes("write", path_of(descriptor))) return -1;
  note_change();
  return kReal(descriptor, buffer, size, offset);
}

ssize_t pwrite64(int descriptor, const void* buffer, size_t size, off64_t offset) {
  static auto* const kReal = next<ssize_t(int, const void*, size_t, off_t)>("pwrite64");
  if (is_asked_for("write") && strikes("write", path_of(descriptor))) return -1;
  note_change();
  return kReal(descriptor, buffer, size, offset);
}

int fsync(int descriptor) {
  static auto* const kReal = next<int(int)>("fsync");
  if (is_asked_for("fsync") && strikes("fsync", path_of(descriptor))) return -1;
  note_change();
  return kReal(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const kReal = next<int(const char*, const char*)>("rename");
  if (is_asked_for("rename") && strikes("rename", to)) return -1;
  note_change();
  return kReal(from, to);
}

int fdatasync(int descriptor) {
  static auto* const kReal = next<int(int)>("fdatasync");
  note_change();
  return kReal(descriptor);
}

int unlink(const char* path) noexcept {
  static auto* const kReal = next<int(const char*)>("unlink");
  note_change();
  return kReal(path);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static auto* const kReal = next<int(int, const char*, int)>("unlinkat");
  note_change();
  return kReal(folder, path, flags);
}

int remove(const char* path) noexcept {
  static auto* const kReal = next<int(const char*)>("remove");
  note_change();
  return kReal(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const kReal = next<int(const char*, mode_t)>("mkdir");
  note_change();
  return kReal(path, mode);
}

int ftruncate(int descriptor, off_t size) noexcept {
  static auto* const kReal = next<int(int, off_t)>("ftruncate");
  note_change();
  return kReal(descriptor, size);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) noexcept {
  static auto* const kReal =
      next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (is_asked_for("thread") && strikes("thread", "-")) return EAGAIN;
  return kReal(thread, attributes, run, argument);
}

int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  static auto* const kReal = next<int(clockid_t, struct timespec*)>("clock_gettime");
  static const char* const kStep = getenv("SHEAF_FAULT_CLOCK");
  static const char* const kDate = getenv("SHEAF_FAULT_DATE");
  static std::atomic<time_t> looks{0};
  if (kDate != nullptr && clock == CLOCK_REALTIME) {
    *time = {atoll(kDate), 0};
    return 0;
  }
  if (kStep == nullptr || clock != CLOCK_MONOTONIC) return kReal(clock, time);
  *time = {1'000'000 + ++looks * atoi(kStep), 0};
  return 0;
}
}
