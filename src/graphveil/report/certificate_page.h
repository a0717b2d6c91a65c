// The certificate as one page for people.
#pragma once

#include <string>

#include "graphveil/run/certificate.h"

namespace graphveil::report {

// Markdown: who is protected against what, epsilon with a plain reading, what may be published and what not, what was
// assumed, date, fingerprint of the data, program version.
std::string certificate_page(const run::Certificate& certificate);

}  // namespace graphveil::report
