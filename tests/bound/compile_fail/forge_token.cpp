// A token that data are public has one of a few reasons.
#include "graphveil/mechanism/public_data.h"

using namespace graphveil;

mechanism::PublicData misuse() { return mechanism::PublicData("because"); }
