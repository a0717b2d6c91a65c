#include "graphveil/method/registry.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "graphveil/method/diffusion/diffusion.h"
#include "graphveil/method/dpar/dpar.h"
#include "graphveil/method/dpgnn/dpgnn.h"
#include "graphveil/method/dpgnn/gnn_inf.h"
#include "graphveil/method/dpgpl/dpgpl.h"
#include "graphveil/method/dpgpl/prompt_dpsgd.h"
#include "graphveil/method/dpgpl/prompt_references.h"
#include "graphveil/method/gap/gap.h"
#include "graphveil/method/lap/lap.h"
#include "graphveil/method/lpgnet/lpgnet.h"
#include "graphveil/method/mlp.h"
#include "graphveil/method/oneshot/oneshot.h"
#include "graphveil/method/pate/pate.h"
#include "graphveil/method/privgnn/privgnn.h"
#include "graphveil/method/privgnn/references.h"
#include "graphveil/method/progap/progap.h"
#include "graphveil/method/sage/sage.h"

namespace graphveil::method {
namespace {

struct Entry {
  std::string name;
  Role role;
  std::function<std::unique_ptr<Method>()> make;
};

std::vector<Entry>& entries() {
  static std::vector<Entry> list = {
      {"mlp", Role::Baseline, [] { return std::make_unique<Mlp>(); }},
      {"mlp-dp", Role::Yours, [] { return std::make_unique<MlpDp>(); }},
      {"lap", Role::Yours, [] { return std::make_unique<Lap>(); }},
      {"lpgnet", Role::Yours, [] { return std::make_unique<Lpgnet>(); }},
      {"gap-inf", Role::Reference, [] { return std::make_unique<GapEdge>(false); }},
      {"gap-edp", Role::Yours, [] { return std::make_unique<GapEdge>(true); }},
      {"gap-ndp", Role::Yours, [] { return std::make_unique<GapNode>(); }},
      {"progap-edp", Role::Yours, [] { return std::make_unique<ProgapEdge>(); }},
      {"progap-ndp", Role::Yours, [] { return std::make_unique<ProgapNode>(); }},
      {"sage-inf", Role::Reference, [] { return std::make_unique<SageEdge>(false); }},
      {"sage-edp", Role::Baseline, [] { return std::make_unique<SageEdge>(true); }},
      {"sage-ndp", Role::Baseline, [] { return std::make_unique<SageNode>(); }},
      {"diffusion-edp", Role::Yours, [] { return std::make_unique<Diffusion>(); }},
      {"oneshot", Role::Yours, [] { return std::make_unique<OneShot>(); }},
      {"privgnn", Role::Yours, [] { return std::make_unique<PrivGnn>(); }},
      {"pate-m", Role::Baseline, [] { return std::make_unique<Pate>(TeacherKind::Mlp); }},
      {"pate-g", Role::Baseline, [] { return std::make_unique<Pate>(TeacherKind::Sage); }},
      {"b1", Role::Reference, [] { return std::make_unique<Reference>(Reference::Kind::B1); }},
      {"b2", Role::Reference, [] { return std::make_unique<Reference>(Reference::Kind::B2); }},
      {"b3", Role::Reference, [] { return std::make_unique<Reference>(Reference::Kind::B3); }},
      {"b4", Role::Reference, [] { return std::make_unique<Reference>(Reference::Kind::B4); }},
      {"dp-gpl", Role::Yours, [] { return std::make_unique<DpGpl>(DpGpl::Weights::Equal); }},
      {"dp-gpl-w", Role::Yours, [] { return std::make_unique<DpGpl>(DpGpl::Weights::ByDegree); }},
      {"prompt-dpsgd", Role::Baseline, [] { return std::make_unique<PromptDpSgd>(); }},
      {"prompt-inf", Role::Reference, [] { return std::make_unique<PromptReference>(PromptReference::Kind::Prompt); }},
      {"prompt-ft", Role::Reference, [] { return std::make_unique<PromptReference>(PromptReference::Kind::FineTune); }},
      {"prompt-ens", Role::Reference,
       [] { return std::make_unique<PromptReference>(PromptReference::Kind::Ensemble); }},
      {"prompt-ub", Role::Reference,
       [] { return std::make_unique<PromptReference>(PromptReference::Kind::UpperBound); }},
      {"prompt-lb", Role::Reference,
       [] { return std::make_unique<PromptReference>(PromptReference::Kind::LowerBound); }},
      {"gnn-inf", Role::Reference, [] { return std::make_unique<GnnInf>(); }},
      {"dpgnn", Role::Yours, [] { return std::make_unique<DpGnn>(); }},
      {"dpar-inf", Role::Reference, [] { return std::make_unique<DparInf>(); }},
      {"dpar-gm", Role::Yours, [] { return std::make_unique<Dpar>(SelectionNoise::Gaussian); }},
      {"dpar-em0", Role::Yours, [] { return std::make_unique<Dpar>(SelectionNoise::Picks); }},
      {"dpar-em1", Role::Yours, [] { return std::make_unique<Dpar>(SelectionNoise::PicksWithValues); }},
  };
  return list;
}

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

namespace {

const Entry& entry_of(std::string_view name) {
  for (const Entry& entry : entries()) {
    if (entry.name == name) return entry;
  }
  fail(ErrorKind::InvalidArgument, "there is no method '{}'; there are {}", name, fmt::join(method_names(), ", "));
}

}  // namespace

std::unique_ptr<Method> make_method(std::string_view name) { return entry_of(name).make(); }

Role role_of(std::string_view name) { return entry_of(name).role; }

void register_method(std::string name, std::function<std::unique_ptr<Method>()> make) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  require(plain, "a method's name is '{}', want small letters, digits and hyphens", name);
  for (const Entry& entry : entries()) require(entry.name != name, "there is a method '{}' already", name);
  const std::unique_ptr<Method> one = make();
  const std::string said = one->describe().name;
  require(said == name, "the method '{}' describes itself as '{}'", name, said);
  entries().push_back({std::move(name), one->relations().empty() ? Role::Reference : Role::Yours, std::move(make)});
}

}  // namespace graphveil::method
