# Finds the library that the component shared_store links besides those of libsheaf.
sheaf_dependency(dep_pq libpq libpq-dev)
