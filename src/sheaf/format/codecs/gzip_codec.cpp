#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/codecs/deflate_blocks_internal.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

// RFC 1951, least significant bits first:
//   <stream>  ::= <block>*
//   <block>   ::= <is last: 1 bit> <type: 2 bits> ( <stored> | <fixed> | <dynamic> )
//   <stored>  ::= <padding to a byte> <size: 16 bits> <its complement> <bytes>
//   <fixed>   ::= <symbol>* <end of block>                       ; with a code that the RFC defines
//   <dynamic> ::= <code lengths> <symbol>* <end of block>
//   <symbol>  ::= <literal> | <length> <extra bits> <distance> <extra bits>

namespace sheaf::format {
namespace {

constexpr std::size_t kLengthSymbols = 288;
constexpr std::size_t kDistanceSymbols = 32;
constexpr std::size_t kEndOfBlock = 256;
constexpr std::size_t kMinMatch = 3;
constexpr unsigned kMaxCodeLength = 15;

class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  /// At least the next 57 bits, followed by zeros after the end. A symbol takes at most 48.
  [[nodiscard]] std::uint64_t peek() const {
    const std::size_t from = std::min(at_ / 8, bytes_.size());
    std::uint64_t word = 0;
    if (std::endian::native == std::endian::little && bytes_.size() - from >= sizeof word)
      std::memcpy(&word, bytes_.data() + from, sizeof word);
    else
      for (std::size_t i = 0; i < std::min(sizeof word, bytes_.size() - from); ++i)
        word |= std::uint64_t{static_cast<unsigned char>(bytes_[from + i])} << (8 * i);
    return word >> (at_ % 8);
  }
  void skip(std::size_t count) { at_ += count; }
  std::size_t take(unsigned count) {
    const std::uint64_t value = peek() & ((std::uint64_t{1} << count) - 1);
    skip(count);
    return static_cast<std::size_t>(value);
  }
  void skip_to_byte() { at_ = (at_ + 7) / 8 * 8; }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool is_behind_end() const { return at_ > 8 * bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct Symbol {
  std::uint8_t bits = 0;    ///< length of the code word; 0: unused code
  std::uint8_t extra = 0;   ///< extra bits after the code word
  std::uint16_t plain = 0;  ///< output bytes without the extra bits; 0: end of block
};

/// A literal is one byte. Length symbols come in groups of four, each group with one more extra bit than the
/// previous one; the first eight have none, and the last length has its own symbol.
constexpr auto kLengths = [] {
  std::array<Symbol, kLengthSymbols> symbols{};
  for (std::size_t i = 0; i < kEndOfBlock; ++i) symbols[i].plain = 1;
  std::uint16_t plain = kMinMatch;
  for (std::size_t i = 0; i < 28; ++i) {
    const auto extra = static_cast<std::uint8_t>(i < 8 ? 0 : i / 4 - 1);
    symbols[kEndOfBlock + 1 + i] = {0, extra, plain};
    plain = static_cast<std::uint16_t>(plain + (1U << extra));
  }
  symbols[kEndOfBlock + 29] = {0, 0, 258};
  return symbols;
}();

/// Distance symbols come in groups of two in the same way.
constexpr auto kDistances = [] {
  std::array<Symbol, kDistanceSymbols> symbols{};
  for (std::size_t i = 4; i < 30; ++i) symbols[i].extra = static_cast<std::uint8_t>(i / 2 - 1);
  return symbols;
}();

/// The code for code lengths: 0 to 15 are lengths, 16 repeats the previous length, 17 and 18 repeat zero.
constexpr auto kLengthsOfWords = [] {
  std::array<Symbol, 19> symbols{};
  for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i].plain = static_cast<std::uint16_t>(i);
  return symbols;
}();

/// A canonical Huffman code. Words of up to kQuickBits are looked up in one step; longer ones are rare.
template <unsigned kQuickBits>
class PrefixCode {
 public:
  explicit PrefixCode(std::span<const Symbol> symbols) : symbols_(symbols) {}

  /// Builds the code from the code length of each symbol; 0: unused.
  void build(std::span<const std::uint8_t> lengths) {
    count_.fill(0);
    for (const std::uint8_t length : lengths) ++count_[length];
    count_[0] = 0;
    std::array<std::size_t, kMaxCodeLength + 2> place{};
    for (std::size_t length = 1; length <= kMaxCodeLength; ++length)
      place[length + 1] = place[length] + count_[length];
    for (std::size_t i = 0; i < lengths.size(); ++i)
      if (lengths[i] > 0) by_word_[place[lengths[i]]++] = static_cast<std::uint16_t>(i);
    fill_quick();
  }

  /// If a literal's word leaves room for the complete next word, one lookup decodes both.
  void join_literals() {
    for (std::size_t i = quick_.size(); i-- > 0;) {
      Symbol& first = quick_[i];
      if (first.bits == 0 || first.plain != 1) continue;
      const Symbol second = quick_[i >> first.bits];
      if (second.plain == 0 || first.bits + second.bits > kQuickBits) continue;
      first = {static_cast<std::uint8_t>(first.bits + second.bits), second.extra,
               static_cast<std::uint16_t>(1 + second.plain)};
    }
  }

  [[nodiscard]] Symbol find(std::uint64_t bits) const {
    const Symbol quick = quick_[bits & (quick_.size() - 1)];
    return quick.bits > 0 ? quick : find_long(bits);
  }

 private:
  void fill_quick() {
    quick_.fill({});
    std::size_t place = 0;
    std::uint32_t word = 0;
    for (unsigned length = 1; length <= kQuickBits; ++length, word *= 2)
      for (std::size_t i = 0; i < count_[length]; ++i, ++place, ++word) {
        Symbol symbol = symbols_[by_word_[place]];
        symbol.bits = static_cast<std::uint8_t>(length);
        for (std::size_t at = reverse(word, length); at < quick_.size(); at += std::size_t{1} << length)
          quick_[at] = symbol;
      }
  }

  /// Code words are stored most significant bit first, numbers least significant bit first.
  static std::uint32_t reverse(std::uint32_t word, unsigned length) {
    std::uint32_t reversed = 0;
    for (; length > 0; --length, word >>= 1) reversed = 2 * reversed + (word & 1);
    return reversed;
  }

  [[nodiscard]] Symbol find_long(std::uint64_t bits) const {
    std::size_t place = 0;
    std::uint32_t word = 0;
    std::uint32_t first = 0;  // word of that length
    for (unsigned length = 1; length <= kMaxCodeLength; ++length, bits >>= 1) {
      word = 2 * word + static_cast<std::uint32_t>(bits & 1);
      first *= 2;
      if (word < first + count_[length]) {
        Symbol symbol = symbols_[by_word_[place + word - first]];
        symbol.bits = static_cast<std::uint8_t>(length);
        return symbol;
      }
      place += count_[length];
      first += count_[length];
    }
    return {};
  }

  std::span<const Symbol> symbols_;
  std::array<std::uint16_t, kMaxCodeLength + 1> count_{};  ///< number of words by length
  std::array<std::uint16_t, kLengthSymbols + kDistanceSymbols> by_word_{};
  std::array<Symbol, std::size_t{1} << kQuickBits> quick_{};
};

/// Walks over the blocks of a stream and adds up the size of their output.
class BlockWalk {
 public:
  explicit BlockWalk(std::string_view deflated) : bits_(deflated), size_(8 * deflated.size()) {}

  std::optional<LastBlock> run(std::size_t plain_size) {
    while (!bits_.is_behind_end()) {
      const std::size_t begin = bits_.at();
      const bool last = bits_.take(1) == 1;
      if (!pass_block()) return std::nullopt;
      if (!last) continue;
      if (plain_ != plain_size || bits_.at() > size_ || size_ - bits_.at() >= 8) return std::nullopt;
      return LastBlock{begin, bits_.at()};
    }
    return std::nullopt;
  }

 private:
  using Lengths = std::array<std::uint8_t, kLengthSymbols + kDistanceSymbols>;

  bool pass_block() {
    switch (bits_.take(2)) {
      case 0: return pass_stored();
      case 1: build_fixed(); return pass_symbols();
      case 2: return build_dynamic() && pass_symbols();
      default: return false;
    }
  }

  bool pass_stored() {
    bits_.skip_to_byte();
    const std::size_t size = bits_.take(16);
    bits_.skip(16 + 8 * size);
    plain_ += size;
    return true;
  }

  void build_fixed() {
    Lengths lengths{};
    const auto words = std::span(lengths);
    std::ranges::fill(words.subspan(0, 144), std::uint8_t{8});
    std::ranges::fill(words.subspan(144, 112), std::uint8_t{9});
    std::ranges::fill(words.subspan(256, 24), std::uint8_t{7});
    std::ranges::fill(words.subspan(280, 8), std::uint8_t{8});
    std::ranges::fill(words.subspan(kLengthSymbols), std::uint8_t{5});
    use(words, kLengthSymbols);
  }

  bool build_dynamic() {
    constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                     11, 4,  12, 3, 13, 2, 14, 1, 15};
    const std::size_t lengths = 257 + bits_.take(5);
    const std::size_t distances = 1 + bits_.take(5);
    const std::size_t given = 4 + bits_.take(4);
    std::array<std::uint8_t, kOrder.size()> of_words{};
    for (std::size_t i = 0; i < given; ++i) of_words[kOrder[i]] = static_cast<std::uint8_t>(bits_.take(3));
    words_.build(of_words);
    Lengths all{};
    const auto used = std::span(all).first(lengths + distances);
    if (!read_lengths(used)) return false;
    use(used, lengths);
    return true;
  }

  bool read_lengths(std::span<std::uint8_t> lengths) {
    for (std::size_t at = 0; at < lengths.size();) {
      const Symbol symbol = words_.find(bits_.peek());
      if (symbol.bits == 0) return false;
      bits_.skip(symbol.bits);
      std::uint8_t length = static_cast<std::uint8_t>(symbol.plain);
      std::size_t times = 1;
      switch (symbol.plain) {
        case 16:
          if (at == 0) return false;
          length = lengths[at - 1];
          times = 3 + bits_.take(2);
          break;
        case 17:
          length = 0;
          times = 3 + bits_.take(3);
          break;
        case 18:
          length = 0;
          times = 11 + bits_.take(7);
          break;
        default: break;
      }
      if (times > lengths.size() - at) return false;
      std::ranges::fill(lengths.subspan(at, times), length);
      at += times;
    }
    return true;
  }

  void use(std::span<const std::uint8_t> words, std::size_t lengths) {
    lengths_.build(words.first(lengths));
    lengths_.join_literals();
    distances_.build(words.subspan(lengths));
  }

  bool pass_symbols() {
    BitReader bits = bits_;  // local, so that it stays in registers
    std::size_t plain = plain_;
    while (!bits.is_behind_end()) {
      std::uint64_t ahead = bits.peek();
      const Symbol symbol = lengths_.find(ahead);
      if (symbol.bits == 0) return false;
      ahead >>= symbol.bits;
      bits.skip(symbol.bits);
      plain += symbol.plain;
      if (symbol.plain == 0) {
        bits_ = bits;
        plain_ = plain;
        return true;
      }
      if (symbol.plain < kMinMatch) continue;
      plain += ahead & ((1U << symbol.extra) - 1);
      const Symbol distance = distances_.find(ahead >> symbol.extra);
      if (distance.bits == 0) return false;
      bits.skip(std::size_t{symbol.extra} + distance.bits + distance.extra);
    }
    return false;
  }

  BitReader bits_;
  std::size_t size_;
  std::size_t plain_ = 0;
  PrefixCode<7> words_{kLengthsOfWords};
  PrefixCode<10> lengths_{kLengths};
  PrefixCode<8> distances_{kDistances};
};

}  // namespace

std::optional<LastBlock> find_last_block(std::string_view deflated, std::size_t plain_size) {
  return BlockWalk(deflated).run(plain_size);
}

void leave_open(std::string& deflated, LastBlock last) {
  char& byte = deflated[last.begin / 8];
  byte = static_cast<char>(byte & ~(1 << (last.begin % 8)));
  // Appends an empty stored block: three zero bits, which the padding has already, and the size at the next
  // byte boundary.
  deflated.resize((last.end + 3 + 7) / 8, '\0');
  constexpr std::string_view kEmpty("\0\0\xff\xff", 4);
  deflated += kEmpty;
}

namespace {

using base::Result;

// A member is compressed in independent pieces, because libdeflate only takes whole buffers, and so that
// several threads can work. A piece cannot refer to data before it; at this size that costs 0.3 %.
constexpr std::size_t kStretchBytes = std::size_t{3} << 19;
constexpr std::size_t kUnderWayPerThread = 2;

struct Stretch {
  std::string bytes;
  bool last = false;
};

/// Raw deflate of one piece. The result depends only on the piece and the level.
class Deflater {
 public:
  explicit Deflater(int level) : compressor_(libdeflate_alloc_compressor(level)) {}

  Result<std::string> operator()(const Stretch& stretch) {
    if (!compressor_) return base::fail(base::Errc::io, "gzip cannot compress: out of memory");
    reserve(libdeflate_deflate_compress_bound(compressor_.get(), stretch.bytes.size()));
    const std::size_t size = libdeflate_deflate_compress(compressor_.get(), stretch.bytes.data(),
                                                         stretch.bytes.size(), room_.get(), room_size_);
    std::string result(room_.get(), size);
    if (stretch.last) return result;
    const auto last = find_last_block(result, stretch.bytes.size());
    if (!last) return base::fail(base::Errc::io, "gzip cannot compress: libdeflate gave no deflate stream");
    leave_open(result, *last);
    return result;
  }

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  };

  /// The buffer is reused for all pieces. Memory pages that are never written cost nothing.
  void reserve(std::size_t size) {
    if (size <= room_size_) return;
    room_ = std::make_unique_for_overwrite<char[]>(size);
    room_size_ = size;
  }

  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::unique_ptr<char[]> room_;
  std::size_t room_size_ = 0;
};

class GzipEncoder final : public Encoder {
 public:
  GzipEncoder(int level, unsigned threads) : level_(level), threads_(threads) {}

  Result<void> encode(std::string_view in, Flush flush, std::string& out) override {
    if (!begun_) write_head(out);
    while (true) {
      const std::string_view part = in.substr(0, kStretchBytes - stretch_.bytes.size());
      stretch_.bytes += part;
      in.remove_prefix(part.size());
      if (in.empty()) break;
      SHEAF_TRY(send(false, out));
    }
    if (flush == Flush::more) return {};
    SHEAF_TRY(send(true, out));
    if (pipeline_) SHEAF_TRY(take(0, out));
    append_number(crc_, out);
    append_number(plain_size_, out);
    return {};
  }

 private:
  using Pipeline = base::OrderedPipeline<Stretch, Result<std::string>>;

  /// No file name and no time, so that equal input gives equal bytes; operating system: Unix.
  void write_head(std::string& out) {
    const char effort = level_ == 9 ? '\2' : level_ == 1 ? '\4' : '\0';
    const std::array<char, 10> head = {'\x1f', '\x8b', '\x08', 0, 0, 0, 0, 0, effort, '\3'};
    out.append(head.data(), head.size());
    begun_ = true;
  }

  static void append_number(std::uint64_t number, std::string& out) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((number >> shift) & 0xff);
  }

  Result<void> send(bool last, std::string& out) {
    Stretch now = std::exchange(stretch_, {});
    now.last = last;
    crc_ = libdeflate_crc32(crc_, now.bytes.data(), now.bytes.size());
    plain_size_ += now.bytes.size();
    if (!last) stretch_.bytes.reserve(kStretchBytes);
    // For a single piece, another thread would not save time.
    if (threads_ <= 1 || (last && !pipeline_)) {
      if (!deflater_) deflater_.emplace(level_);
      SHEAF_TRY_ASSIGN(const std::string deflated, (*deflater_)(now));
      out += deflated;
      return {};
    }
    if (!pipeline_) pipeline_.emplace(threads_, [level = level_] { return Deflater(level); });
    pipeline_->push(std::move(now));
    ++under_way_;
    return take(kUnderWayPerThread * threads_, out);
  }

  /// Appends finished pieces in order, until at most `left` are in progress.
  Result<void> take(std::size_t left, std::string& out) {
    for (; under_way_ > left; --under_way_) {
      SHEAF_TRY_ASSIGN(const std::string deflated, *pipeline_->next());
      out += deflated;
    }
    return {};
  }

  int level_;
  unsigned threads_;
  bool begun_ = false;
  Stretch stretch_;
  std::optional<Deflater> deflater_;
  std::optional<Pipeline> pipeline_;
  std::size_t under_way_ = 0;
  std::uint32_t crc_ = 0;
  std::uint64_t plain_size_ = 0;
};

}  // namespace

std::unique_ptr<Encoder> make_gzip_encoder(int level, unsigned threads) {
  return std::make_unique<GzipEncoder>(level, threads);
}

}  // namespace sheaf::format
