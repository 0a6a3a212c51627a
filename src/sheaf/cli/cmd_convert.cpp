#include "sheaf/cli/commands.h"
namespace sheaf::cli {
void add_convert(CLI::App&, Job&) {}
}
