#include "graphveil/run/book_fit.h"

#include <unistd.h>

#include <filesystem>

#include "graphveil/run/certify.h"
#include "tests/run/small_run.h"

namespace graphveil::run::book_fit_test {
namespace {

namespace fs = std::filesystem;

TEST(BookFit, TheNoiseItNamesFitsAndAFifthLessDoesNot) {
  const std::string path = (fs::temp_directory_path() / ("graphveil-fit-" + std::to_string(getpid()))).string();
  fs::remove(path);
  const artifact::Fingerprint people{"e", "f", "l", ""};
  const method::PublicFacts facts{1000, 800, 10, 3, 0};
  Experiment experiment("mlp-dp");
  experiment.set("epsilon", 4);
  experiment.set("delta", 1e-4);
  const Prepared prepared = prepare(experiment, bound::Relation::Node, facts);
  BudgetBook book = BudgetBook::create(path, "", {bound::Relation::Node, 100, millionths_down(5), 1e-4}, people);
  book.reserve("first", covered(certify(prepared, prepared.plan, false, {})), people);
  const std::optional<Fit> fit = fitting(prepared, book.read());
  ASSERT_TRUE(fit.has_value());
  EXPECT_GT(fit->noise, prepared.noise);
  const auto planned = [&](double noise) {
    Prepared other = prepared;
    other.noise = noise;
    other.plan = experiment.method().plan(noise, prepared.setting);
    return covered(certify(other, other.plan, false, {}));
  };
  EXPECT_THROW(book.reserve("more", planned(fit->noise / 1.2), people), Error);
  EXPECT_NO_THROW(book.reserve("as named", planned(fit->noise), people));
  EXPECT_FALSE(fitting(prepared,
                       [&] {
                         BookReading full = book.read();
                         full.cap.millionths = 1;
                         return full;
                       }())
                   .has_value());
  fs::remove(path);
}

}  // namespace
}  // namespace graphveil::run::book_fit_test
