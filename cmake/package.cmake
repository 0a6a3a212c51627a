# Manual pages and completions from the program's own words, and Debian packages: `cpack` in build/release writes
# sheaf (the program) and libsheaf-dev (the library).

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
  COMMAND ${CMAKE_COMMAND} -E touch ${sheaf_manuals}/done
  DEPENDS sheaf_cli ${PROJECT_SOURCE_DIR}/CHANGELOG.md VERBATIM)
add_custom_target(sheaf_manuals ALL DEPENDS ${sheaf_manuals}/done)

install(DIRECTORY ${sheaf_manuals}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program FILES_MATCHING PATTERN "*.1.gz")
install(FILES ${sheaf_manuals}/sheaf.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sheaf COMPONENT program)
install(FILES ${sheaf_manuals}/_sheaf DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${sheaf_manuals}/sheaf.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# Debian wants both beside each package, under these names.
foreach(package program library)
  set(name sheaf)
  if(package STREQUAL library)
    set(name libsheaf-dev)
  endif()
  install(FILES ${sheaf_manuals}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${package})
  install(FILES cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${package})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sheaf)
set(CPACK_PACKAGE_VENDOR "the sheaf maintainers")
set(CPACK_PACKAGE_CONTACT "the sheaf maintainers <maintainers@sheaf.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME sheaf)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION web)
# The first line of the description is the project's; CPack indents the rest.
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "With the Site Content Protocol a website packs its pages into compressed
files, snapshots and deltas, and names them in its sitemap; a crawler fetches
one file instead of thousands of pages and keeps its copy current.
.
This package has the program for both sides.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsheaf-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "libsimdjson-dev, libzstd-dev, zlib1g-dev, libssl-dev, libidn2-dev, libfmt-dev, libicu-dev, librocksdb-dev, libcurl4-openssl-dev, libpq-dev, libsqlite3-dev, libxml2-dev, libcmark-gfm-dev, libcmark-gfm-extensions-dev, libyaml-dev")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "With the Site Content Protocol a website packs its pages into compressed
files, snapshots and deltas, and names them in its sitemap.
.
This package has the static library, its headers, a CMake package and a
pkg-config file.")
include(CPack)
