// bench_kernels [sparse] [dense] [rows] [noise] [convolution] [methods]: all groups when none is named. GRAPHVEIL_CPU
// picks the level. bench_kernels promises [ROUNDS]: the promised figures alone, by turns with their bounds; exit code 1
// when one fails.
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "bench/kernels/benches.h"
#include "graphveil/kernels/cpu.h"

int main(int argc, char** argv) {
  using namespace graphveil::bench;
  struct Group {
    std::string_view name;
    void (*run)(const Machine&);
  };
  constexpr Group groups[] = {
      {"sparse", bench_sparse},           {"dense", bench_dense},    {"rows", bench_rows}, {"noise", bench_noise},
      {"convolution", bench_convolution}, {"methods", bench_methods}};
  fmt::print("CPU level {}\n", graphveil::kernels::name(graphveil::kernels::cpu_level()));
  if (argc >= 2 && std::string_view(argv[1]) == "promises")
    return bench_promises(argc > 2 ? std::atoi(argv[2]) : 10) ? 0 : 1;
  const Machine machine = measure_machine();
  print_machine(machine);
  for (const Group& group : groups) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted = wanted || group.name == argv[i];
    if (wanted) group.run(machine);
  }
}
