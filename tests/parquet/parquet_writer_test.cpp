#include "sheaf/parquet/parquet_writer.h"

#include <gtest/gtest.h>

namespace sheaf::parquet {
namespace {

Schema two_columns() {
  return {"row",
          {{{"name", PhysicalType::bytes, LogicalType::text, false, DictionaryEncoding::try_it}},
           {{"text", PhysicalType::bytes, LogicalType::text, true, DictionaryEncoding::never}}}};
}

std::string write_rows(std::size_t rows, ParquetWriterOptions options) {
  std::string out;
  ParquetWriter writer(two_columns(), std::move(options), [&](std::string_view bytes) -> base::Result<void> {
    out += bytes;
    return {};
  });
  for (std::size_t i = 0; i < rows; ++i) {
    EXPECT_TRUE(writer.begin_row(100));
    writer.put(0, "name " + std::to_string(i % 3));
    i % 5 == 0 ? writer.put_null(1) : writer.put(1, "text " + std::to_string(i * 7919));
    writer.end_row();
  }
  EXPECT_TRUE(writer.finish());
  EXPECT_EQ(writer.rows(), rows);
  EXPECT_EQ(writer.size(), out.size());
  return out;
}

TEST(ParquetWriter, BytesDoNotDependOnThreads) {
  ParquetWriterOptions options;
  options.row_group_bytes = 100'000;
  options.threads = 0;
  const std::string alone = write_rows(20'000, options);
  EXPECT_TRUE(alone.starts_with(kMagic) && alone.ends_with(kMagic));
  for (const unsigned threads : {1U, 3U}) {
    options.threads = threads;
    EXPECT_EQ(write_rows(20'000, options), alone) << threads;
  }
}

TEST(ParquetWriter, RepeatedValuesBecomeADictionary) {
  ParquetWriterOptions options;
  options.threads = 0;
  const std::string small = write_rows(1, options);
  const std::string large = write_rows(10'000, options);
  EXPECT_EQ(large.find("name 0name 0"), std::string::npos);
  EXPECT_GT(large.size(), small.size());
}

TEST(ParquetWriter, AFailedSinkEndsTheFile) {
  ParquetWriter writer(two_columns(), {}, [](std::string_view) -> base::Result<void> {
    return base::fail(base::Errc::no_space, "the disk is full");
  });
  ASSERT_TRUE(writer.begin_row(10));
  writer.put(0, "a");
  writer.put_null(1);
  writer.end_row();
  const auto finished = writer.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, base::Errc::no_space);
}

TEST(ParquetWriter, ARowOfMoreThanAGibibyteIsRefused) {
  ParquetWriter writer(two_columns(), {}, [](std::string_view) -> base::Result<void> { return {}; });
  const auto begun = writer.begin_row(std::uint64_t{3} << 30U);
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, base::Errc::refused);
}

}  // namespace
}  // namespace sheaf::parquet
