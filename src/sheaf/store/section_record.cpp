#include "sheaf/store/section_record.h"

#include "sheaf/base/record.h"

#include <algorithm>

namespace sheaf::store {

using base::RecordReader;
using base::RecordWriter;

UrlKey UrlHasher::operator()(std::string_view url) {
  sha_.update(url);
  const base::Digest digest = sha_.finish();
  UrlKey key{};
  std::copy_n(digest.begin(), key.size(), key.begin());
  return key;
}

std::string encode(const SectionRecord& section) {
  RecordWriter out;
  out.number(section.id).number(static_cast<std::uint64_t>(section.origin));
  out.time(section.generated).optional_time(section.snapshot);
  out.number(section.pages).number(section.bytes).digest(section.state).number(section.stated ? 1 : 0);
  if (section.stated) out.digest(*section.stated);
  out.time(section.changed_at);
  out.number(section.guard.pages).number(section.guard.removed);
  out.number(section.foreign ? 1 : 0);
  if (section.foreign) out.digest(*section.foreign);
  return out.bytes();
}

std::optional<SectionRecord> decode_section(std::string_view bytes) {
  RecordReader in(bytes);
  SectionRecord section;
  const std::uint64_t id = in.number();
  const std::uint64_t origin = in.number();
  section.generated = in.time();
  section.snapshot = in.optional_time();
  section.pages = in.number();
  section.bytes = in.number();
  section.state = in.digest<32>();
  if (in.number() != 0) section.stated = in.digest<32>();
  section.changed_at = in.time();
  section.guard.pages = in.number();
  section.guard.removed = in.number();
  section.foreign.reset();
  if (in.number() != 0) section.foreign = in.digest<32>();
  if (!in.good() || id > UINT32_MAX || origin > static_cast<std::uint64_t>(Origin::html)) return std::nullopt;
  section.id = static_cast<std::uint32_t>(id);
  section.origin = static_cast<Origin>(origin);
  return section;
}

void encode(const PageData& data, std::string& out) {
  RecordWriter(out).text(data.url).text(data.modified).time(data.as_of).text(data.json).time(data.fetched);
}

std::optional<PageData> decode_data(std::string_view bytes) {
  RecordReader in(bytes);
  PageData data;
  data.url = in.text();
  data.modified = in.text();
  data.as_of = in.time();
  data.json = in.text();
  data.fetched = in.time();
  return in.good() ? std::optional(data) : std::nullopt;
}

SectionState to_state(const NamedSection& section) {
  const SectionRecord& record = section.record;
  SectionState state;
  state.site = section.site;
  state.section = section.name;
  state.origin = record.origin;
  state.generated = record.generated;
  state.snapshot = record.snapshot;
  state.pages = record.pages;
  state.bytes = record.bytes;
  state.state = record.state;
  if (record.stated) state.proven = *record.stated == record.state;
  state.changed_at = record.changed_at;
  return state;
}

}  // namespace sheaf::store
