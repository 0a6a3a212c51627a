#pragma once

#include <cstddef>
#include <string_view>

// The keys of the catalog.
namespace sheaf::publish {

// The first byte of a key.
inline constexpr char kPages = 'U';  // followed by the section and the URL
inline constexpr char kItems = 'M';  // followed by the section and the item's name
inline constexpr char kSections = 'S';
inline constexpr char kStaged = 'T';     // followed by the final key
inline constexpr char kPrepared = 'R';   // the key is this one byte
inline constexpr char kAnnounced = 'W';  // followed by a file's name
inline constexpr char kOwner = 'B';      // the key is this one byte
inline constexpr char kFormat = 'F';     // the key is this one byte; the value is kCurrentFormat
inline constexpr char kNotes = 'N';      // followed by the note's key
inline constexpr char kTemplates = 'L';  // followed by the section and the number of the source
inline constexpr std::string_view kCurrentFormat = "2";
inline constexpr std::string_view kPut = "+";
inline constexpr std::string_view kForget = "-";

inline constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

}  // namespace sheaf::publish
