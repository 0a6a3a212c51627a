#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::simulation {

/// Several workers with one shared list: sites are added, removed and due, parts of the list move from worker
/// to worker, leases end, workers pause, are killed and come back. Uses the fleet's own logic for what a
/// worker has in memory; the database is simulated. Returns what is wrong, a sentence each: (h) no site is
/// pulled twice at once or after it was removed, a worker without the lease writes nothing, and every site
/// that is due is pulled in time.
std::vector<std::string> run_fleet_history(std::uint64_t seed);

}  // namespace sheaf::simulation
