// The certificate as one page for people.
#pragma once

#include <string>

#include "graphveil/artifact/certificate.h"

namespace graphveil::artifact {

// Markdown: who is protected against what, epsilon with a plain reading, what may be published and what not, what was
// assumed, date, fingerprint of the data, program version.
std::string certificate_page(const Certificate& certificate);

}  // namespace graphveil::artifact
