#include "sheaf/cli/commands.h"
namespace sheaf::cli {
void add_diff(CLI::App&, Job&) {}
}
