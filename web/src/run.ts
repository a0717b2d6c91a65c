// Runs: the guarantee in words and as a card, what it is made of, and what the holder knows of the model.
import * as Plot from "@observablehq/plot";
import type { Run, Statement } from "./document";
import { el } from "./dom";
import { color, figure, holderTag, plot } from "./figure";
import { confusionChart } from "./classes";
import { table } from "./table";
import { atMost, hides, percent, shortened, small, unique } from "./words";

const degreeOf = (run: Run): number | null =>
  run.statements.find((s) => s.what === "parameters" && s.relation === run.relation)?.degree ?? null;

function status(run: Run): { text: string; kind: string } {
  if (!run.holds || run.epsilon === null) return { text: "No guarantee", kind: "bad" };
  return run.releasable ? { text: "May be released as said below", kind: "good" } : { text: "Not to be released", kind: "warn" };
}

function card(run: Run): HTMLElement {
  const { text, kind } = status(run);
  const fact = (name: string, value: string): HTMLElement => el("div", {}, el("dt", {}, name), el("dd", {}, value));
  const facts = run.epsilon === null
    ? [fact("method", run.method), fact("made", run.created.slice(0, 10))]
    : [fact("hides", hides(run.relation, degreeOf(run))), fact("method", run.method), fact("made", run.created.slice(0, 10))];
  return el("div", { class: `card ${kind}` },
    el("p", { class: "status" }, text),
    run.epsilon === null
      ? el("p", { class: "big" }, "no ε")
      : el("p", { class: "big" }, el("span", { class: "symbol" }, "ε ≤ "), run.epsilon_text ?? "",
          el("small", {}, run.delta > 0 ? ` at δ = ${small(run.delta)}` : " (δ = 0)")),
    el("dl", {}, ...facts));
}

function words(run: Run): HTMLElement {
  const lines = run.words.filter((line) => !/^(Assumed|Note): /.test(line));
  const notes = run.words.filter((line) => /^(Assumed|Note): /.test(line));
  return el("div", { class: "words" },
    ...lines.map((line, index) => el("p", index === 0 ? { class: "lead" } : {}, line)),
    run.plainly ? el("p", { class: "plainly" }, run.plainly) : null,
    notes.length ? el("ul", { class: "assumed" }, ...notes.map((line) => el("li", {}, line))) : null,
    run.unchecked.length
      ? el("details", {}, el("summary", {}, `Not checked: ${run.unchecked.length}`), el("ul", {}, ...run.unchecked.map((item) => el("li", {}, item))))
      : null);
}

// What each line of the plan would cost by itself.
function mechanismFigure(run: Run): HTMLElement | null {
  const rows = run.mechanisms.filter((line) => line.epsilon !== null);
  if (!rows.length || run.epsilon === null) return null;
  const total = run.epsilon;
  return figure({
    title: "Budget by mechanism",
    note: "ε of each release had nothing else been released, at the same δ. Together they cost what the line says: releases compose to less than their sum.",
    chart: (width) => {
      const most = width < 480 ? 14 : 24;
      const names = rows.map((row) => shortened(row.label, most));
      const left = Math.max(...names.map((name) => name.length)) * 6.8 + 14;
      const top = Math.max(total, ...rows.map((row) => row.epsilon as number));
      return plot("Epsilon of each mechanism by itself", {
        width, height: rows.length * 40 + 66, marginLeft: left, marginTop: 26, marginBottom: 38, marginRight: 54,
        x: { domain: [0, top * 1.02], label: "ε", labelAnchor: "center", labelArrow: "none", ticks: 5 },
        y: { domain: names, label: null, tickSize: 0, padding: 0.28 },
        marks: [
          Plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.barX(rows, { x: (d) => d.epsilon, y: (_, i) => names[i], fill: color(0) }),
          // Beside a short bar, within a long one, where the line of the total would cross it.
          ...[true, false].map((long) => Plot.text(rows.filter((row) => ((row.epsilon as number) > top * 0.3) === long), {
            x: (d) => d.epsilon, y: (d) => names[rows.indexOf(d)], text: (d) => atMost(d.epsilon), textAnchor: long ? "end" : "start",
            dx: long ? -7 : 6, fill: long ? "var(--on-shade)" : "currentColor" })),
          Plot.ruleX([total], { stroke: "var(--c2)", strokeWidth: 2 }),
          Plot.text([total], { x: [total], frameAnchor: "top", dy: -14, text: [`together ${run.epsilon_text}`], fill: "var(--c2)", fontWeight: 600, textAnchor: "end", dx: 2 }),
        ],
      });
    },
  }).element;
}

function degreeFigure(run: Run): HTMLElement | null {
  const rows = run.statements
    .filter((s) => s.what === "parameters" && s.relation === "node" && s.degree !== null && s.epsilon !== null)
    .sort((a, b) => (a.degree as number) - (b.degree as number));
  if (rows.length < 2) return null;
  const quoted = degreeOf(run);
  const friendship = run.statements.find((s) => s.relation === "undirected-edge" && s.what === "parameters" && s.epsilon !== null);
  return figure({
    title: "ε by degree",
    note: `Who has more edges is protected less. The number that is quoted is for nodes with at most ${quoted} outgoing edges (filled).${
      friendship ? ` One friendship alone is hidden with ε ≤ ${friendship.epsilon_text}.` : ""}`,
    chart: (width) => {
      const names = rows.map((row) => String(row.degree));
      const name = (row: Statement): string => String(row.degree);
      return plot("Epsilon by number of outgoing edges", {
        width, height: 236, marginLeft: 40, marginTop: 26, marginBottom: 42, marginRight: 22,
        x: { type: "point", domain: names, label: "outgoing edges of the node, at most", labelAnchor: "center", labelArrow: "none", padding: 0.3 },
        y: { domain: [0, Math.max(...rows.map((row) => row.epsilon as number)) * 1.12], label: null, ticks: 5 },
        marks: [
          Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.line(rows, { x: name, y: "epsilon", stroke: color(0), strokeWidth: 2 }),
          Plot.dot(rows, { x: name, y: "epsilon", r: 5, stroke: color(0), strokeWidth: 2,
            fill: (row: Statement) => (row.degree === quoted ? "var(--c1)" : "var(--card)") }),
          Plot.text(rows, { x: name, y: "epsilon", text: (row: Statement) => row.epsilon_text, dy: -15, fill: "currentColor" }),
        ],
        color: { type: "identity" },
      });
    },
  }).element;
}

function deltaFigure(run: Run): HTMLElement | null {
  const rows = run.epsilon_at.filter((at) => at.epsilon !== null && at.delta > 0) as { delta: number; epsilon: number }[];
  if (rows.length < 3) return null;
  return figure({
    title: "The same guarantee at other δ",
    note: "One run has an ε for every δ. Filled: the one that is quoted.",
    chart: (width) => plot("Epsilon for several values of delta", {
      width, height: 236, marginLeft: 40, marginTop: 26, marginBottom: 42, marginRight: 26,
      x: { type: "log", reverse: true, label: "δ", labelAnchor: "center", labelArrow: "none", ticks: rows.map((r) => r.delta), tickFormat: (d: number) => small(d) },
      y: { domain: [0, Math.max(...rows.map((r) => r.epsilon)) * 1.12], label: null, ticks: 5 },
      color: { type: "identity" },
      marks: [
        Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.line(rows, { x: "delta", y: "epsilon", stroke: color(0), strokeWidth: 2 }),
        Plot.dot(rows, { x: "delta", y: "epsilon", r: 5, stroke: color(0), strokeWidth: 2,
          fill: (row: { delta: number }) => (Math.abs(Math.log(row.delta / run.delta)) < 1e-9 ? "var(--c1)" : "var(--card)") }),
      ],
    }),
  }).element;
}

function scoresPart(run: Run): HTMLElement[] {
  const scores = run.scores;
  const kept = scores?.repeats[0];
  if (!scores || !kept) return [];
  const figures = el("dl", { class: "figures" }, ...Object.entries(kept).map(([name, value]) =>
    el("div", {}, el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, percent(value)))));
  const parts: HTMLElement[] = [el("h3", {}, "How good the model is", holderTag()), figures];
  if (scores.warning !== null) parts.push(el("p", { class: "notice", role: "note" }, el("strong", {}, "Warning: "), scores.warning, "."));
  if (scores.repeats.length > 1) parts.push(el("p", { class: "note" }, `Of the model that is kept, the first of ${scores.repeats.length} repeats.`));
  const classes = [...scores.classes].sort((a, b) => b.nodes - a.nodes);
  const charts: HTMLElement[] = [];
  if (classes.length) {
    charts.push(figure({
      title: "Recall by class: who pays for privacy", holder: true,
      note: "Share of a class’s test nodes that are found; in brackets how many there are. Few nodes make a rough figure.",
      chart: (width) => {
        const names = classes.map((each) => `${shortened(each.name, width < 480 ? 12 : 22)} (${each.nodes})`);
        const left = Math.max(...names.map((name) => name.length)) * 6.6 + 14;
        return plot("Recall by class", {
          width, height: classes.length * 30 + 52, marginLeft: left, marginRight: 44, marginBottom: 34, marginTop: 8,
          x: { domain: [0, 1], label: null, tickFormat: (d: number) => `${Math.round(100 * d)}%`, ticks: 5 },
          y: { domain: names, label: null, tickSize: 0, padding: 0.3 },
          marks: [
            Plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1 }),
            Plot.barX(classes, { x: "recall", y: (_, i) => names[i], fill: color(0) }),
            Plot.text(classes, { x: "recall", y: (_, i) => names[i], text: (d) => `${Math.round(100 * d.recall)}`, dx: 6, textAnchor: "start", fill: "currentColor" }),
          ],
        });
      },
    }).element);
  }
  const counts = scores.confusion;
  if (counts?.length && counts.length <= 24) {
    charts.push(figure({
      title: "Confusion", holder: true,
      note: "Rows: the true class; columns: what was predicted. Shade: share of the row; numbers: test nodes.",
      chart: (width) => confusionChart(width, scores.classes.map((each) => each.name), counts),
    }).element);
  }
  if (charts.length) parts.push(el("div", { class: "panels" }, ...charts));
  return parts;
}

// Losses and accuracies over the steps of a training, one figure for each quantity.
function curveFigures(run: Run): HTMLElement[] {
  const first = run.curves.filter((curve) => curve.pass === "0" && curve.points.length > 1);
  if (!first.length) return [];
  const passes = unique(run.curves.map((curve) => curve.pass)).length;
  return [el("h3", {}, "How the training went", holderTag()),
    el("div", { class: "panels fit" }, ...first.map((curve, index) => figure({
      title: curve.name.replace(",", ": "), holder: true,
      chart: (width) => plot(`${curve.name} by step`, {
        width, height: 210, marginLeft: 46, marginTop: 12, marginBottom: 38, marginRight: 14,
        x: { label: "step", labelAnchor: "center", labelArrow: "none", ticks: 5 },
        y: { label: null, ticks: 5, nice: true },
        marks: [
          Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.line(curve.points, { stroke: color(index), strokeWidth: 2 }),
        ],
      }),
    }).element)),
    el("p", { class: "note" }, passes > 1 ? `The first of ${passes} trainings. ` : "", "Losses read private records: no guarantee covers them.")];
}

function configuration(run: Run): HTMLElement {
  const rows = (title: string, entries: [string, string][]): HTMLElement[] =>
    entries.length ? [el("h4", {}, title), table(title, [
      { title: "name", value: (row) => row[0] },
      { title: "value", value: (row) => row[1] },
    ], entries, false)] : [];
  return el("details", { class: "config" }, el("summary", {}, "Exact configuration"),
    el("div", { class: "columns" },
      el("div", {}, ...rows("Options", run.config)),
      el("div", {},
        ...rows("Public numbers", Object.entries(run.public).map(([name, value]) => [name, String(value)])),
        ...rows("Fingerprints (SHA-256)", Object.entries(run.fingerprints)),
        ...rows("Program", [["graphveil", run.version], ["made", run.created], ["accounting", run.accounting], ["folder", run.path]]))));
}

function statements(run: Run): HTMLElement[] {
  if (!run.statements.length) return [];
  const list = [el("h3", {}, "What is promised, to whom"), table("Statements of the certificate", [
    { title: run.releasable ? "For" : "Would be for", value: (s) => s.audience },
    { title: "Of", value: (s) => s.what },
    { title: "Relation", value: (s) => s.relation },
    { title: "Outgoing edges", value: (s) => s.degree, shown: (s) => (s.degree === null ? "any" : `at most ${s.degree}`), numeric: true },
    { title: "ε at most", value: (s) => s.epsilon, shown: (s) => s.epsilon_text, numeric: true },
    { title: "δ", value: (s) => s.delta, shown: (s) => small(s.delta), numeric: true },
  ], run.statements)];
  if (run.totals.length) {
    list.push(el("h3", {}, "With every prediction since"), table("What everything released so far costs", [
      { title: "Of", value: (t) => t.what },
      { title: "For", value: (t) => t.covers },
      { title: "ε at most", value: (t) => t.epsilon, shown: (t) => t.epsilon_text, numeric: true },
      { title: "δ", value: (t) => t.delta, shown: (t) => small(t.delta), numeric: true },
    ], run.totals));
  }
  return list;
}

function runPart(run: Run): HTMLElement {
  const charts = [mechanismFigure(run), degreeFigure(run), deltaFigure(run)].filter((each) => each !== null);
  return el("section", { class: "part", "data-part": "run" },
    el("h2", {}, `Run: ${run.name}`),
    el("div", { class: "guarantee" }, card(run), words(run)),
    charts.length ? el("div", { class: "panels fit" }, ...charts) : null,
    ...statements(run), ...scoresPart(run), ...curveFigures(run), configuration(run));
}

// Runs beside each other: the strictest promise first.
function overview(runs: Run[]): HTMLElement {
  return el("section", { class: "part" }, el("h2", {}, "Runs"), table("Runs", [
    { title: "Run", value: (r) => r.name },
    { title: "Method", value: (r) => r.method },
    { title: "ε at most", value: (r) => r.epsilon, shown: (r) => r.epsilon_text ?? "none", numeric: true },
    { title: "δ", value: (r) => (r.epsilon === null ? null : r.delta), shown: (r) => (r.epsilon === null ? "" : small(r.delta)), numeric: true },
    { title: "Hides", value: (r) => r.relation, shown: (r) => (r.epsilon === null ? "nothing" : hides(r.relation, degreeOf(r))) },
    { title: "Test accuracy (holder’s)", value: (r) => r.scores?.repeats[0]?.["test_accuracy"] ?? null,
      shown: (r) => { const a = r.scores?.repeats[0]?.["test_accuracy"]; return a === undefined ? "" : percent(a); }, numeric: true },
    { title: "Status", value: (r) => status(r).text },
  ], runs));
}

// All maps of runs with the same classes, in one plane.
function maps(runs: Run[]): HTMLElement | null {
  const having = runs.filter((run) => run.map !== null)
    .sort((a, b) => (a.epsilon ?? Infinity) - (b.epsilon ?? Infinity));
  if (!having.length) return null;
  const holder = having.some((run) => run.map_audience !== "public");
  const legends = unique(having.map((run) => run.map!.classes)).map((classes) => {
    const run = having.find((each) => each.map!.classes === classes) as Run;
    return { classes, names: classNames(run, classes) };
  });
  const figures = having.map((run) => {
    const map = run.map!;
    const names = classNames(run, map.classes);
    const points = map.x.map((x, i) => ({ x, y: map.y[i] as number, predicted: map.predicted[i] as number }));
    const title = `${run.method}, ${run.epsilon === null ? "no guarantee" : `ε ≤ ${run.epsilon_text}`}${having.length > 1 ? ` (${run.name})` : ""}`;
    return figure({
      title, holder: run.map_audience !== "public",
      chart: (width) => {
        const across = Math.min(width, 460);
        const height = Math.round(Math.max(140, (across * map.height) / Math.max(map.width, 1)));
        return plot(`Map of nodes: ${title}`, {
          width: across, height, margin: 8, axis: null,
          x: { domain: [0, map.width] }, y: { domain: [0, map.height] }, color: { type: "identity" },
          marks: [
            Plot.frame({ stroke: "var(--line)", inset: -6 }),
            Plot.dot(points, { x: "x", y: "y", r: 2.2, fill: (d: { predicted: number }) => color(d.predicted), fillOpacity: 0.65,
              title: (d: { predicted: number }) => names[d.predicted] ?? String(d.predicted) }),
          ],
        });
      },
    }).element;
  });
  return el("section", { class: "part", "data-part": "map" },
    el("h2", {}, "Map of the nodes", holder && holderTag()),
    el("p", {}, "Each point is a node, placed by the class probabilities that the model gives it (first two principal components, the same plane for all runs) and colored by the class predicted. Noise pulls classes together and mixes them."),
    ...legends.map((legend) => el("p", { class: "legend" }, ...legend.names.slice(0, 24).map((name, index) =>
      el("span", {}, el("i", { style: `background:${color(index)}` }), shortened(name, 28))))),
    el("div", { class: figures.length > 1 ? "panels fit" : "panels single" }, ...figures),
    having.some((run) => run.map!.nodes > run.map!.x.length)
      ? el("p", { class: "note" }, `A part of the nodes is shown, evenly over the list: ${having[0]!.map!.x.length} of ${having[0]!.map!.nodes}.`) : null);
}

function classNames(run: Run, classes: number): string[] {
  const known = run.scores?.classes.map((each) => each.name) ?? run.class_names;
  return Array.from({ length: classes }, (_, k) => {
    const name = known.length === classes ? (known[k] as string) : String(k);
    return /^\d+$/.test(name) ? `class ${name}` : name;
  });
}

export function runSections(runs: Run[]): HTMLElement[] {
  if (!runs.length) return [];
  const parts = runs.map(runPart);
  const map = maps(runs);
  return [...(runs.length > 1 ? [overview(runs)] : []), ...parts, ...(map ? [map] : [])];
}


