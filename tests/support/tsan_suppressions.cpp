// Read by ThreadSanitizer at its start, unused in other builds. Debian's RocksDB is not instrumented:
// ThreadSanitizer does not see its atomics and locks, so everything it does looks like a race.
extern "C" const char* __tsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier): its name

extern "C" const char* __tsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "race:librocksdb.so\n";
}
