#include "graphveil/method/dpgpl/messages.h"

#include "graphveil/base/error.h"

namespace graphveil::method {

void declare_messages(Options& options, Messages& value) {
  options.choice("messages", value, {{"parts", Messages::Parts}, {"whole", Messages::Whole}},
                 "Of one graph. parts: no edge between private and public nodes is kept, and teachers hear from their "
                 "own records. whole: all of its edges are; that has no proof, and is for --accounting published and "
                 "references alone");
}

void require_parts(Messages messages) {
  require(messages == Messages::Parts,
          "--messages whole lets a private record send messages to other teachers and to public nodes, which has no "
          "proof: it is for --accounting published");
}

void require_parts(Messages messages, const Task& task, const Release& release) {
  if (!task.as_published && release.promises()) require_parts(messages);
}

}  // namespace graphveil::method
