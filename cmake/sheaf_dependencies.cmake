# Finds the libraries that libsheaf links besides those of libscp (scp_dependencies.cmake, included before).
sheaf_dependency(dep_ssl libssl libssl-dev)
sheaf_dependency(dep_rocksdb rocksdb librocksdb-dev)
sheaf_dependency(dep_curl libcurl libcurl4-openssl-dev)
sheaf_dependency(dep_xapian xapian-core libxapian-dev)
sheaf_dependency(dep_re2 re2 libre2-dev)
