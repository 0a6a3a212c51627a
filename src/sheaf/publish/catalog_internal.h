#pragma once

#include <cstddef>
#include <string_view>

// The keys of the catalog.
namespace sheaf::publish {

// The first byte of a key.
inline constexpr char kPages = 'P';
inline constexpr char kItems = 'I';
inline constexpr char kSections = 'S';
inline constexpr char kStaged = 'T';     // followed by the final key
inline constexpr char kPrepared = 'R';   // the key is this one byte
inline constexpr char kAnnounced = 'W';  // followed by a file's name
inline constexpr char kOwner = 'B';      // the key is this one byte
inline constexpr char kNotes = 'N';      // followed by the note's key
inline constexpr char kTemplates = 'L';  // followed by the section and the number of the source
inline constexpr std::string_view kPut = "+";
inline constexpr std::string_view kForget = "-";

inline constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

}  // namespace sheaf::publish
