#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/format/pages/page_encoder.h"

#include <fmt/format.h>

#include <sheaf/writer.h>

#include <utility>

namespace sheaf {

class Writer::Impl {
 public:
  explicit Impl(format::CollectionWriter collection) : writer(std::move(collection)) {}

  format::CollectionWriter writer;
};

Writer::Writer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

Result<Writer> Writer::create(CollectionHead head, std::vector<WriterTarget> targets,
                              const WriterOptions& options) {
  SHEAF_TRY_ASSIGN(auto writer,
                   format::CollectionWriter::create(std::move(head), std::move(targets), options));
  return Writer(std::make_unique<Impl>(std::move(writer)));
}

Result<Writer> Writer::create(CollectionHead head, const std::filesystem::path& file,
                              const WriterOptions& options) {
  const auto codec = codec_for_path(file.string());
  if (!codec)
    return fail(Errc::invalid_argument,
                fmt::format("{}: a collection's name ends in .scp, .scp.gz or .scp.zst", file.string()));
  return create(std::move(head), std::vector<WriterTarget>{{file, *codec, {}}}, options);
}

Result<void> Writer::add(const Page& page) { return impl_->writer.add(page); }
CollectionHead& Writer::head() { return impl_->writer.head(); }
Result<WriteSummary> Writer::finish() { return impl_->writer.finish(); }

std::string page_json(const Page& page) {
  std::string json;
  format::encode_page(page, json);
  return json;
}

}  // namespace sheaf
