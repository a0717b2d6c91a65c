// The certificate as one page for people.
#pragma once

#include <string>

#include "graphveil/artifact/certificate.h"

namespace graphveil::artifact {

// What somebody declared, for a page in Markdown: none of it can look like a part of the page.
std::string escaped_on_page(const std::string& text);

// Markdown. First what artifact/plain_words.h says, with what the holder declared and a place to sign; then the annex:
// method, statements, what was assumed, lines, date, fingerprint of the data, program version.
std::string certificate_page(const Certificate& certificate);

}  // namespace graphveil::artifact
