#include "graphveil/method/dpgpl/messages.h"

#include "graphveil/base/error.h"

namespace graphveil::method {

void declare_messages(Options& options, Messages& value) {
  options.choice("messages", value, {{"parts", Messages::Parts}, {"whole", Messages::Whole}, {"auto", Messages::Auto}},
                 "parts: no edge between private and public nodes is kept, and teachers hear from their own records. "
                 "whole: all edges are; that has no proof, and is for --accounting published and references alone. "
                 "auto: whole with --accounting published, else parts");
}

bool hear_everybody(Messages messages, bool as_published) {
  return messages == Messages::Whole || (messages == Messages::Auto && as_published);
}

void require_parts(Messages messages) {
  require(messages != Messages::Whole,
          "--messages whole lets a private record send messages to the teachers of others and to public nodes, which "
          "has no proof: it is for --accounting published");
}

void require_parts(Messages messages, const Task& task, const Release& release) {
  if (!task.as_published && release.promises()) require_parts(messages);
}

}  // namespace graphveil::method
