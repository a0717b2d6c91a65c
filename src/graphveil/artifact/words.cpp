#include "graphveil/artifact/words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace graphveil::artifact {
namespace {

using mechanism::Audience;

std::string of_degree(const Statement& s) {
  return s.degree ? fmt::format(" that has at most {} outgoing edges", *s.degree) : "";
}

// Whom the first statement speaks of.
std::string protects(const Certificate& c) {
  const Statement& s = c.statements.front();
  switch (c.relation) {
    case bound::Relation::Edge: return "one directed edge, and nothing else: features and labels count as public";
    case bound::Relation::UndirectedEdge:
      return "one undirected edge, both of its directions, and nothing else: features and labels count as public";
    case bound::Relation::Node: return "one node" + of_degree(s) + ", with everything about it and every edge at it";
    case bound::Relation::Record: return "one node's own record: its features, its label, its own list of edges";
  }
  return "";
}

std::string audience_lines(const Certificate& c) {
  bool owner = false, everybody = false, any = false;
  bound::Relation relation = c.relation;
  std::optional<int64_t> degree;
  for (const Statement& s : c.statements) {
    if (s.what != "predictions") continue;
    any = true;
    owner = s.audience == Audience::Owner;
    everybody = s.audience == Audience::Public;
    relation = s.relation;
    degree = s.degree;
  }
  std::string text = "May be published: the parameters";
  if (everybody) text += " and the predictions";
  text += ".\n";
  if (owner) {
    text +=
        "A prediction is for the node it is about, or for somebody who holds that node's record, and for nobody else: "
        "it "
        "reads that record.\n";
    if (relation != c.relation) {
      text += fmt::format("Predictions are protected under relation {} only{}: {}.\n", bound::name(relation),
                          degree ? fmt::format(", for nodes with at most {} outgoing edges", *degree) : "",
                          bound::in_words(relation));
    }
  }
  if (!any)
    text += "Predictions read other nodes' records in the clear: they are the data holder's and must not leave.\n";
  return text;
}

std::string other_statements(const Certificate& c) {
  std::string text;
  for (const Statement& s : c.statements) {
    if (s.what != "parameters" || &s == &c.statements.front()) continue;
    if (s.relation == c.relation && s.degree) {
      text += fmt::format("{}{} outgoing edges: {}", text.empty() ? "By degree of the node, epsilon is: " : "; ",
                          *s.degree, epsilon_text(s.epsilon));
    }
  }
  if (!text.empty()) text += ".\n";
  for (const Statement& s : c.statements) {
    if (s.relation == bound::Relation::UndirectedEdge && c.relation != s.relation) {
      text += fmt::format(
          "One friendship alone (an undirected edge{}) is protected in the parameters with epsilon {} at delta "
          "{:.3g}.\n",
          c.facts.public_pool > 0 ? " of the private graph" : "", epsilon_text(s.epsilon), s.delta);
    }
  }
  return text;
}

}  // namespace

std::string epsilon_text(const std::optional<double>& epsilon, int digits) {
  if (!epsilon) return "no finite number";
  std::string text = fmt::format("{:.{}g}", *epsilon, digits);
  // What is printed is a bound too.
  for (int up = 1; std::strtod(text.c_str(), nullptr) < *epsilon; ++up) {
    const double digit = std::pow(10.0, std::floor(std::log10(*epsilon)) - (digits - 1));
    text = fmt::format("{:.{}g}", *epsilon + up * digit, digits);
  }
  return text;
}

std::string sureness_text(double epsilon, double delta) {
  const double right = (1 + delta * std::exp(-epsilon)) / (1 + std::exp(-epsilon));
  return epsilon_text(100 * std::min(1.0, right)) + "%";
}

std::string plain_reading(double epsilon, double delta) {
  return fmt::format(
      "Somebody to whom it was even odds whether the protected thing is there, and who guesses after seeing all that "
      "is "
      "published, guesses right with a probability of at most {}.",
      sureness_text(epsilon, delta));
}

std::string caveat(bound::Relation relation, bool symmetric) {
  if (!symmetric) return "";
  if (relation == bound::Relation::Edge) {
    return "Relation edge on a symmetric graph protects one of a friendship's two directions: a friendship has the "
           "epsilon of two; use --relation undirected-edge for one.\n";
  }
  if (relation != bound::Relation::Record) return "";
  return "Relation record on a symmetric graph protects half of each friendship: what others list stays visible, so "
         "neither a friendship nor the labels around a node are hidden; use --relation node for that.\n";
}

std::string in_words(const Certificate& c, bool kept) {
  if (!c.epsilon) {
    return fmt::format("{} gives no differential-privacy guarantee: {}. Nothing of this run may leave.\n", c.method,
                       c.reasons.empty() ? "no finite epsilon holds" : fmt::format("{}", fmt::join(c.reasons, "; ")));
  }
  if (!c.valid()) {
    std::string text = fmt::format("NOT VALID: this run of {} comes with no guarantee.\n", c.method);
    if (c.published_epsilon) text += fmt::format("By the paper's arithmetic epsilon is {:.4g}. ", *c.published_epsilon);
    text += fmt::format("Its ledger would cost epsilon {} at delta {:.3g}, but:\n", epsilon_text(c.epsilon), c.delta);
    for (const std::string& reason : c.reasons) text += fmt::format("  - {}\n", reason);
    return text;
  }
  std::string text;
  if (!c.releasable()) {
    text += "NOT TO BE RELEASED, though the accounting is right:\n";
    for (const std::string& reason : c.not_releasable) text += fmt::format("  - {}\n", reason);
  }
  text += fmt::format(
      "{} is ({}, {:.3g})-differentially private, relation {}: it protects {}.\nThe probability of whatever is "
      "concluded from {} is at most e^{} times that on the neighboring graph{}.\n",
      c.method, epsilon_text(c.epsilon), c.delta, bound::name(c.relation), protects(c),
      c.releasable() ? "what may be published" : "its parameters, to somebody who cannot draw the noise again,",
      epsilon_text(c.epsilon), c.delta > 0 ? fmt::format(", plus {:.3g}", c.delta) : "");
  if (!c.releasable()) {
    text += "Nothing of this run may be published.\n";
  } else if (kept) {
    text += audience_lines(c);
  }
  text += other_statements(c);
  for (const std::string& remark : c.remarks) text += fmt::format("Note: {}.\n", remark);
  for (const std::string& assumption : c.assumptions) text += fmt::format("Assumed: {}.\n", assumption);
  return text;
}

}  // namespace graphveil::artifact
