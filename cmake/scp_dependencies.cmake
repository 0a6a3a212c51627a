# Finds the libraries that libscp links. Used by our own build and, installed next to scpConfig.cmake, by consumers,
# so that both resolve the same names. If a library is missing, configuring stops and names the Debian package.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(sheaf_dependency name module package)
  if(TARGET PkgConfig::${name})
    return()
  endif()
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "sheaf needs ${module}, which was not found. On Debian: apt-get install ${package}")
  endif()
endfunction()

sheaf_dependency(dep_simdjson simdjson libsimdjson-dev)
sheaf_dependency(dep_zstd libzstd libzstd-dev)
sheaf_dependency(dep_zlib zlib zlib1g-dev)
sheaf_dependency(dep_brotli libbrotlidec libbrotli-dev)
sheaf_dependency(dep_deflate libdeflate libdeflate-dev)
sheaf_dependency(dep_crypto libcrypto libssl-dev)
sheaf_dependency(dep_fmt fmt libfmt-dev)
sheaf_dependency(dep_icu "icu-uc;icu-i18n" libicu-dev)
sheaf_dependency(dep_xml2 libxml-2.0 libxml2-dev)
sheaf_dependency(dep_yaml yaml-0.1 libyaml-dev)
sheaf_dependency(dep_sodium libsodium libsodium-dev)
# One pkg-config file covers the library and its extensions, which are separate packages.
sheaf_dependency(dep_cmark libcmark-gfm "libcmark-gfm-dev libcmark-gfm-extensions-dev")

# ISA-L decodes gzip about three times as fast as zlib but exists for x86-64 and arm64 only; elsewhere zlib is used instead.
if(NOT TARGET PkgConfig::dep_isal)
  pkg_check_modules(dep_isal QUIET IMPORTED_TARGET GLOBAL libisal)
endif()
