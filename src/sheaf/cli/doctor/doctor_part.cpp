#include "sheaf/cli/commands/program_parts.h"

// The entry point of this part of the program.
sheaf::cli::AddCommand* sheaf_doctor_command(std::string_view name) {
  if (name == "doctor") return sheaf::cli::add_doctor;
  return name == "lab" ? sheaf::cli::add_lab : nullptr;
}
