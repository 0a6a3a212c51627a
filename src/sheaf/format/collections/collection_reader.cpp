#include "sheaf/format/collections/collection_reader.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/error.h"
#include "sheaf/base/hex.h"
#include "sheaf/format/lines/line_splitter.h"
#include "sheaf/format/lines/stages.h"
#include "sheaf/format/pages/head_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace sheaf {

std::string_view to_string(ChecksumVerdict verdict) {
  switch (verdict) {
    case ChecksumVerdict::unchecked: return "unchecked";
    case ChecksumVerdict::absent: return "absent";
    case ChecksumVerdict::verified: return "verified";
    case ChecksumVerdict::mismatch: return "mismatch";
  }
  return "";
}

}  // namespace sheaf

namespace sheaf::format {
namespace {

// Fits the L2 cache together with the parser's memory: a chunk is decoded, hashed and parsed while it is
// cached.
constexpr std::size_t kChunkBytes = std::size_t{256} * 1024;
constexpr std::string_view kBom = "\xef\xbb\xbf";

/// Decompression and hashing together take about as long as parsing the lines, so with two threads they share
/// one.
Stage hash_stage(unsigned threads) {
  if (threads <= 1) return Stage::in_line;
  return threads == 2 ? Stage::shared_thread : Stage::own_thread;
}

/// Maximum number of chunks in use: those in the queues, one per stage, and that of the caller's line; or one
/// for each thread that decodes lines.
constexpr std::size_t kChunkCount = 12;
static_assert(kChunkCount >= kMaxDecodingThreads + 2);

}  // namespace

class CollectionReader::Impl {
 public:
  Impl(std::unique_ptr<base::ByteSource> source, const ReaderOptions& options, FindingSink sink)
      : options_(options),
        sink_(std::move(sink)),
        pool_(kChunkCount, kChunkBytes),
        hash_(hash_stage(options.threads)),
        decompress_(PlainStream(std::move(source), options.limits), pool_,
                    options.threads >= 2 ? Stage::own_thread : Stage::in_line,
                    hash_stage(options.threads) == Stage::shared_thread ? &hash_ : nullptr),
        splitter_(decompress_, options.limits.page_bytes),
        decoder_(options.limits, options.detail) {}

  Read<void> read_head() {
    auto result = find_head();
    if (!result) failure_ = result.error();
    return result;
  }

  Read<bool> next() {
    if (failure_) return std::unexpected(*failure_);
    if (ended_) return false;
    auto result = advance();
    if (!result) failure_ = result.error();
    return result;
  }

  Read<bool> next_lines(LineBatch& batch) {
    batch.reset(nullptr);
    if (failure_) return std::unexpected(*failure_);
    if (ended_) return false;
    auto result = take_lines(batch);
    if (result) return result;
    failure_ = result.error();
    if (!batch.is_empty()) return true;  // the lines before the error come first
    return result;
  }

  [[nodiscard]] ReaderStatistics statistics() const {
    ReaderStatistics statistics = statistics_;
    statistics.codec = decompress_.codec();
    statistics.compressed_bytes = decompress_.compressed_bytes();
    statistics.plain_bytes = splitter_.bytes();
    return statistics;
  }

  model::CollectionHead head;
  bool has_head = false;
  ChecksumVerdict checksum = ChecksumVerdict::unchecked;
  std::string digest;  ///< of the whole file, once it has ended

  PageDecoder& decoder() { return decoder_; }
  [[nodiscard]] const PageDecoder& decoder() const { return decoder_; }
  [[nodiscard]] const Line& line() const { return line_; }

 private:
  /// The next line that is not blank or too large; false at the end.
  Read<bool> next_line() {
    while (true) {
      SHEAF_TRY_ASSIGN(const auto line, splitter_.next());
      if (!line) return false;
      line_ = *line;
      if (line_.too_large) {
        report_blanks();
        sink_({Code::page_too_large,
               line_.number,
               line_.offset,
               {},
               fmt::format("the line is over the limit of {}; the page was skipped",
                           base::counted(options_.limits.page_bytes, "byte", "bytes"))});
        ++statistics_.skipped;
        continue;
      }
      if (base::trim_xml_space(line_.text).empty()) {
        if (blank_lines_++ == 0) first_blank_ = line_;
        continue;
      }
      report_blanks();
      statistics_.longest_line = std::max<std::uint64_t>(statistics_.longest_line, line_.text.size());
      return true;
    }
  }

  /// Blank lines are reported only if a line follows; at the end of a file they are harmless.
  void report_blanks() {
    if (blank_lines_ == 0) return;
    sink_({Code::blank_line,
           first_blank_.number,
           first_blank_.offset,
           {},
           blank_lines_ == 1 ? std::string("a blank line; skipped")
                             : fmt::format("{} blank lines in a row; skipped", blank_lines_)});
    blank_lines_ = 0;
  }

  /// Hashes the current line without `cut`. Used up to the metadata line; the splitter hashes what follows.
  void hash_line(Cut cut) {
    const std::string_view text = original_line_;
    hash_.add_copy(text.substr(0, cut.begin));
    hash_.add_copy(text.substr(cut.end));
    if (line_.has_line_feed) hash_.add_copy("\n");
  }

  static std::string describe_missing_head(std::string_view first_line) {
    std::string text = "the first line has no collection object: it must be the metadata line";
    if (first_line.contains("\"url\""))
      text +=
          ". It is a page, as in files of draft 1: their publisher must write a metadata line before it; "
          "`sheaf convert` then adds a checksum";
    return text;
  }

  Read<void> find_head() {
    SHEAF_TRY_ASSIGN(const bool found, first_line());
    if (!found) return stop(Code::empty_file, "the file is empty: there is no line in it");
    SHEAF_TRY_ASSIGN(auto decoded, decode_head(line_, options_.limits, sink_));
    Cut cut;
    if (decoded) {
      head = std::move(decoded->head);
      has_head = true;
      const std::size_t shift = original_line_.size() - line_.text.size();  // a byte-order mark
      if (head.checksum) cut = {decoded->checksum.begin + shift, decoded->checksum.end + shift};
    } else if (options_.head == HeadRule::required) {
      return stop(Code::missing_collection, describe_missing_head(line_.text));
    }
    hash_line(cut);
    splitter_.tee_to(hash_);
    pending_page_ = !has_head;
    return {};
  }

  /// The first line that is not blank, without its byte-order mark. Everything before it is hashed.
  Read<bool> first_line() {
    while (true) {
      SHEAF_TRY_ASSIGN(const auto line, splitter_.next());
      if (!line) return false;
      line_ = *line;
      original_line_ = line_.text;
      if (line_.too_large)
        return stop(Code::invalid_collection,
                    fmt::format("the metadata line is over the limit of {}",
                                base::counted(options_.limits.page_bytes, "byte", "bytes")));
      if (line_.number == 1 && line_.text.starts_with(kBom)) {
        sink_({Code::bom, 1, 0, {}, "the file starts with a byte-order mark; skipped"});
        line_.text.remove_prefix(kBom.size());
        line_.offset += kBom.size();
      }
      if (!base::trim_xml_space(line_.text).empty()) break;
      if (blank_lines_++ == 0) first_blank_ = line_;
      hash_line({});
    }
    report_blanks();
    statistics_.longest_line = line_.text.size();
    return true;
  }

  [[nodiscard]] std::unexpected<Finding> stop(Code code, std::string message) const {
    return std::unexpected(Finding{code, line_.number, line_.offset, {}, std::move(message)});
  }

  Read<bool> advance() {
    while (true) {
      if (!std::exchange(pending_page_, false)) {
        SHEAF_TRY_ASSIGN(const bool found, next_line());
        if (!found) return finish();
      }
      SHEAF_TRY_ASSIGN(const PageDecoder::Outcome outcome, decoder_.decode(line_, sink_));
      if (outcome == PageDecoder::Outcome::page) {
        ++statistics_.pages;
        return true;
      }
      ++statistics_.skipped;
    }
  }

  /// Adds lines up to the end of a chunk. A large line is in a separate batch.
  Read<bool> take_lines(LineBatch& batch) {
    do {
      if (!std::exchange(pending_page_, false)) {
        SHEAF_TRY_ASSIGN(const bool found, next_line());
        if (!found) return batch.is_empty() ? finish() : true;
      }
      if (batch.is_empty()) batch.reset(splitter_.chunk());
      // Skipping blank lines may have led to another chunk; its line then goes to the next batch. A batch
      // that held several chunks could block on memory that it holds itself.
      pending_page_ = batch.chunk() != splitter_.chunk();
      if (pending_page_) return true;
      add_line(batch);
    } while (splitter_.has_whole_line() && !batch.borrows_from_reader());
    return true;
  }

  void add_line(LineBatch& batch) const {
    if (!splitter_.is_copy()) return batch.add(line_);
    if (line_.text.size() > kLargeLineBytes) return batch.borrow(line_);
    batch.add_copy(line_);
  }

  Read<bool> finish() {
    ended_ = true;
    digest = base::to_hex(hash_.finish());
    if (!head.checksum) {
      checksum = ChecksumVerdict::absent;
      return false;
    }
    const std::string stated = base::lower_text(head.checksum->substr(std::string_view("sha256:").size()));
    checksum = stated == digest ? ChecksumVerdict::verified : ChecksumVerdict::mismatch;
    if (checksum == ChecksumVerdict::verified) return false;
    return std::unexpected(Finding{
        Code::checksum_mismatch,
        0,
        0,
        {},
        fmt::format("the file's hash is sha256:{} but its metadata line says {}: it was damaged or altered",
                    digest, *head.checksum)});
  }

  ReaderOptions options_;
  FindingSink sink_;
  ChunkPool pool_;
  HashStage hash_;
  DecompressStage decompress_;
  LineSplitter splitter_;
  PageDecoder decoder_;
  Line line_;
  std::string_view original_line_;  ///< with the byte-order mark; until the metadata line is found
  Line first_blank_;
  std::uint64_t blank_lines_ = 0;
  bool pending_page_ = false;  ///< line_ is a page already read: the first line of a headerless file
  bool ended_ = false;
  ReaderStatistics statistics_;
  std::optional<Finding> failure_;
};

CollectionReader::CollectionReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CollectionReader::~CollectionReader() = default;
CollectionReader::CollectionReader(CollectionReader&&) noexcept = default;
CollectionReader& CollectionReader::operator=(CollectionReader&&) noexcept = default;

Read<CollectionReader> CollectionReader::open(std::unique_ptr<base::ByteSource> source,
                                              const ReaderOptions& options, FindingSink sink) {
  auto impl = std::make_unique<Impl>(std::move(source), options, std::move(sink));
  SHEAF_TRY(impl->read_head());
  return CollectionReader(std::move(impl));
}

const model::CollectionHead& CollectionReader::head() const { return impl_->head; }
bool CollectionReader::has_head() const { return impl_->has_head; }
Read<bool> CollectionReader::next() { return impl_->next(); }
Read<bool> CollectionReader::next_lines(LineBatch& batch) { return impl_->next_lines(batch); }
const Page& CollectionReader::page() const { return std::as_const(*impl_).decoder().page(); }
std::string_view CollectionReader::raw() { return impl_->decoder().raw(); }
std::uint64_t CollectionReader::line_number() const { return impl_->line().number; }
std::uint64_t CollectionReader::line_offset() const { return impl_->line().offset; }
ChecksumVerdict CollectionReader::checksum() const { return impl_->checksum; }
const std::string& CollectionReader::digest() const { return impl_->digest; }
ReaderStatistics CollectionReader::statistics() const { return impl_->statistics(); }

}  // namespace sheaf::format
