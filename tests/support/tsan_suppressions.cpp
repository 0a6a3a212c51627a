// Read by ThreadSanitizer at its start, unused in other builds. Debian's RocksDB is not instrumented:
// ThreadSanitizer does not see its atomics and locks, so everything it does looks like a race. Its threads
// hand contexts of zstd to each other, and stacks through it lack its own frames: those races are in libzstd.
extern "C" const char* __tsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier): its name

extern "C" const char* __tsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "race:librocksdb.so\nrace:libzstd.so\n";
}
