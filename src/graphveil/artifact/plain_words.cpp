#include "graphveil/artifact/plain_words.h"

#include <string_view>

#include <fmt/format.h>

#include "graphveil/artifact/words.h"

namespace graphveil::artifact {
namespace {

using bound::Relation;
using mechanism::Audience;

std::string option_of(const Certificate& c, std::string_view name) {
  for (const auto& [option, value] : c.config) {
    if (option == name) return value;
  }
  return "";
}

std::vector<std::pair<std::string, std::string>> about_of(const Certificate& c) {
  std::vector<std::pair<std::string, std::string>> rows;
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) rows.emplace_back(what, value);
  };
  add("Data", option_of(c, "data-name"));
  add("Answers for it", option_of(c, "controller"));
  add("Purpose", option_of(c, "purpose"));
  const std::string people = option_of(c, "people");
  if (people != "unknown") add("People in it, as declared", people);
  add("Written", c.created.substr(0, std::string_view("2026-01-01").size()));
  return rows;
}

// Who is protected, against what. How much that is, the next point says: at a large epsilon it is little.
std::string protection(const Certificate& c) {
  const std::string where = c.facts.public_pool > 0 ? " of the private data" : "";
  const std::string limit =
      " What anybody can learn about that from what is published has a limit, which the next point gives: it is "
      "compared "
      "with the same publication made ";
  const std::string knowing = " The limit holds against anybody, also against somebody who knows everything about ";
  switch (c.relation) {
    case Relation::Node:
      return fmt::format(
          "Each single person{}: what is recorded about them, and every contact of theirs.{}with their record blank "
          "and all "
          "their contacts gone.{}everybody else. That somebody is on the list of people is taken to be public, and not "
          "hidden.",
          where, limit, knowing);
    case Relation::Record:
      return fmt::format(
          "What each single person's own record says{}: what is recorded about them, and the contacts that they list "
          "themselves.{}with that record blank.{}everybody else. What other people's lists say about them is not "
          "hidden, "
          "and neither is a contact that both list.",
          where, limit, knowing);
    case Relation::UndirectedEdge:
      return fmt::format(
          "Each single contact: whether two given people are in contact.{}with that contact added or taken away.{}all "
          "other "
          "contacts.",
          limit, knowing);
    case Relation::Edge:
      return fmt::format(
          "Each single contact in one direction: whether one given person points to another.{}with that one direction "
          "added "
          "or taken away.{}all other contacts. A contact in both directions counts twice.",
          limit, knowing);
  }
  return "";
}

// How sure an attacker can become.
std::string sureness(const Certificate& c) {
  const bool edges = bound::edge_level(c.relation);
  const Statement& s = c.statements.front();
  return fmt::format(
      "Somebody who thought it even odds whether {}{} is there, and who guesses after seeing all that this run "
      "publishes, "
      "guesses "
      "right with a probability of at most {}. Knowing nothing, it is 50%.",
      edges ? "a contact" : "a person's record",
      s.degree ? fmt::format(", of a person with at most {} contacts,", *s.degree) : "",
      sureness_text(*c.epsilon, c.delta));
}

// Who is protected less, or not.
std::string less_protected(const Certificate& c) {
  if (bound::edge_level(c.relation)) {
    return "What is recorded about people, their class among it, and who is on the list, counts as public: none of "
           "that is "
           "protected. Several contacts of one person together are protected less than one.";
  }
  std::string more;
  std::optional<int64_t> quoted;
  for (const Statement& s : c.statements) {
    if (s.what != "parameters" || s.relation != c.relation || !s.degree || !s.epsilon) continue;
    if (!quoted) {
      quoted = s.degree;
    } else if (*s.degree > *quoted) {
      more +=
          fmt::format("{}with {} at most {}", more.empty() ? "" : ", ", *s.degree, sureness_text(*s.epsilon, s.delta));
    }
  }
  const std::string groups = "Several people together, a family for example, are protected less than one.";
  if (!quoted) {
    return (c.statements.front().degree ? "People with more contacts than are named above: less, or not at all. "
                                        : "Nobody for having many contacts. ") +
           groups;
  }
  return fmt::format("People with more than {} contacts{}. {}", *quoted,
                     more.empty() ? "" : fmt::format(": of them the same guess is right, {}", more), groups);
}

// What may be shared with whom.
std::string sharing(const Certificate& c) {
  bool owner = false, everybody = false;
  for (const Statement& s : c.statements) {
    if (s.what != "predictions") continue;
    owner |= s.audience == Audience::Owner;
    everybody |= s.audience == Audience::Public;
  }
  std::string text = everybody
                         ? fmt::format("With everybody: the trained model, this certificate, and the predictions{}.",
                                       c.facts.public_pool > 0 ? " about the public people" : "")
                         : "With everybody: the trained model and this certificate.";
  if (owner) text += " With one person: the prediction about that person, and no other one.";
  if (!owner && !everybody) text += " With nobody: predictions, which read other people's records.";
  return text + " With nobody: accuracies, logs, and whatever else lies with the holder.";
}

std::string spent(const Certificate& c) {
  const std::string one = fmt::format("This training: epsilon {} at delta {:.3g}.", epsilon_text(c.epsilon), c.delta);
  if (!c.budget) {
    return one +
           " What else was ever published about the same data adds to it; no budget book was kept, so this "
           "certificate does not know.";
  }
  if (!c.budget->spent) return one + " A budget book has it as one of its entries, and adds them all up.";
  return fmt::format(
      "{} All that the budget book of this data has, this training included and up to its entry: epsilon {} at delta "
      "{:.3g}. "
      "What comes later adds to it.",
      one, epsilon_text(c.budget->spent), c.budget->spent_delta);
}

// Without the hash that stands in the annex.
std::string without_hash(const std::string& assumption) {
  constexpr std::string_view kBegin = "the schema with SHA-256 ";
  constexpr size_t kHash = 64;
  if (!assumption.starts_with(kBegin) || assumption.size() < kBegin.size() + kHash) return assumption;
  return "the schema" + assumption.substr(kBegin.size() + kHash);
}

}  // namespace

PlainWords plain_words(const Certificate& c) {
  PlainWords out;
  out.about = about_of(c);
  out.status = c.releasable() ? "Valid, and may be released as said below."
               : c.valid()    ? "The accounting is right, but this run must not be released."
                              : "Not valid: no guarantee is given.";
  if (!c.valid()) return out;
  if (c.releasable()) {
    out.points.emplace_back("Who is protected, and against what", protection(c));
    out.points.emplace_back("How sure an attacker can become", sureness(c));
    out.points.emplace_back("Who is protected less", less_protected(c));
    out.points.emplace_back("What may be shared, with whom", sharing(c));
  } else {
    out.points.emplace_back("What may be shared, with whom",
                            fmt::format("Nothing, with nobody: {}.", fmt::join(c.not_releasable, "; ")));
  }
  out.points.emplace_back("What was spent so far", spent(c));
  for (const std::string& assumption : c.assumptions) out.assumed.push_back(without_hash(assumption));
  return out;
}

}  // namespace graphveil::artifact
