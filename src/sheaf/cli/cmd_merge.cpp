#include "sheaf/cli/commands.h"
namespace sheaf::cli {
void add_merge(CLI::App&, Job&) {}
}
