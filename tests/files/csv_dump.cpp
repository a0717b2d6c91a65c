// Reads texts from standard input, each after a line with its length and its separator's code, and prints one line of
// JSON for each: its rows, or why it was refused. For the comparison with Python's csv module.
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/files/csv_rows.h"

int main() {
  size_t length = 0;
  int separator = 0;
  while (std::cin >> length >> separator) {
    std::cin.ignore(1);
    std::string text(length, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(length));
    nlohmann::json out;
    try {
      const graphveil::files::TableText table("text", text);
      graphveil::files::CsvRows rows(table, static_cast<char>(separator));
      out["rows"] = nlohmann::json::array();
      while (rows.next()) out["rows"].push_back(std::vector<std::string>(rows.cells().begin(), rows.cells().end()));
      out["blank_lines"] = rows.blank_lines();
    } catch (const graphveil::Error& error) {
      out = {{"refused", error.what()}};
    }
    std::cout << out.dump() << '\n';
  }
}
