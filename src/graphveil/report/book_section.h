// What a report shows of a budget book.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace graphveil::report {

// The cap, what is spent, reserved and left, and every release with what all releases up to it cost together. The
// holder's: a book also says who looked without any guarantee. Throws as run::BudgetBook does.
nlohmann::ordered_json book_section(const std::string& path);

}  // namespace graphveil::report
