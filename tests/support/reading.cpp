#include "support/reading.h"

#include "sheaf/format/deltas/result_writer.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/model/plain_text.h"
#include "support/collection_text.h"

#include <gtest/gtest.h>

namespace sheaf::test {
namespace {

std::vector<std::string> codes_of(const std::vector<format::Finding>& findings) {
  std::vector<std::string> codes;
  for (const auto& finding : findings) codes.emplace_back(format::to_string(finding.code));
  return codes;
}

std::string code_of(const std::optional<format::Finding>& finding) {
  return finding ? std::string(format::to_string(finding->code)) : std::string();
}

}  // namespace

std::vector<std::string> Findings::codes() const { return codes_of(all); }
std::vector<std::string> DecodedPage::codes() const { return codes_of(findings); }
std::vector<std::string> DecodedHeadLine::codes() const { return codes_of(findings); }
std::vector<std::string> Reading::codes() const { return codes_of(all); }
std::string DecodedHeadLine::fatal_code() const { return code_of(fatal); }
std::string Reading::fatal_code() const { return code_of(failure); }

std::string describe(const format::Finding& finding) {
  return std::string(format::to_string(finding.code)) + " line " + std::to_string(finding.line) + " offset " +
         std::to_string(finding.offset) + " " + finding.url + ": " + finding.message;
}

PaddedLine::PaddedLine(std::string_view text, std::uint64_t number, std::uint64_t offset)
    : bytes_(text), size_(text.size()), number_(number), offset_(offset) {
  bytes_.append(format::kLinePadding, '\0');
}

DecodedPage decode_page(std::string_view json, format::Detail detail, const format::Limits& limits) {
  const PaddedLine padded(json);
  format::PageDecoder decoder(limits, detail);
  DecodedPage result;
  Findings findings;
  const auto outcome = decoder.decode(padded.line(), findings.sink());
  result.findings = findings.all;
  if (!outcome) {
    result.fatal = outcome.error();
    return result;
  }
  result.skipped = *outcome == format::PageDecoder::Outcome::skipped;
  if (result.skipped) return result;
  result.page = sheaf::copy(decoder.page(), *result.arena);
  result.raw = decoder.raw();
  return result;
}

std::string page_text(const DecodedPage& decoded) {
  std::string text;
  model::append_page_text(text, decoded.page);
  return text;
}

std::string repaired_text(const Page& page) {
  Arena memory;
  std::string text;
  format::append_repaired(page, memory, text);
  return text;
}

DecodedPage decode_block(std::string_view block) {
  const std::string json = page_with_block(block);
  DecodedPage everything = decode_page(json, format::Detail::everything);
  const DecodedPage checks = decode_page(json, format::Detail::checks);
  EXPECT_EQ(everything.codes(), checks.codes()) << block;
  EXPECT_EQ(everything.raw, checks.raw) << block;
  const DecodedPage texts = decode_page(json, format::Detail::texts);
  EXPECT_EQ(everything.raw, texts.raw) << block;
  EXPECT_EQ(page_text(everything), page_text(texts)) << block;
  return everything;
}

DecodedHeadLine decode_head_line(std::string_view json, const format::Limits& limits) {
  const PaddedLine padded(json, 1, 0);
  DecodedHeadLine result;
  Findings findings;
  auto decoded = format::decode_head(padded.line(), limits, findings.sink());
  result.findings = findings.all;
  if (!decoded) {
    result.fatal = decoded.error();
  } else {
    result.decoded = std::move(*decoded);
  }
  return result;
}

Reading read_all(std::unique_ptr<base::ByteSource> source, const format::ReaderOptions& options) {
  Reading result;
  Findings findings;
  const auto fail_with = [&](const format::Finding& finding) {
    result.failure = finding;
    result.fatal = describe(finding);
  };
  auto reader = format::CollectionReader::open(std::move(source), options, findings.sink());
  if (!reader) {
    fail_with(reader.error());
  } else {
    if (reader->has_head()) result.head = reader->head();
    while (true) {
      const auto more = reader->next();
      if (!more) fail_with(more.error());
      if (!more || !*more) break;
      format::encode_page(reader->page(), result.encoded.emplace_back());
      result.urls.emplace_back(reader->page().url);
      result.raw.emplace_back(reader->raw());
      result.lines.push_back(reader->line_number());
      result.offsets.push_back(reader->line_offset());
    }
    result.checksum = reader->checksum();
    result.statistics = reader->statistics();
  }
  result.all = findings.all;
  for (const auto& finding : findings.all) result.findings.push_back(describe(finding));
  return result;
}

Reading read_text(std::string_view bytes, const format::ReaderOptions& options) {
  return read_all(base::buffer_source(bytes), options);
}

}  // namespace sheaf::test
