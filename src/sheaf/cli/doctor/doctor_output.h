#pragma once

#include "sheaf/doctor/doctor_report.h"

#include <optional>
#include <string>

namespace sheaf::cli {

/// The report as text of several lines, with fixes for one server.
std::string describe_diagnoses(const doctor::DoctorReport& report, doctor::ServerKind server);

/// The same as one JSON object on one line, with the fixes for all servers.
std::string diagnoses_as_json(const doctor::DoctorReport& report);

/// Every check, without a site: for `--list`.
std::string list_checks();
std::string checks_as_json();

}  // namespace sheaf::cli
