#include "sheaf/format/collections/collection_writer.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/base/free_memory.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/threads.h"
#include "sheaf/format/pages/head_decoder.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/format/pages/page_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <span>
#include <thread>

namespace sheaf::format {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::size_t kSpoolBuffer = 1 << 20;
constexpr std::size_t kLargeBody = std::size_t{4} << 20;

/// Levels to try if a file would exceed the ratio limit of readers: the requested level, then weaker ones.
/// The last one does not compress, so one of them is within the limit.
std::vector<int> levels_to_try(Codec codec, int level) {
  std::vector<int> levels = {level};
  if (codec == Codec::plain) return levels;
  const std::vector<int> weaker =
      codec == Codec::zstd ? std::vector{1, -20, kZstdStored} : std::vector{1, kGzipStored};
  std::ranges::copy_if(weaker, std::back_inserter(levels), [&](int other) { return other < level; });
  return levels;
}

/// Passes a spool to `use` in pieces.
template <class Use>
Result<void> for_each_piece(const base::SpoolFile& spool, Use use) {
  std::vector<char> buffer(std::min<std::uint64_t>(kSpoolBuffer, std::max<std::uint64_t>(spool.size(), 1)));
  for (std::uint64_t at = 0; at < spool.size(); at += buffer.size()) {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), spool.size() - at);
    SHEAF_TRY(spool.read_at(at, std::span(buffer).first(count)));
    SHEAF_TRY(use(std::string_view(buffer.data(), count)));
  }
  return {};
}

/// One output file being written.
class TargetFile {
 public:
  TargetFile(base::AtomicFile file, const WriterTarget& target)
      : file_(std::move(file)),
        codec_(target.codec),
        level_(target.level.value_or(default_level(target.codec))) {}

  Result<void> compress(std::string_view head_line, const base::SpoolFile& body,
                        const WriterOptions& options) {
    const Limits& limits = options.limits;
    const std::uint64_t plain = head_line.size() + body.size();
    for (const int level : levels_to_try(codec_, level_)) {
      level_ = level;
      SHEAF_TRY(file_.truncate());
      SHEAF_TRY(compress_at(level, options.threads, head_line, body));
      if (codec_ == Codec::plain || !exceeds_ratio(plain, file_.size(), limits)) break;
    }
    return check_size(limits);
  }

  Result<void> commit() { return file_.commit(); }
  [[nodiscard]] WrittenFile summary() const { return {file_.path(), codec_, level_, file_.size()}; }

 private:
  Result<void> compress_at(int level, unsigned threads, std::string_view head_line,
                           const base::SpoolFile& body) {
    const auto encoder = make_encoder(codec_, level, threads);
    std::string out;
    const auto feed = [&](std::string_view bytes, Flush flush) -> Result<void> {
      SHEAF_TRY(encoder->encode(bytes, flush, out));
      if (out.size() < kSpoolBuffer && flush == Flush::more) return {};
      SHEAF_TRY(file_.write(out));
      out.clear();
      return {};
    };
    SHEAF_TRY(feed(head_line, Flush::more));
    SHEAF_TRY(for_each_piece(body, [&](std::string_view piece) { return feed(piece, Flush::more); }));
    return feed({}, Flush::end);
  }

  [[nodiscard]] Result<void> check_size(const Limits& limits) const {
    if (file_.size() <= limits.compressed_bytes) return {};
    return fail(Errc::refused,
                fmt::format("{} would be over the limit of {}: split the section", file_.path().string(),
                            base::counted(limits.compressed_bytes, "byte", "bytes")));
  }

  base::AtomicFile file_;
  Codec codec_;
  int level_;
};

/// Whether a reader would change the page. Such a page is not written.
bool is_refused(Code code) {
  return level_of(code) != Level::warning || code == Code::invalid_field || code == Code::heading_clamped ||
         code == Code::legacy_block;
}

Result<void> check_head(model::CollectionHead head, const WriterOptions& options) {
  const Limits& limits = options.limits;
  head.checksum = "sha256:" + std::string(64, '0');  // same length as the final one
  std::string line;
  encode_head(head, line);
  if (line.find('\n') != std::string::npos)
    return fail(
        Errc::refused,
        "the collection's metadata has a line feed in the JSON of an unknown member: write it on one line");
  if (line.size() > limits.page_bytes)
    return fail(Errc::refused,
                fmt::format("the metadata line would be {} bytes, over the limit of {}: the list of removed "
                            "URLs is too long, publish a snapshot instead",
                            line.size(), limits.page_bytes));
  const std::size_t size = line.size();
  line.append(kLinePadding, '\0');
  std::string trouble;
  const auto sink = [&](const Finding& finding) {
    if (options.strict || finding.code != Code::unsafe_url_kept) trouble = finding.message;
  };
  const auto decoded = decode_head({std::string_view(line).substr(0, size), 1, 0}, limits, sink);
  if (!decoded)
    return fail(Errc::refused,
                "the collection's metadata would not be read back: " + decoded.error().message);
  if (!trouble.empty())
    return fail(Errc::refused, "the collection's metadata would not be read back whole: " + trouble);
  return {};
}

}  // namespace

class CollectionWriter::Impl {
 public:
  Impl(model::CollectionHead first_head, std::vector<TargetFile> targets,
       std::optional<base::SpoolFile> spool, const WriterOptions& options)
      : head(std::move(first_head)),
        options_(options),
        targets_(std::move(targets)),
        spool_(std::move(spool)),
        checker_(std::in_place, options.limits, Detail::checks) {}

  Result<void> add(const Page& page) {
    const std::size_t start = buffer_.size();
    encode_page(page, buffer_);
    auto checked = check(start, page);
    if (!checked) {
      buffer_.truncate(start);
      return checked;
    }
    buffer_ += '\n';
    plain_bytes_ += buffer_.size() - start;
    state.add(page.url, page.modified);
    ++pages_;
    return buffer_.size() >= kSpoolBuffer ? flush() : Result<void>();
  }

  Result<WriteSummary> finish() {
    SHEAF_TRY(flush());
    if (!head.state && head.type == model::CollectionType::snapshot) head.state = state.to_string();
    head.checksum.reset();
    SHEAF_TRY(check_head(head, options_));
    SHEAF_TRY_ASSIGN(head.checksum, checksum());
    std::string line;
    encode_head(head, line);
    line += '\n';
    if (line.size() + plain_bytes_ > options_.limits.decompressed_bytes)
      return fail(
          Errc::refused,
          fmt::format(
              "the collection would be {} bytes uncompressed, over the limit of {}: split the section",
              line.size() + plain_bytes_, options_.limits.decompressed_bytes));
    SHEAF_TRY(compress_all(line));
    WriteSummary summary{{}, pages_, line.size() + plain_bytes_, head};
    for (TargetFile& target : targets_) {
      SHEAF_TRY(target.commit());
      summary.files.push_back(target.summary());
    }
    return summary;
  }

  /// From now on pages are not spooled, but compressed to learn their size.
  void measure_with(Codec codec) { sizer_ = make_encoder(codec, default_level(codec)); }

  Result<std::uint64_t> compressed_size() {
    SHEAF_TRY(measure(buffer_.view(), Flush::end));
    return compressed_size_;
  }

  model::CollectionHead head;
  StateDigest state;

 private:
  /// Decodes the line as a reader would. A page that is not accepted unchanged is not written.
  Result<void> check(std::size_t start, const Page& page) {
    const std::size_t size = buffer_.size() - start;
    const auto refuse = [&](std::string_view why) {
      return fail(Errc::refused, fmt::format("page {}: {}", page.url, why));
    };
    if (size > options_.limits.page_bytes)
      return refuse(fmt::format("it takes {} bytes, over the limit of {}", size, options_.limits.page_bytes));
    if (buffer_.view().find('\n', start) != std::string_view::npos)
      return refuse("there is a line feed in JSON that is written as it came: write it on one line");
    std::memset(buffer_.room(kLinePadding), 0, kLinePadding);
    std::string trouble;
    const auto sink = [&](const Finding& finding) {
      if (options_.strict || is_refused(finding.code)) trouble = finding.message;
    };
    const auto outcome = checker_->decode({buffer_.view().substr(start), pages_ + 2, 0}, sink);
    if (!outcome) return refuse(outcome.error().message);
    if (!trouble.empty()) return refuse(trouble);
    return {};
  }

  Result<void> flush() {
    SHEAF_TRY(sizer_ ? measure(buffer_.view(), Flush::more) : spool_->append(buffer_.view()));
    buffer_.clear();
    return {};
  }

  Result<void> measure(std::string_view bytes, Flush flush) {
    std::string out;
    SHEAF_TRY(sizer_->encode(bytes, flush, out));
    compressed_size_ += out.size();
    return {};
  }

  /// The hash of the final file without the checksum member: the head without it, then the pages.
  Result<std::string> checksum() {
    base::Sha256 sha;
    std::string line;
    encode_head(head, line);
    sha.update(line);
    sha.update("\n");
    SHEAF_TRY(for_each_piece(*spool_, [&](std::string_view piece) -> Result<void> {
      sha.update(piece);
      return {};
    }));
    return "sha256:" + base::to_hex(sha.finish());
  }

  Result<void> compress_all(const std::string& head_line) {
    // Free the memory of reading and checking the pages: the compressors need about as much.
    checker_.reset();
    buffer_ = {};
    if (spool_->size() >= kLargeBody) base::return_free_memory();
    std::vector<Result<void>> results(targets_.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < targets_.size(); i = next++)
        results[i] = targets_[i].compress(head_line, *spool_, options_);
    };
    std::vector<std::jthread> threads;
    base::start_threads(threads, std::min<std::size_t>(targets_.size(), std::max(options_.threads, 1U)) - 1,
                        0, work);
    work();
    threads.clear();  // waits for them
    for (auto& result : results) SHEAF_TRY(std::move(result));
    return {};
  }

  WriterOptions options_;
  std::vector<TargetFile> targets_;
  std::optional<base::SpoolFile> spool_;
  std::optional<PageDecoder> checker_;  ///< until the pages are compressed
  ByteBuffer buffer_;
  std::uint64_t pages_ = 0;
  std::uint64_t plain_bytes_ = 0;
  std::unique_ptr<Encoder> sizer_;  ///< only of a checker
  std::uint64_t compressed_size_ = 0;
};

CollectionWriter::CollectionWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CollectionWriter::~CollectionWriter() = default;
CollectionWriter::CollectionWriter(CollectionWriter&&) noexcept = default;
CollectionWriter& CollectionWriter::operator=(CollectionWriter&&) noexcept = default;

Result<CollectionWriter> CollectionWriter::create(model::CollectionHead head,
                                                  std::vector<WriterTarget> targets,
                                                  const WriterOptions& options) {
  if (targets.empty())
    return fail(Errc::invalid_argument, "a collection needs at least one file to be written to");
  SHEAF_TRY(check_head(head, options));
  std::vector<TargetFile> files;
  for (const WriterTarget& target : targets) {
    SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(target.path));
    files.emplace_back(std::move(file), target);
  }
  auto folder = options.spool_folder;
  if (folder.empty()) folder = targets.front().path.parent_path();
  SHEAF_TRY_ASSIGN(auto spool, base::SpoolFile::create(folder.empty() ? "." : folder));
  return CollectionWriter(
      std::make_unique<Impl>(std::move(head), std::move(files), std::move(spool), options));
}

Result<CollectionWriter> CollectionWriter::create_checker(model::CollectionHead head, Codec codec,
                                                          const WriterOptions& options) {
  SHEAF_TRY(check_head(head, options));
  auto impl = std::make_unique<Impl>(std::move(head), std::vector<TargetFile>(), std::nullopt, options);
  impl->measure_with(codec);
  return CollectionWriter(std::move(impl));
}

Result<void> CollectionWriter::add(const Page& page) { return impl_->add(page); }
const StateDigest& CollectionWriter::state() const { return impl_->state; }
model::CollectionHead& CollectionWriter::head() { return impl_->head; }
Result<WriteSummary> CollectionWriter::finish() { return impl_->finish(); }
Result<std::uint64_t> CollectionWriter::compressed_size() { return impl_->compressed_size(); }

}  // namespace sheaf::format
