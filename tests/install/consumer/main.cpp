#include "sheaf/format/collection_reader.h"

#include <cstdio>

int main(int argc, char** argv) {
  auto source = sheaf::base::open_source(argc > 1 ? argv[1] : "-");
  if (!source) return std::fprintf(stderr, "%s\n", source.error().message.c_str()), 2;
  auto reader = sheaf::format::CollectionReader::open(std::move(*source), {});
  if (!reader) return std::fprintf(stderr, "%s\n", reader.error().message.c_str()), 1;
  auto more = reader->next();
  while (more && *more) more = reader->next();
  std::printf("%llu pages\n", static_cast<unsigned long long>(reader->statistics().pages));
  return more ? 0 : 1;
}
