// PrivGNN (Olatunji, Funke and Khosla, "Releasing graph neural networks with differential privacy guarantees", 2023):
// teachers of private records label public nodes, one sample and one teacher per question. docs/methods/privgnn.md has
// the proofs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/account/noisy_argmax.h"
#include "graphveil/kernels/nearest.h"
#include "graphveil/learn/public_embedding.h"
#include "graphveil/learn/teachers.h"
#include "graphveil/method/method.h"
#include "graphveil/method/privgnn/distill.h"

namespace graphveil::method {

// Guarantee: relations node and record, at every degree. One ledger line, |Q| label releases, each on a Poisson sample
// of the records of rate gamma: C-ary randomized response of the teacher's label, or the label of the largest posterior
// plus noise, which that dominates (account/noisy_argmax.h). A blank record is in no sample, and a teacher reads the
// records of its sample and the edges that join two of them alone (learn/teachers.h). Who is sampled comes from a
// stream that nothing given out reads. The student is post-processing on public data, so it and its predictions for
// public nodes are public. With one teacher for all queries no sampling is counted.
class PrivGnn final : public Method {
 public:
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  std::string variant() const override;
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  bool every_degree() const override { return true; }
  bool wants_public_graph() const override { return true; }
  bool resumable() const override { return true; }
  std::vector<OptionValues> trade_offs(const Setting& setting) const override;
  // The noise is the scale of the noise on posteriors; for randomized response 1 / log-odds, that of Gumbel noise.
  Plan plan(double noise, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  // The student reads a graph that whoever predicts holds in the clear, and no private record.
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  enum class Noise { RandomizedResponse, Laplace, Gumbel, Gaussian };
  enum class NoiseOn { Posterior, LogPosterior };
  account::ArgmaxNoise argmax_noise() const;
  void check_single() const;
  // All answers, each the teacher's label by randomized response with these log-odds.
  account::Event labels_event(double log_odds, const Setting& setting) const;
  double log_odds(double noise, int64_t classes) const;
  double sampling_rate(const Setting& setting) const;
  std::vector<int32_t> sampled(const Task& task, double rate, uint64_t index) const;
  std::vector<int32_t> nearest(const Task& task, std::vector<int32_t> records, int32_t query) const;
  // The paper's noise of every size on the same posteriors, and what each student makes of it: for --sweep-noise.
  nn::State swept(const Matrix& posteriors, const std::vector<int32_t>& queries, const PublicEmbedding& embedding,
                  const Task& task) const;
  // What the teachers of queries first .. first + count - 1 say: a row each.
  Matrix posteriors(const Task& task, const Teachers& teachers, std::span<const int32_t> queries, int64_t first,
                    int64_t count, double rate) const;
  // The label of query `index`, whose teacher says p; `scale` is that of the noise on p.
  int32_t answer(std::span<const Real> p, int64_t index, double scale, const Task& task, Release& release) const;

  std::optional<int64_t> queries_;  // none: the whole pool
  std::optional<double> rate_;      // none: by epsilon
  std::optional<int64_t> nearest_;  // none: the whole sample
  kernels::Distance distance_ = kernels::Distance::Euclidean;
  bool no_knn_ = false;
  bool single_teacher_ = false;
  Noise noise_ = Noise::RandomizedResponse;
  NoiseOn noise_on_ = NoiseOn::Posterior;
  std::optional<double> inverse_scale_;  // lambda, for published alone
  bool sweep_noise_ = false;             // for published alone
  PublicEmbeddingOptions embedding_;
  TeacherOptions teacher_;
  DistillOptions distill_;
};

}  // namespace graphveil::method
