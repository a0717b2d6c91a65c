// The certificate as a page to print: the plain words with a picture, then the annex.
#pragma once

#include <string>

#include "graphveil/artifact/certificate.h"

namespace graphveil::artifact {

// HTML that needs nothing else: no script, no other file. Two pages of A4: what is for everybody, and the annex. All
// that somebody declared is escaped.
std::string certificate_html(const Certificate& certificate);

}  // namespace graphveil::artifact
