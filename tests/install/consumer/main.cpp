#include <graphveil/base/matrix.h>
#include <graphveil/base/random.h>
#include <graphveil/base/version.h>

int main() {
  graphveil::RandomStream stream(graphveil::Seed::from_number(1), "consumer");
  graphveil::Matrix m(2, 2);
  m(1, 1) = static_cast<graphveil::Real>(stream.uniform());
  return m(1, 1) > 0 && !graphveil::version().empty() ? 0 : 1;
}
