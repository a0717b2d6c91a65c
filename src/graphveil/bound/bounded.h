// A private value together with what one record can do to it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graphveil/account/event.h"
#include "graphveil/base/error.h"
#include "graphveil/base/integer_matrix.h"
#include "graphveil/base/matrix.h"
#include "graphveil/bound/norm.h"
#include "graphveil/bound/relation.h"
#include "graphveil/bound/source.h"

namespace graphveil::mechanism {
class Release;
}
namespace graphveil::graph {
class Graph;
}

namespace graphveil::bound {

// How far the value can move between two neighbors. Without sampling: at most `amount` in the stated norm. With
// sampling: the value is a sum over samples drawn as `sampling` says, and each sample that the record touches
// moves it by at most `amount`.
struct Sensitivity {
  double amount = 0;
  Norm norm = Norm::L2;
  Relation relation = Relation::Node;
  account::Sampling sampling = account::NoSampling{};
};

class Voucher;

// What a plan knows of a value before there is one: what it is, and how far one record moves it. Only the functions of
// this room make one, each beside the bound of the value itself, so that no sensitivity stands next to another source.
class Bound {
 public:
  // As a document tells it. Nobody vouches for this: it is there to be compared with a plan that was made anew.
  static Bound as_documented(Source source, double sensitivity, Norm norm) {
    return {std::move(source), sensitivity, norm};
  }

  const Source& source() const { return source_; }
  double sensitivity() const { return sensitivity_; }  // in `norm`; per sample where the line samples
  Norm norm() const { return norm_; }
  bool operator==(const Bound&) const = default;

 private:
  friend class Voucher;
  Bound(Source source, double sensitivity, Norm norm)
      : source_(std::move(source)), sensitivity_(sensitivity), norm_(norm) {}
  Source source_;
  double sensitivity_;
  Norm norm_;
};

// A value that may not be read until a mechanism has added noise to it: only mechanism::Release can open it, and only
// the functions of this room, each of which proves its sensitivity, can make one. Move-only, so that a bound is spent
// once.
template <typename T>
class Bounded {
 public:
  Bounded(Bounded&&) noexcept = default;
  Bounded& operator=(Bounded&&) noexcept = default;

  const Sensitivity& sensitivity() const { return sensitivity_; }

 private:
  friend class Voucher;
  friend class ::graphveil::mechanism::Release;
  Bounded(T value, Sensitivity sensitivity) : value_(std::move(value)), sensitivity_(std::move(sensitivity)) {
    require(std::isfinite(sensitivity_.amount) && sensitivity_.amount > 0,
            "sensitivity is {}, want a positive finite number", sensitivity_.amount);
  }
  T value_;
  Sensitivity sensitivity_;
};

struct GridMatrix;
struct CountMatrix;
class PageRankRows;
struct Posterior;
struct GradientSum;
struct NeighborSumOptions;
struct Clipping;
struct SampleDraw;

// Who may make a Bounded, or a Bound: the functions named here, and nobody else. Each states its theorem in its own
// header.
class Voucher {
  template <typename T>
  static Bounded<T> bounded(T value, Sensitivity sensitivity) {
    return Bounded<T>(std::move(value), std::move(sensitivity));
  }
  friend Bounded<GridMatrix> neighbor_sum(const graph::Graph&, ConstMatrixView, const NeighborSumOptions&, double);
  friend Bounded<CountMatrix> neighbor_counts(const graph::Graph&, std::span<const int32_t>, int64_t, Relation, Norm);
  friend Bounded<GridMatrix> correct_count(std::span<const int32_t>, std::span<const int32_t>, std::span<const int32_t>,
                                           Relation, double);
  friend Bounded<GridMatrix> class_sums(ConstMatrixView, std::span<const int32_t>, int32_t, Relation, double, bool);
  friend Bounded<GradientSum> clipped_sum(std::vector<double>, const Clipping&, const SampleDraw&, Relation);
  friend Bounded<int64_t> edge_count(const graph::Graph&, Relation);
  friend Bounded<std::vector<int64_t>> edge_cells(const graph::Graph&, Relation);
  friend Bounded<CountMatrix> vote_counts(const std::vector<std::vector<int32_t>>&, int32_t, Relation);
  friend Bounded<GridMatrix> vote_counts(const std::vector<std::vector<int32_t>>&, int32_t, Relation, double);
  friend Bounded<GridMatrix> weighted_vote_counts(const std::vector<std::vector<int32_t>>&, std::span<const double>,
                                                  double, int32_t, Relation, double);
  friend Bounded<GridMatrix> vote_maxima(const std::vector<std::vector<int32_t>>&, std::span<const double>, double,
                                         int32_t, Relation, double);
  friend Bounded<int32_t> teacher_label(int32_t, int32_t, Relation, account::Sampling);
  friend Bounded<Posterior> teacher_posterior(std::vector<double>, Relation, account::Sampling);
  friend class PageRankRows;

  static Bound stated(Source source, double sensitivity, Norm norm) { return {std::move(source), sensitivity, norm}; }
  friend Bound neighbor_sum_bound(const NeighborSumOptions&);
  friend Bound neighbor_counts_bound(Relation, Norm);
  friend Bound correct_count_bound();
  friend Bound class_sums_bound(int32_t);
  friend Bound clipped_sum_bound(const Clipping&, const SampleDraw&, source::Reach);
  friend Bound edge_count_bound();
  friend Bound edge_cells_bound();
  friend Bound vote_counts_bound(int64_t, Norm, source::TeacherReads);
  friend Bound weighted_vote_counts_bound(int64_t, double, source::TeacherReads);
  friend Bound vote_maxima_bound(int64_t, double, source::TeacherReads);
  friend Bound teacher_labels_bound(source::TeacherReads);
  friend Bound pagerank_rows_bound(double, int64_t);
  friend Bound pagerank_picks_bound(double);
  friend Bound pagerank_values_bound(double);

  friend class TestVoucher;  // defined by tests alone
};

}  // namespace graphveil::bound
