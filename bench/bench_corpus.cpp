#include "bench_corpus.h"

#include "race.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/format/lines/line.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/format/pages/page_encoder.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <unistd.h>
#include <zstd.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <memory>

namespace sheaf::bench {
namespace {

constexpr std::string_view kUrlStart = R"({"url":"https://docs.example/r)";
constexpr std::size_t kPrefixDigits = 4;

void for_each_page(std::string_view lines, const std::function<void(const Page&)>& use) {
  format::PageDecoder decoder({}, format::Detail::everything);
  std::uint64_t number = 0;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    require(end != std::string_view::npos, "every page line ends");
    const auto outcome = decoder.decode({lines.substr(0, end), ++number, 0}, [](const format::Finding&) {});
    require(outcome && *outcome == format::PageDecoder::Outcome::page, "every page of the corpus is good");
    use(decoder.page());
    lines.remove_prefix(end + 1);
  }
}

/// Compresses to a descriptor. Level 1 keeps up with the reader; the window is that of our writer's level 9,
/// for it decides what the reader must hold.
class CompressedPipe {
 public:
  explicit CompressedPipe(int descriptor) : descriptor_(descriptor), buffer_(ZSTD_CStreamOutSize()) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_windowLog, 22);
  }

  void write(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    while (true) {
      ZSTD_outBuffer output{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context_.get(), &output, &input, directive);
      require(ZSTD_isError(left) == 0, "zstd compresses");
      write_all({buffer_.data(), output.pos});
      if (directive == ZSTD_e_end ? left == 0 : input.pos == input.size) return;
    }
  }

 private:
  void write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      require(count > 0, "the reader takes everything");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  int descriptor_;
  std::vector<char> buffer_;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_{ZSTD_createCCtx(), &ZSTD_freeCCtx};
};

}  // namespace

Bytes Bytes::read(const std::filesystem::path& path, std::size_t at_most) {
  std::ifstream file(path, std::ios::binary);
  require(file.is_open(), fmt::format("{} opens", path.string()));
  Bytes bytes;
  bytes.size_ = std::min<std::size_t>(at_most, std::filesystem::file_size(path));
  bytes.memory_.resize(bytes.size_ + format::kLinePadding);
  file.read(bytes.memory_.data(), static_cast<std::streamsize>(bytes.size_));
  require(file.good(), fmt::format("{} is read", path.string()));
  return bytes;
}

DecodedPages decode_lines(std::string_view lines) {
  DecodedPages result;
  for_each_page(lines, [&](const Page& page) { result.pages.push_back(sheaf::copy(page, result.arena)); });
  return result;
}

std::string_view whole_lines(std::string_view text, std::size_t size) {
  const std::size_t end = text.substr(0, size).rfind('\n');
  require(end != std::string_view::npos, "the corpus is long enough");
  return text.substr(0, end + 1);
}

model::CollectionHead bench_head(std::string_view generated) {
  model::CollectionHead head;
  head.id = "bench";
  head.section = "docs";
  head.set_generated(parse_time(generated)->instant);
  return head;
}

void make_collections(const std::filesystem::path& lines, const std::filesystem::path& stem,
                      const std::vector<format::Codec>& codecs, const model::CollectionHead& head,
                      std::size_t at_most) {
  std::vector<format::WriterTarget> targets;
  for (const format::Codec codec : codecs) {
    std::filesystem::path path = stem;
    path += format::extension_of(codec);
    if (std::filesystem::exists(path) &&
        std::filesystem::last_write_time(path) > std::filesystem::last_write_time(lines))
      continue;
    targets.push_back({path, codec, std::nullopt});
  }
  if (targets.empty()) return;
  fmt::print("making {} ({} files)\n", stem.string(), targets.size());
  const Bytes text = Bytes::read(lines, at_most);
  format::WriterOptions options;
  options.threads = 2;
  auto writer = format::CollectionWriter::create(head, std::move(targets), options);
  require(writer.has_value(), "a collection can be written");
  for_each_page(whole_lines(text.view(), text.view().size()), [&](const Page& page) {
    require(writer->add(page).has_value(), "the writer takes every page");
  });
  require(writer->finish().has_value(), "the collection is written");
}

std::uint64_t stream_collection(int descriptor, Bytes& lines, std::uint64_t size) {
  const std::string_view text = whole_lines(lines.view(), lines.view().size());
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    require(text.substr(at).starts_with(kUrlStart), "every page line starts with its URL");
    starts.push_back(at);
  }
  CompressedPipe pipe(descriptor);
  std::string head;
  format::encode_head(bench_head(), head);
  pipe.write(head + "\n", ZSTD_e_continue);
  std::uint64_t copies = 0;
  for (std::uint64_t written = 0; written < size; written += text.size()) {
    const std::string digits = fmt::format("{:04}", copies++);
    for (const std::size_t start : starts)
      std::memcpy(lines.data() + start + kUrlStart.size(), digits.data(), kPrefixDigits);
    pipe.write(text, ZSTD_e_continue);
  }
  pipe.write({}, ZSTD_e_end);
  return copies * starts.size();
}

}  // namespace sheaf::bench
