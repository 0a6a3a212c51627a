#include "sheaf/pull/download_note.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/base/record.h"

namespace sheaf::pull {
namespace {

constexpr std::uint64_t kNoteBytes = std::uint64_t{64} * 1024;
constexpr std::uint64_t kNoteVersion = 1;

}  // namespace

bool DownloadNote::can_be_resumed() const {
  const bool is_strong = validators.etag().starts_with('"');
  return is_strong || (validators.etag().empty() && !validators.last_modified().empty());
}

std::optional<DownloadNote> read_download_note(const std::filesystem::path& file, std::string_view url) {
  const auto source = base::open_source(file.string());
  if (!source) return std::nullopt;
  const auto bytes = base::read_up_to(**source, kNoteBytes);
  if (!bytes) return std::nullopt;
  base::RecordReader record(*bytes);
  if (record.number() != kNoteVersion) return std::nullopt;
  DownloadNote note;
  note.url = record.text();
  note.final_url = record.text();
  note.label = record.text();
  const auto etag = record.text();
  const auto last_modified = record.text();
  note.validators = {etag, last_modified};
  note.content_type = record.text();
  note.bytes = record.number();
  note.coding = record.text();
  if (!record.good() || note.url != url) return std::nullopt;
  return note;
}

base::Result<void> write_download_note(const std::filesystem::path& file, const DownloadNote& note) {
  base::RecordWriter record;
  record.number(kNoteVersion)
      .text(note.url)
      .text(note.final_url)
      .text(note.label)
      .text(note.validators.etag())
      .text(note.validators.last_modified())
      .text(note.content_type)
      .number(note.bytes)
      .text(note.coding);
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(record.bytes()));
  return out.commit();
}

}  // namespace sheaf::pull
