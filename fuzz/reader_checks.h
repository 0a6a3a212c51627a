#pragma once

#include "fuzz_support.h"
#include "page_checks.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/pages/head_decoder.h"
#include "sheaf/format/pages/page_encoder.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::fuzz {

/// Low enough that a short input can exceed every one.
constexpr format::Limits kSmallLimits{.compressed_bytes = 2048,
                                      .decompressed_bytes = 8192,
                                      .page_bytes = 1536,
                                      .blocks = 12,
                                      .depth = 12,
                                      .ratio = 20,
                                      .ratio_from = 2048};
/// Room for lines that go over the end of one of the reader's chunks. Blocks and depth as above: one decoder
/// checks both.
constexpr format::Limits kRoomyLimits{.compressed_bytes = format::kMiB,
                                      .decompressed_bytes = 640 * format::kKiB,
                                      .page_bytes = 270 * format::kKiB,
                                      .blocks = 12,
                                      .depth = 12,
                                      .ratio = 1'000'000};

/// Gives a buffer a few bytes at a time, like a slow connection whose length is known.
class DrippingSource final : public base::ByteSource {
 public:
  DrippingSource(std::string_view bytes, std::size_t step)
      : bytes_(bytes), size_(bytes.size()), step_(step) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    const std::size_t count = std::min({step_, out.size(), bytes_.size()});
    std::copy_n(bytes_.begin(), count, out.begin());
    bytes_.remove_prefix(count);
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return size_; }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::string_view bytes_;
  std::uint64_t size_;
  std::size_t step_;
  std::string name_ = "drip";
};

struct SeenPage {
  std::string encoded;  ///< empty with Detail::checks
  std::string raw;
  std::uint64_t line = 0;
  std::uint64_t offset = 0;
  friend bool operator==(const SeenPage&, const SeenPage&) = default;
};

/// Everything a caller can learn from reading a file to its end.
struct Reading {
  std::optional<format::Finding> fatal;
  std::optional<model::CollectionHead> head;
  std::vector<SeenPage> pages;
  std::vector<format::Finding> findings;
  format::ChecksumVerdict checksum = format::ChecksumVerdict::unchecked;
  format::ReaderStatistics statistics;
};

inline Reading read_all(std::unique_ptr<base::ByteSource> source, const format::ReaderOptions& options) {
  Reading reading;
  auto reader = format::CollectionReader::open(
      std::move(source), options,
      [&](const format::Finding& finding) { reading.findings.push_back(finding); });
  if (!reader) {
    reading.fatal = reader.error();
    return reading;
  }
  if (reader->has_head()) reading.head = reader->head();
  while (true) {
    const auto more = reader->next();
    if (!more) {
      reading.fatal = more.error();
      const auto again = reader->next();
      require(!again && same_finding(again.error(), *reading.fatal));
    }
    if (!more || !*more) break;
    SeenPage& seen = reading.pages.emplace_back();
    seen.raw = reader->raw();
    seen.line = reader->line_number();
    seen.offset = reader->line_offset();
    if (options.detail == format::Detail::everything) format::encode_page(reader->page(), seen.encoded);
    if (options.detail == format::Detail::everything && options.threads == 1)
      check_page(reader->page(), seen.raw, options.limits);
    require(reader->statistics().plain_bytes <= options.limits.decompressed_bytes);
  }
  reading.checksum = reader->checksum();
  reading.statistics = reader->statistics();
  return reading;
}

inline Reading read_buffer(std::string_view file, const format::ReaderOptions& options) {
  return read_all(base::buffer_source(file), options);
}

/// Pages and findings; not the sizes and the codec, which depend on how the bytes came.
inline bool tell_the_same(const Reading& a, const Reading& b) {
  if (a.fatal.has_value() != b.fatal.has_value() || (a.fatal && !same_finding(*a.fatal, *b.fatal)))
    return false;
  return a.head == b.head && a.pages == b.pages && same_findings(a.findings, b.findings) &&
         a.checksum == b.checksum && a.statistics.pages == b.statistics.pages &&
         a.statistics.skipped == b.statistics.skipped &&
         a.statistics.longest_line == b.statistics.longest_line;
}

inline bool are_identical(const Reading& a, const Reading& b) {
  return tell_the_same(a, b) && a.statistics.codec == b.statistics.codec &&
         a.statistics.compressed_bytes == b.statistics.compressed_bytes &&
         a.statistics.plain_bytes == b.statistics.plain_bytes;
}

/// Errors of the bytes themselves: where exactly they strike depends on how many bytes a call has in hand.
inline bool is_about_bytes(const std::optional<format::Finding>& fatal) {
  using enum format::Code;
  return fatal &&
         (fatal->code == decompress_failed || fatal->code == size_exceeded || fatal->code == ratio_exceeded);
}

inline void check_limits(const Reading& reading, const format::Limits& limits) {
  const format::ReaderStatistics& statistics = reading.statistics;
  require(statistics.pages == reading.pages.size());
  require(statistics.longest_line <= limits.page_bytes);
  require(statistics.plain_bytes <= limits.decompressed_bytes);
  if (reading.fatal) return;
  require(statistics.compressed_bytes <= limits.compressed_bytes);
  require(statistics.codec == format::Codec::plain ||
          !format::exceeds_ratio(statistics.plain_bytes, statistics.compressed_bytes, limits));
}

/// `plain` is the uncompressed file, or as much of it as could be had.
inline void check_places(const Reading& reading, std::string_view plain) {
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(plain, '\n')) + 1;
  std::uint64_t last_line = 0;
  const auto check = [&](const format::Finding& finding) {
    require(finding.line <= lines && finding.offset <= plain.size() && !finding.message.empty());
  };
  for (const format::Finding& finding : reading.findings) {
    require(level_of(finding.code) != format::Level::fatal);
    check(finding);
    require(finding.line > 0);
  }
  if (reading.fatal) {
    require(level_of(reading.fatal->code) == format::Level::fatal);
    check(*reading.fatal);
  }
  for (const SeenPage& page : reading.pages) {
    require(page.line > last_line && page.line <= lines && page.offset < plain.size());
    require(page.offset == 0 || plain[page.offset - 1] == '\n' || (page.line == 1 && page.offset == 3));
    last_line = page.line;
  }
}

/// Where the stated checksum stands in the file, if it is written there without escapes.
inline std::size_t find_checksum(std::string_view plain, const std::string& checksum) {
  const std::size_t at = plain.find(checksum);
  if (at == std::string_view::npos) return at;
  std::size_t begin = plain.rfind('\n', at) + 1;  // npos + 1 is 0
  if (begin == 0 && plain.starts_with("\xef\xbb\xbf")) begin = 3;
  const PaddedLine line(plain.substr(begin, plain.find('\n', at) - begin));
  const auto decoded = format::decode_head(line.line(), kRoomyLimits, [](const format::Finding&) {});
  if (!decoded || !*decoded) return std::string_view::npos;
  const format::Cut cut = (*decoded)->checksum;
  return at - begin >= cut.begin && at - begin < cut.end ? at : std::string_view::npos;
}

/// A file with a wrong checksum is right once it states the hash the reader computed: the hash does not
/// depend on it.
inline void check_checksum(const Reading& reading, std::string_view plain,
                           const format::ReaderOptions& options) {
  if (!reading.fatal || reading.fatal->code != format::Code::checksum_mismatch) return;
  require(reading.checksum == format::ChecksumVerdict::mismatch);
  const std::size_t at = find_checksum(plain, *reading.head->checksum);
  if (at == std::string_view::npos) return;
  const std::string& message = reading.fatal->message;
  const std::string actual = message.substr(message.find("sha256:"), reading.head->checksum->size());
  std::string mended(plain);
  mended.replace(at, actual.size(), actual);
  const Reading again = read_buffer(mended, options);
  require(!again.fatal && again.checksum == format::ChecksumVerdict::verified);
  require(again.pages == reading.pages && same_findings(again.findings, reading.findings));
}

inline std::uint64_t fingerprint(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash ^ (hash >> 32);
}

/// The file read in all ways there are gives the same; costly ones only for some files.
inline Reading check_ways(std::string_view file, format::ReaderOptions options) {
  const Reading reading = read_buffer(file, options);
  check_limits(reading, options.limits);
  const std::uint64_t way = fingerprint(file) % 16;
  if (way == 0 || way == 1) {
    options.threads = way == 0 ? 3 : 2;
    require(are_identical(read_buffer(file, options), reading));
  } else if (way == 2 || way == 3) {
    const Reading dripped = read_all(std::make_unique<DrippingSource>(file, way == 2 ? 1 : 13), options);
    if (is_about_bytes(reading.fatal)) {
      require(is_about_bytes(dripped.fatal));
    } else {
      require(tell_the_same(dripped, reading));
    }
  } else if (way == 4) {
    options.detail = format::Detail::checks;
    Reading quick = read_buffer(file, options);
    require(quick.pages.size() == reading.pages.size());
    for (std::size_t i = 0; i < quick.pages.size(); ++i) quick.pages[i].encoded = reading.pages[i].encoded;
    require(are_identical(quick, reading));
  }
  return reading;
}

/// Everything that holds for a file of which the uncompressed bytes are known.
inline Reading check_plain_file(std::string_view plain, const format::Limits& limits) {
  format::ReaderOptions options{.limits = limits};
  const Reading reading = check_ways(plain, options);
  check_places(reading, plain);
  check_checksum(reading, plain, options);
  if (reading.fatal && reading.fatal->code == format::Code::missing_collection) {
    options.head = format::HeadRule::optional;
    check_places(check_ways(plain, options), plain);
  }
  return reading;
}

/// The compressed file's bytes by a decoder used directly, a little at a time.
struct Decompressed {
  bool complete = false;  ///< to its end, and without error
  bool failed = false;    ///< neither: there is more than anyone would read
  std::string plain;
};

inline Decompressed decompress(format::Decoder& decoder, std::string_view file, std::size_t in_step,
                               std::size_t out_step) {
  constexpr std::size_t kEnough = kRoomyLimits.decompressed_bytes + 1;
  Decompressed result;
  std::string buffer(out_step, '\0');
  std::size_t at = 0;
  std::size_t available = 0;
  while (result.plain.size() <= kEnough) {
    available = std::min(std::max(available, at + in_step), file.size());
    const auto step = decoder.decode(file.substr(at, available - at), buffer);
    if (!step) {
      result.failed = true;
      return result;
    }
    require(step->consumed <= available - at && step->produced <= buffer.size());
    result.plain.append(buffer, 0, step->produced);
    at += step->consumed;
    if (step->consumed > 0 || step->produced > 0) continue;
    if (available < file.size()) {
      available = std::min(available + in_step, file.size());
      continue;
    }
    result.complete = at == file.size() && decoder.may_end();
    result.failed = !result.complete;
    return result;
  }
  return result;
}

/// Decoding a few bytes at a time comes to the same. Only for small files, or nothing else would get done.
inline void check_in_small_steps(format::Decoder& decoder, std::string_view file,
                                 const Decompressed& expected) {
  constexpr std::size_t kSmall = 8192;
  if (expected.plain.size() > kSmall || file.size() > kSmall) return;
  const Decompressed actual = decompress(decoder, file, 7, 11);
  require(actual.complete == expected.complete && actual.failed == expected.failed);
  require(!actual.complete || actual.plain == expected.plain);
}

/// A compressed file reads like its uncompressed bytes, and not at all when they cannot be had.
inline void check_compressed_file(std::string_view file, format::Codec codec, const Decompressed& bytes,
                                  const format::Limits& limits) {
  const format::ReaderOptions options{.limits = limits};
  const Reading reading = check_ways(file, options);
  if (!bytes.complete) {
    require(reading.fatal.has_value());
    return;
  }
  check_places(reading, bytes.plain);
  require(!reading.fatal || reading.fatal->code != format::Code::decompress_failed);
  const bool too_large = file.size() > limits.compressed_bytes ||
                         bytes.plain.size() > limits.decompressed_bytes ||
                         format::exceeds_ratio(bytes.plain.size(), file.size(), limits);
  if (too_large) {
    require(reading.fatal.has_value());
    return;
  }
  require(!is_about_bytes(reading.fatal));
  if (!reading.fatal)
    require(reading.statistics.codec == codec && reading.statistics.compressed_bytes == file.size());
  if (format::sniff_codec(bytes.plain) != format::Codec::plain) return;
  // As plain bytes the same content may be over the limit on the file's size.
  format::Limits plain_limits = limits;
  plain_limits.compressed_bytes = limits.decompressed_bytes;
  require(tell_the_same(check_plain_file(bytes.plain, plain_limits), reading));
}

/// How a compressed file is made from an input: a fixed head of recipe bytes, then the payload.
struct Recipe {
  static constexpr std::size_t kDamages = 3;
  static constexpr std::size_t kBytes = 4 + 4 * kDamages;

  bool raw = true;         ///< the payload is the compressed file as it stands
  bool roomy = false;      ///< limits
  std::size_t pieces = 1;  ///< members or frames
  int level = 1;
  bool odd = false;        ///< a bit for the codec to use
  std::size_t growth = 0;  ///< bytes of white space put before the line at `grow_at`
  std::size_t grow_at = 0;
  std::string_view damages;
  std::string_view payload;

  explicit Recipe(std::string_view input) {
    if (input.size() < kBytes) {
      payload = input;
      return;
    }
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(input[i]));
    };
    raw = byte(0) % 4 == 0;
    pieces = std::max<std::size_t>(byte(0) % 4, 1);
    roomy = byte(0) / 4 == 1;  // seldom: long lines take long
    odd = byte(1) % 2 == 1;
    // Higher levels cost much time and rarely look different to a decoder.
    level = byte(1) % 16 == 15 ? 6 : 1;
    growth = roomy ? byte(2) * 1100 : byte(2);
    grow_at = byte(3) * 16;
    damages = input.substr(4, 4 * kDamages);
    payload = input.substr(kBytes);
  }

  [[nodiscard]] std::string plain() const {
    std::string text(payload);
    if (growth == 0 || text.empty()) return text;
    const std::size_t line = text.find('\n', grow_at % text.size());
    text.insert(line == std::string::npos ? 0 : line + 1, growth, ' ');
    return text;
  }

  /// Four bytes a damage: what, a place of two bytes, and a value.
  static void damage(std::string& file, std::string_view how) {
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(how[i]));
    };
    const std::size_t at = (byte(1) + 256 * byte(2)) % (file.size() + 1);
    switch (byte(0) % 8) {
      case 1:
        if (at < file.size()) file[at] = static_cast<char>(file[at] ^ (1 << byte(3) % 8));
        break;
      case 2:
        if (at < file.size()) file[at] = how[3];
        break;
      case 3: file.resize(at); break;
      case 4: file += how[3]; break;
      case 5: file.insert(at, 1, how[3]); break;
      case 6: file.append(file.substr(0, at)); break;
      default: break;
    }
  }

  [[nodiscard]] std::string file(format::Codec codec, std::string_view between) const {
    if (raw) return std::string(payload);
    const std::string text = plain();
    std::string out;
    for (std::size_t i = 0; i < pieces; ++i) {
      const std::size_t begin = text.size() * i / pieces;
      const std::size_t end = text.size() * (i + 1) / pieces;
      if (i > 0) out += between;
      require(format::make_encoder(codec, level)
                  ->encode(std::string_view(text).substr(begin, end - begin), format::Flush::end, out)
                  .has_value());
    }
    for (std::size_t i = 0; i < kDamages; ++i) damage(out, damages.substr(4 * i, 4));
    return out;
  }
};

}  // namespace sheaf::fuzz
