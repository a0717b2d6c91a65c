#include "graphveil/method/work.h"

#include <algorithm>
#include <variant>

namespace graphveil::method {
namespace {

constexpr double kForwardAndBackward = 3;  // products for each weight: scores, gradients of rows, gradients of weights

}  // namespace

Reader Reader::stack(double row_entries, int64_t layers, int64_t hidden, int64_t outputs) {
  const auto wide = static_cast<double>(hidden), out = static_cast<double>(outputs);
  if (layers <= 1) return {row_entries, layers == 1 ? out : 0, 0};
  return {row_entries, wide, static_cast<double>(layers - 2) * wide * wide + wide * out};
}

void Work::add_sums(double count, double nodes, double edges, double row_columns) {
  sums += count;
  columns = std::max(columns, row_columns);
  edge_terms += count * edges * row_columns;
  noise += count * nodes * row_columns;
}

// Features are given: nothing asks for their gradient.
void Work::add_training(double rows, const Reader& reader) {
  samples += rows;
  own_products += (kForwardAndBackward - 1) * rows * reader.row_entries * reader.first_width;
  products += kForwardAndBackward * rows * reader.rest;
}

void Work::add_turns(double steps, double layers, double weights, double norms, double norm_columns) {
  constexpr double kPerColumn = 9;                // a first row; two sums forward and two backward, in double
  turns += steps * (2 * layers + 2 * norms + 1);  // weights and bias of each layer
  turn_numbers += steps * (weights + kPerColumn * norm_columns);
}

void Work::add_prediction(double nodes, const Reader& reader) {
  own_products += nodes * reader.row_entries * reader.first_width;
  products += nodes * reader.rest;
}

double trained_samples(const mechanism::PlanLine& line, int64_t train_nodes) {
  const account::Sampling sampling = mechanism::mechanism_of(line.event).sampling;
  double rate = 1;
  if (const auto* poisson = std::get_if<account::Poisson>(&sampling)) rate = poisson->rate;
  if (const auto* group = std::get_if<account::PoissonGroup>(&sampling)) rate = group->rate;
  return static_cast<double>(line.event.count()) * rate * static_cast<double>(train_nodes);
}

}  // namespace graphveil::method
