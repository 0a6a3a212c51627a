# Manual pages and completions from the program's own words, and Debian packages: `cpack` in build/release writes
# sheaf (the program) and libsheaf-dev (the library).

set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_PACKAGE_CONTACT "the sheaf maintainers <maintainers@sheaf.invalid>")
string(TIMESTAMP sheaf_package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH counts
configure_file(cmake/changelog.Debian.in changelog.Debian @ONLY)

set(sheaf_manuals ${PROJECT_BINARY_DIR}/manuals)
add_custom_command(OUTPUT ${sheaf_manuals}/done
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${sheaf_manuals}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${sheaf_manuals}
  COMMAND sheaf_cli manual --all ${sheaf_manuals}
  COMMAND sh -c "gzip -9n ${sheaf_manuals}/*.1"
  COMMAND sheaf_cli completion bash > ${sheaf_manuals}/sheaf.bash
  COMMAND sheaf_cli completion zsh > ${sheaf_manuals}/_sheaf
  COMMAND sheaf_cli completion fish > ${sheaf_manuals}/sheaf.fish
  COMMAND sh -c "gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${sheaf_manuals}/changelog.gz"
  COMMAND sh -c "gzip -9nc ${PROJECT_BINARY_DIR}/changelog.Debian > ${sheaf_manuals}/changelog.Debian.gz"
  COMMAND ${CMAKE_COMMAND} -E touch ${sheaf_manuals}/done
  DEPENDS sheaf_cli ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_BINARY_DIR}/changelog.Debian VERBATIM)
add_custom_target(sheaf_manuals ALL DEPENDS ${sheaf_manuals}/done)

install(DIRECTORY ${sheaf_manuals}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program FILES_MATCHING PATTERN "*.1.gz")
install(FILES ${sheaf_manuals}/sheaf.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sheaf COMPONENT program)
install(FILES ${sheaf_manuals}/_sheaf DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${sheaf_manuals}/sheaf.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# Debian wants these beside each package, under these names.
foreach(package program library python)
  set(name sheaf)
  if(package STREQUAL python)
    set(name python3-sheaf)
  endif()
  if(package STREQUAL library)
    set(name libsheaf-dev)
  endif()
  install(FILES ${sheaf_manuals}/changelog.gz ${sheaf_manuals}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${package})
  install(FILES cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${package})
  # The packages are no upload to Debian, whose bug they would have to close.
  file(WRITE ${PROJECT_BINARY_DIR}/lintian/${name} "${name}: initial-upload-closes-no-bugs\n")
  install(FILES ${PROJECT_BINARY_DIR}/lintian/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT ${package})
endforeach()

# What the book's examples use, and the library's example programs.
install(FILES examples/README.md examples/monday.scp examples/tuesday.scp DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT program)
install(PROGRAMS examples/make-store DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT program)
install(DIRECTORY examples/site DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT program)
install(DIRECTORY examples/library/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsheaf-dev/examples COMPONENT library
        FILES_MATCHING PATTERN "*.cpp" PATTERN "CMakeLists.txt")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sheaf)
set(CPACK_PACKAGE_VENDOR "the sheaf maintainers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME sheaf)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS ca-certificates)  # for sites with https
# The first line of the description is the project's; CPack indents the rest.
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "With the Site Content Protocol a website packs its pages into compressed
files, snapshots and deltas, and names them in its sitemap; a crawler fetches
one file instead of thousands of pages and keeps its copy current.
.
This package has the program for both sides.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsheaf-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
# Whoever links the library links these, and CMake finds them by their pkg-config files.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "pkg-config, libsimdjson-dev, libzstd-dev, zlib1g-dev, libbrotli-dev, libdeflate-dev, libssl-dev, libfmt-dev, libicu-dev, librocksdb-dev, libcurl4-openssl-dev, libpq-dev, libsqlite3-dev, libxml2-dev, libcmark-gfm-dev, libcmark-gfm-extensions-dev, libxapian-dev, libyaml-dev")
if(TARGET PkgConfig::dep_isal)
  string(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ", libisal-dev")
endif()
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "With the Site Content Protocol a website packs its pages into compressed
files, snapshots and deltas, and names them in its sitemap.
.
This package has the static library, its headers, a CMake package and a
pkg-config file.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-sheaf)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9)")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "With the Site Content Protocol a website packs its pages into compressed
files, snapshots and deltas, and names them in its sitemap.
.
This package reads, writes, checks and extracts pages from Python 3.")
include(CPack)
