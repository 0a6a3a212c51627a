#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::parquet {

/// Writes structs in Thrift's compact protocol, which Parquet uses for page headers, indexes and the footer.
/// Supports only what Parquet needs: structs, lists, strings, integers and booleans. Fields must be written
/// in the order of their ids.
class ThriftWriter {
 public:
  enum class Type : std::uint8_t {
    boolean = 2,
    i16 = 4,
    i32 = 5,
    i64 = 6,
    binary = 8,
    list = 9,
    structure = 12
  };

  /// Appends to `out`, which must outlive the writer.
  explicit ThriftWriter(std::string& out) : out_(&out) {}

  void boolean(int id, bool value);
  void i16(int id, std::int16_t value);
  void i32(int id, std::int32_t value);
  void i64(int id, std::int64_t value);
  void binary(int id, std::string_view value);

  /// Begins a field that is a struct. Write its fields, then call end_struct().
  void begin_struct(int id);
  /// Begins a struct without a field id: the outermost one, or an element of a list.
  void begin_struct();
  void end_struct();
  /// Writes a struct without fields, as Parquet's unions contain them.
  void empty_struct(int id);

  /// Begins a field that is a list. Write its elements next.
  void begin_list(int id, Type element, std::size_t size);
  void element_boolean(bool value);
  void element_i32(std::int32_t value);
  void element_i64(std::int64_t value);
  void element_binary(std::string_view value);

 private:
  void field(int id, std::uint8_t type);
  void varint(std::uint64_t value);
  void zigzag(std::int64_t value);

  std::string* out_;
  std::vector<int> last_ids_;  ///< last field id of each open struct
};

}  // namespace sheaf::parquet
