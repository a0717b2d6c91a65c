// The network that learns from labels given to public nodes: GraphSAGE with means (Hamilton, Ying and Leskovec 2017),
// with the layers and sizes of PrivGNN's student.
#pragma once

#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/learn/feature_rows.h"
#include "graphveil/learn/network.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/nn/edges.h"
#include "graphveil/nn/layers_batch_norm.h"
#include "graphveil/nn/layers_convolution.h"

namespace graphveil::learn {

struct StudentArchitecture {
  int64_t layers = 2;
  int64_t hidden_dim = 64;
  double dropout = 0.5;
  bool norm = true;  // batch norm before each activation

  void declare(Options& options);
};

// Layers of x W + mean over neighbors(x) W' + b; between them batch norm (where asked for), ReLU and dropout. Reads
// features and edges of `data`, never its labels. Computes all nodes together. On private data it is a teacher's
// network, or a student that was taught before and is asked: what it says there is private.
class StudentNetwork : public Network {
 public:
  StudentNetwork(const graph::Dataset& data, int32_t classes, const StudentArchitecture& architecture,
                 const Seed& seed);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  bool needs_all_nodes() const override { return true; }
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

 private:
  double dropout_;
  FeatureRows rows_;
  std::vector<int32_t> all_;
  nn::Edges edges_;
  std::vector<nn::SageLayer> layers_;
  std::vector<nn::BatchNorm> norms_;
};

// One that is taught on a public graph, and may be published.
class Student final : public StudentNetwork {
 public:
  Student(const mechanism::Public<graph::Dataset>& data, int32_t classes, const StudentArchitecture& architecture,
          const Seed& seed)
      : StudentNetwork(data.value(), classes, architecture, seed) {}
};

// Pre-training by graph reconstruction (Hamilton, Ying and Leskovec 2017): a network of the student's layers, its last
// one as wide as a hidden one, learns by Adam embeddings whose products tell the graph's edges from pairs drawn at
// random. The student begins with what it learned, but for the last layer. Reads no label; a graph without edges
// teaches nothing.
void pretrain(Student& student, const mechanism::Public<graph::Dataset>& data, const StudentArchitecture& architecture,
              int64_t epochs, double learning_rate, const Seed& seed);

}  // namespace graphveil::learn
