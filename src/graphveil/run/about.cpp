#include "graphveil/run/about.h"

#include "graphveil/files/schema.h"
#include "graphveil/run/class_weights.h"

namespace graphveil::run {

void take_about(Experiment& experiment, const graph::Dataset& data) {
  if (data.schema.empty()) {
    if (data.class_names.empty()) return;
    const std::string& typed = experiment.settings().class_weights;
    const std::string numbered = weights_by_number(typed, data.classes, data.class_names);
    if (numbered != typed) experiment.set("class-weights", numbered);
    return;
  }
  const files::About about = files::parse_schema(data.schema, data.name + ": its schema").about;
  const Settings& settings = experiment.settings();
  if (settings.data_name.empty() && !about.data.empty()) experiment.set("data-name", about.data);
  if (settings.controller.empty() && !about.controller.empty()) experiment.set("controller", about.controller);
  if (settings.purpose.empty() && !about.purpose.empty()) experiment.set("purpose", about.purpose);
  if (!settings.people && about.people) experiment.set("people", *about.people);
}

}  // namespace graphveil::run
