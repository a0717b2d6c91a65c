// A graph from two tables that come as Arrow streams, as a schema says: what import_tables() does with files.
#pragma once

#include <functional>

#include "graphveil/files/arrow.h"
#include "graphveil/files/schema.h"
#include "graphveil/files/table_import.h"

namespace graphveil::files {

// Takes both streams over and reads each batch once: no more of a table is in memory than a batch and what becomes of
// it. `edges` is asked for the second stream when the first is read and given back: a data base may have one open
// result at a time. The result is that of import_tables() on the same cells; a null is the empty cell. Throws BadInput
// naming the table, the row (counted from 1) and the column.
Imported import_arrow(const Schema& schema, ArrowArrayStream* nodes, const std::function<ArrowArrayStream*()>& edges);

}  // namespace graphveil::files
