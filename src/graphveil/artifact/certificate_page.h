// The certificate as one page for people.
#pragma once

#include <string>

#include "graphveil/artifact/certificate.h"

namespace graphveil::artifact {

// Markdown. First what artifact/plain_words.h says, with what the holder declared and a place to sign; then the annex:
// method, statements, what was assumed, lines, date, fingerprint of the data, program version.
std::string certificate_page(const Certificate& certificate);

}  // namespace graphveil::artifact
