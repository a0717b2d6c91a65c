// Made-up results of a sweep, the same every time: accuracies that rise with epsilon and fall with nothing.

// A small generator, so that files do not differ from run to run.
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function results({ methods, graphs, epsilons, seeds, classes }) {
  const next = random(7);
  const lines = [];
  for (const graph of graphs) {
    methods.forEach(({ name, relation, noise = true }, m) => {
      for (const epsilon of noise ? epsilons : [null]) {
        for (let seed = 0; seed < seeds; seed += 1) {
          const level = 0.85 - (epsilon === null ? 0 : 0.35 / (1 + epsilon)) - 0.01 * m + 0.03 * (next() - 0.5);
          const confusion = classes.map((_, i) => classes.map((__, j) => Math.round(i === j ? 60 * level : (30 * (1 - level)) / classes.length)));
          lines.push({
            id: `${graph}-${name}-${epsilon}-${seed}`, status: "done", error: null, method: name, label: name, options: {},
            command: `train ${name}`, graph, relation: noise ? relation : null, protect_degree: noise && relation === "node" ? 100 : null,
            epsilon, delta: noise ? 1e-4 : null, accounting: noise ? "tight" : "none", valid: true, releasable: false, seed,
            scores: { accuracy: level, majority: 0.3, macro_f1: level - 0.03 },
            classes: classes.map((each, k) => ({ class: each, nodes: 100 - k, recall: Math.max(0, level - 0.04 * k) })),
            confusion, seconds: { total: 0.2 + next() },
          });
        }
      }
    });
  }
  return lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
}
