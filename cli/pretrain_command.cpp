// graphveil pretrain: a backbone learns from a public graph and is written as one file.
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/method_options.h"
#include "graphveil/base/resources.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/files/format.h"
#include "graphveil/learn/pretrain.h"
#include "graphveil/run/backbone_file.h"
#include "graphveil/run/declared.h"

namespace graphveil::cli {
namespace {

constexpr const char* kPublic = "the graph is taken to be public: what is learned from it carries no privacy guarantee";

struct PretrainCommand {
  std::string data_path, out_path, target = "year";
  std::optional<uint64_t> seed;
  bool force = false;
  learn::PretrainOptions options;
  Options table;
  TypedOptions typed;
};

void print_summary(const Session& session, const PretrainCommand& command, const learn::Pretrained& p, int64_t nodes,
                   double seconds) {
  const learn::BackboneShape& shape = p.backbone.shape();
  nlohmann::ordered_json object;
  object["arch"] = to_string(shape.kind);
  object["task"] = to_string(p.options.task);
  object["features"] = p.basis.inputs();
  object["svd"] = p.basis.dim();
  object["hidden_dim"] = shape.hidden;
  object["layers"] = shape.layers;
  object["heads"] = shape.heads;
  object["epochs"] = p.options.epochs;
  object["learning_rate"] = p.options.learning_rate;
  object["parameters"] = p.backbone.parameters().size();
  object["nodes"] = nodes;
  object["loss_first"] = p.losses.front();
  object["loss_last"] = p.losses.back();
  object["seconds"] = seconds;
  object["assumptions"] = {kPublic};
  object["out"] = command.out_path;
  print_result(session, object,
               fmt::format("backbone       {}, {} layers of {}, {} parameters\n"
                           "features       {} brought to {} by singular vectors of the public graph\n"
                           "task           {}, {} epochs, loss {:.4f} to {:.4f}, {:.1f} s\n"
                           "assumed        {}\n"
                           "written        {}\n",
                           to_string(shape.kind), shape.layers, shape.hidden, p.backbone.parameters().size(),
                           p.basis.inputs(), p.basis.dim(), to_string(p.options.task), p.options.epochs,
                           p.losses.front(), p.losses.back(), seconds, kPublic, command.out_path));
}

void run_pretrain(PretrainCommand& command, const Session& session) {
  for (const auto& [name, value] : command.typed) command.table.set(name, value);
  check_output(command.out_path, command.force, {".safetensors"});
  command.options.shape().check();
  const graph::Dataset data = files::read_dataset(command.data_path, {files::facebook_target(command.target)});
  const Seed seed = command.seed ? Seed::from_number(*command.seed) : Seed::from_system();
  const Timer timer;
  const learn::Pretrained pretrained = learn::pretrain(run::declared_public(data), command.options, seed);
  const double seconds = timer.seconds();
  files::AtomicFile file(command.out_path);
  const std::vector<uint8_t> bytes = run::to_backbone_file(pretrained);
  file.write(std::as_bytes(std::span(bytes)));
  file.commit();
  print_summary(session, command, pretrained, data.nodes(), seconds);
}

}  // namespace

void add_pretrain_command(CLI::App& app, Session& session) {
  auto command = std::make_shared<PretrainCommand>();
  CLI::App* sub = app.add_subcommand(
      "pretrain", "Train a backbone on a public graph, without labels, for methods that learn prompts on top of it");
  sub->add_option("--data", command->data_path, "Public graph: file or folder, see docs/formats.md")->required();
  sub->add_option("-o,--out", command->out_path, "File to write: .safetensors")->required();
  command->options.declare(command->table);
  add_method_options(*sub, command->table, command->typed);
  sub->add_option("-s,--seed", command->seed, "The same number gives the same backbone (default: a fresh one)");
  sub->add_option("--target", command->target, "Facebook100: the column to predict")->capture_default_str();
  add_force_option(*sub, command->force);
  add_common_options(*sub, session);
  sub->footer(
      "Features and edges of the graph are read in the clear, labels not at all: the graph is taken to be public, and\n"
      "the backbone carries no privacy guarantee for anybody in it. Never give it records that are to be protected.\n\n"
      "Example:\n"
      "  graphveil pretrain --data coauthor_cs.npz --arch gcn --task dgi --out backbone.safetensors");
  sub->callback([command, &session] { run_pretrain(*command, session); });
}

}  // namespace graphveil::cli
