#include "graphveil/artifact/certificate_page.h"

#include <string_view>

#include <fmt/format.h>

#include "graphveil/artifact/plain_words.h"
#include "graphveil/artifact/words.h"

namespace graphveil::artifact {

std::string escaped_on_page(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>()#|&~!$").find(c) != std::string_view::npos) out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

namespace {

// Names in code marks, on one line: none can look like a part of the page.
std::string names_on_page(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += text.empty() ? "`" : ", `";
    for (const char c : name) text += c == '`' || static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    text += "`";
  }
  return text;
}

// The first half: for somebody who knows neither the method nor the mathematics.
std::string first_page(const Certificate& c) {
  const PlainWords words = plain_words(c);
  std::string text = "# Privacy certificate\n\n| | |\n|---|---|\n";
  for (const auto& [what, value] : words.about) text += fmt::format("| {} | {} |\n", what, escaped_on_page(value));
  text += fmt::format("\n**{}**\n\n", words.status);
  for (const auto& [question, answer] : words.points) text += fmt::format("**{}.** {}\n\n", question, answer);
  if (!words.assumed.empty()) {
    text += "**What was assumed.**\n\n";
    for (const std::string& item : words.assumed) text += fmt::format("- {}\n", item);
    text += "\n";
  }
  return text +
         "Name and office: ______________________ Signature: ______________________ Place and date: "
         "______________________\n\n";
}

std::string statement_table(const Certificate& c) {
  // Nothing in a draft is said to be for anybody.
  std::string text = fmt::format(
      "| {} | what | relation | outgoing edges of the node | epsilon | delta |\n|---|---|---|---|---|---|\n",
      c.releasable() ? "for whom" : "would be for, were it releasable");
  for (const Statement& s : c.statements) {
    text += fmt::format("| {} | {} | {} | {} | {} | {:.3g} |\n", mechanism::name(s.audience), s.what,
                        bound::name(s.relation), s.degree ? fmt::format("at most {}", *s.degree) : "any",
                        epsilon_text(s.epsilon), s.delta);
  }
  return text;
}

// Owner predictions under the run's own relation are part of its guarantee.
std::string joint_statement(const Certificate& c) {
  if (!c.releasable()) return "";  // nothing is handed to anybody
  for (const Statement& s : c.statements) {
    if (s.audience == mechanism::Audience::Owner && s.relation == c.relation) {
      return fmt::format(
          "\nUnder relation {} this holds for the parameters together with the predictions handed to everybody "
          "but the "
          "node in question.\n",
          bound::name(c.relation));
    }
  }
  return "";
}

std::string list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += fmt::format("- {}\n", item);
  return text.empty() ? "- nothing\n" : text;
}

std::string ledger_table(const Certificate& c) {
  std::string text = "| release | mechanism | sampling | times | sensitivity | noise |\n|---|---|---|---|---|---|\n";
  for (const mechanism::PlanLine& line : c.plan.lines()) {
    const account::Single single = mechanism::mechanism_of(line.event);
    text += fmt::format("| {} | {} | {} | {} | {:.6g} ({}) | {:.6g} |\n", line.event.label(),
                        account::kind(single.mechanism), account::kind(single.sampling), line.event.count(),
                        line.sensitivity(), bound::name(line.norm()), mechanism::noise_scale(line));
  }
  return text;
}

}  // namespace

std::string certificate_page(const Certificate& c) {
  std::string text = first_page(c);
  text += fmt::format("# Technical annex: {}\n\n", c.method);
  text += fmt::format("Written {} by graphveil {}. Fingerprint of the data (keyed): `{}`. Model: SHA-256 `{}`.\n\n",
                      c.created, c.version, c.data_fingerprint, c.model_sha256);
  text += "## In words\n\n" + in_words(c) + "\n";
  if (!c.class_names.empty()) text += fmt::format("It predicts: {}.\n\n", names_on_page(c.class_names));
  if (!c.valid()) return text;
  text += "## Statements\n\n" + statement_table(c);
  text += joint_statement(c) +
          "\nWhat is not in the table (accuracies, sums, logs) is the data holder's and never leaves.\n";
  text += "\n## Taken for granted\n\n" + list(c.assumptions);
  text += "\n## What was released, line by line\n\n" + ledger_table(c);
  text += "\n`graphveil verify` makes this plan anew from the options and prices it again.\n";
  return text;
}

}  // namespace graphveil::artifact
