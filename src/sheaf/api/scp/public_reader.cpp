#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/collection_pass.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include <sheaf/reader.h>

#include <utility>

namespace sheaf {
namespace {

/// A caller's function as a source.
class FunctionSource final : public base::ByteSource {
 public:
  FunctionSource(ReadFunction read, std::string name) : read_(std::move(read)), name_(std::move(name)) {}

  Result<std::size_t> read(std::span<char> out) override { return read_(out); }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return std::nullopt; }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  ReadFunction read_;
  std::string name_;
};

}  // namespace

class Reader::Impl {
 public:
  static Result<Reader> open(std::unique_ptr<base::ByteSource> source, const ReaderOptions& options,
                             FindingSink sink) {
    std::string name = source->name();
    auto reader = format::CollectionReader::open(std::move(source), options, sink);
    if (!reader) {
      sink(reader.error());
      return std::unexpected(format::to_error(name, reader.error()));
    }
    return Reader(std::make_unique<Impl>(std::move(name), std::move(*reader), std::move(sink)));
  }

  Impl(std::string name, format::CollectionReader reader, FindingSink sink)
      : name_(std::move(name)), reader_(std::move(reader)), sink_(std::move(sink)) {}

  Result<const Page*> next() {
    const auto more = reader_.next();
    if (more) return *more ? &reader_.page() : nullptr;
    if (!std::exchange(failed_, true)) sink_(more.error());
    return std::unexpected(format::to_error(name_, more.error()));
  }

  format::CollectionReader& reader() { return reader_; }

 private:
  std::string name_;
  format::CollectionReader reader_;
  FindingSink sink_;
  bool failed_ = false;
};

Reader::Reader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

Result<Reader> Reader::open(const std::filesystem::path& file, const ReaderOptions& options,
                            FindingSink sink) {
  SHEAF_TRY_ASSIGN(auto source, base::open_source(file.string()));
  return Impl::open(std::move(source), options, std::move(sink));
}

Result<Reader> Reader::open_bytes(std::string_view bytes, const ReaderOptions& options, FindingSink sink) {
  return Impl::open(base::buffer_source(bytes), options, std::move(sink));
}

Result<Reader> Reader::open_stream(ReadFunction read, std::string name, const ReaderOptions& options,
                                   FindingSink sink) {
  return Impl::open(std::make_unique<FunctionSource>(std::move(read), std::move(name)), options,
                    std::move(sink));
}

const CollectionHead& Reader::head() const { return impl_->reader().head(); }
bool Reader::has_head() const { return impl_->reader().has_head(); }
Result<const Page*> Reader::next() { return impl_->next(); }
std::string_view Reader::json() { return impl_->reader().raw(); }
std::uint64_t Reader::line_number() const { return impl_->reader().line_number(); }
ChecksumVerdict Reader::checksum() const { return impl_->reader().checksum(); }
ReaderStatistics Reader::statistics() const { return impl_->reader().statistics(); }

class PageParser::Impl {
 public:
  format::StoredPageDecoder decode{PageDetail::everything};
};

PageParser::PageParser() : impl_(std::make_unique<Impl>()) {}
PageParser::~PageParser() = default;
PageParser::PageParser(PageParser&&) noexcept = default;
PageParser& PageParser::operator=(PageParser&&) noexcept = default;

Result<const Page*> PageParser::parse(std::string_view json) {
  const auto page = impl_->decode(json);
  if (!page) return fail(Errc::invalid_data, page.error());
  return *page;
}

}  // namespace sheaf
