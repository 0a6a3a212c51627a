# Finds the libraries that the component sql_sources links besides those of libsheaf.
sheaf_dependency(dep_pq libpq libpq-dev)
sheaf_dependency(dep_sqlite sqlite3 libsqlite3-dev)
sheaf_dependency(dep_mariadb libmariadb libmariadb-dev)
