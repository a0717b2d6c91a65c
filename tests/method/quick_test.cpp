// What every method says of its own size, against the options that it declares.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "graphveil/method/registry.h"

namespace graphveil::method::quick_test {
namespace {

bool is_length(const std::string& option) {
  // last-epochs follow the others by themselves, and pre-training is off by
  // itself.
  if (option == "last-epochs" || option == "pretrain-epochs") return false;
  return option.ends_with("epochs") || option.ends_with("steps") || option.ends_with("hidden-dim");
}

TEST(Quick, NamesEveryOptionThatMakesARunLong) {
  for (const std::string& name : method_names()) {
    const auto method = make_method(name);
    Options options;
    method->declare(options);
    std::set<std::string> set;
    for (const auto& [option, value] : method->quick({.epochs = 2, .steps = 3, .width = 4, .queries = 5})) {
      ASSERT_NE(options.find(option), nullptr) << name << " has no --" << option;
      options.set(option, value);
      set.insert(option);
    }
    for (const Option& option : options.list()) {
      EXPECT_EQ(set.count(option.name) > 0, is_length(option.name) || option.name == "queries" || option.name == "svd")
          << name << " --" << option.name;
    }
    // None undoes another: setting epochs takes steps back.
    for (const char* steps : {"steps", "encoder-steps"}) {
      if (options.find(steps) != nullptr) {
        EXPECT_EQ(options.find(steps)->text(), "3") << name;
      }
    }
  }
}

TEST(Network, CountsEveryLayerAndTheWidest) {
  for (const std::string& name : method_names()) {
    const auto method = make_method(name);
    Options options;
    method->declare(options);
    for (const Option& option : options.list()) {
      const NetworkSize before = method->network();
      if (option.name.ends_with("hidden-dim")) {
        options.set(option.name, "999");
        EXPECT_EQ(method->network().width, 999) << name << " --" << option.name;
      } else if (option.name.ends_with("layers") && option.name != "unit-layers") {
        const int64_t were = std::stoll(option.text());
        const int64_t now = were == 3 ? 2 : 3;
        options.set(option.name, std::to_string(now));
        EXPECT_EQ(method->network().layers - before.layers, now - were) << name << " --" << option.name;
      }
    }
    EXPECT_EQ(method->network().rows, options.find("hops") != nullptr) << name;
  }
}

}  // namespace
}  // namespace graphveil::method::quick_test
