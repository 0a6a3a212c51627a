#include "sheaf/serve/collection_facts.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/collection_reader.h"

#include <unistd.h>

#include <array>

namespace sheaf::serve {

format::Codec codec_of(int descriptor) {
  std::array<char, 4> first{};
  const ssize_t count = pread(descriptor, first.data(), first.size(), 0);
  return format::sniff_codec({first.data(), count > 0 ? static_cast<std::size_t>(count) : 0});
}

base::Result<ServedCollection> read_facts(int descriptor, const std::string& name) {
  auto reader = format::CollectionReader::open(base::descriptor_source(descriptor, name), {});
  if (!reader) return base::fail(base::Errc::invalid_data, name + ": " + reader.error().message);
  const model::CollectionHead& head = reader->head();
  return ServedCollection{head.section, head.type, head.generated_at, head.checksum};
}

}  // namespace sheaf::serve
