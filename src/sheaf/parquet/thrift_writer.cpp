#include "sheaf/parquet/thrift_writer.h"

namespace sheaf::parquet {
namespace {

constexpr std::uint8_t kTrue = 1;
constexpr std::uint8_t kFalse = 2;
constexpr std::size_t kShortList = 15;  // lists of this size or larger store their size as a varint
constexpr int kShortDelta = 15;

}  // namespace

void ThriftWriter::varint(std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) out_->push_back(static_cast<char>(value | 0x80U));
  out_->push_back(static_cast<char>(value));
}

void ThriftWriter::zigzag(std::int64_t value) {
  varint((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
}

/// An id up to 15 higher than the previous one is stored as the difference, in one byte with the type.
void ThriftWriter::field(int id, std::uint8_t type) {
  const int delta = id - last_ids_.back();
  last_ids_.back() = id;
  if (delta > 0 && delta <= kShortDelta) {
    out_->push_back(static_cast<char>(static_cast<unsigned>(delta) << 4U | type));
    return;
  }
  out_->push_back(static_cast<char>(type));
  zigzag(id);
}

void ThriftWriter::boolean(int id, bool value) { field(id, value ? kTrue : kFalse); }

void ThriftWriter::i16(int id, std::int16_t value) {
  field(id, static_cast<std::uint8_t>(Type::i16));
  zigzag(value);
}

void ThriftWriter::i32(int id, std::int32_t value) {
  field(id, static_cast<std::uint8_t>(Type::i32));
  zigzag(value);
}

void ThriftWriter::i64(int id, std::int64_t value) {
  field(id, static_cast<std::uint8_t>(Type::i64));
  zigzag(value);
}

void ThriftWriter::binary(int id, std::string_view value) {
  field(id, static_cast<std::uint8_t>(Type::binary));
  element_binary(value);
}

void ThriftWriter::begin_struct(int id) {
  field(id, static_cast<std::uint8_t>(Type::structure));
  last_ids_.push_back(0);
}

void ThriftWriter::begin_struct() { last_ids_.push_back(0); }

void ThriftWriter::end_struct() {
  out_->push_back('\0');
  last_ids_.pop_back();
}

void ThriftWriter::empty_struct(int id) {
  begin_struct(id);
  end_struct();
}

void ThriftWriter::begin_list(int id, Type element, std::size_t size) {
  field(id, static_cast<std::uint8_t>(Type::list));
  const auto type = static_cast<unsigned>(element);
  if (size < kShortList) {
    out_->push_back(static_cast<char>(static_cast<unsigned>(size) << 4U | type));
    return;
  }
  out_->push_back(static_cast<char>(0xF0U | type));
  varint(size);
}

void ThriftWriter::element_boolean(bool value) { out_->push_back(static_cast<char>(value ? kTrue : kFalse)); }
void ThriftWriter::element_i32(std::int32_t value) { zigzag(value); }
void ThriftWriter::element_i64(std::int64_t value) { zigzag(value); }

void ThriftWriter::element_binary(std::string_view value) {
  varint(value.size());
  *out_ += value;
}

}  // namespace sheaf::parquet
