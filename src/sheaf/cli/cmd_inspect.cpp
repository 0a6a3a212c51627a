#include "sheaf/cli/commands.h"
namespace sheaf::cli {
void add_inspect(CLI::App&, Job&) {}
}
