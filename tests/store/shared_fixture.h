#pragma once

#include "store_fixture.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace sheaf::store {

/// A shared store on a real PostgreSQL, and a connection for what other processes do to it. Skipped without
/// PostgreSQL.
class SharedStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (test::PostgresServer::shared() == nullptr) GTEST_SKIP() << test::PostgresServer::missing();
    place_ = std::make_unique<StorePlace>(StoreKind::shared);
    database_ = std::make_unique<shared::SharedDatabase>(place_->url());
  }

  void execute(const std::string& sql) {
    const auto done = database_->query(sql);
    ASSERT_TRUE(done) << done.error().message;
  }
  std::int64_t number(const std::string& sql) {
    const auto rows = database_->query(sql);
    return rows && !rows->empty() ? rows->number(0, 0) : -1;
  }

  std::unique_ptr<StorePlace> place_;
  std::unique_ptr<shared::SharedDatabase> database_;
};

}  // namespace sheaf::store
