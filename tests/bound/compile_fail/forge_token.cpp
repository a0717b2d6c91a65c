// A token that data are public is the relation's, or the user's word, which
// run/ alone takes.
#include "graphveil/mechanism/public_data.h"

using namespace graphveil;

mechanism::PublicData misuse() { return mechanism::PublicData("because"); }
