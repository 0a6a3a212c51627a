// Read by ThreadSanitizer at its start, unused in other builds. Debian's RocksDB is not instrumented: of what
// its atomics and locks order nothing is seen, so that everything it does looks like a race.
extern "C" const char* __tsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier): its name

extern "C" const char* __tsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "race:librocksdb.so\n";
}
