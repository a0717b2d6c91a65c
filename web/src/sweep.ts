// A sweep: accuracy against epsilon, who pays for privacy, and every run in a table.
import * as Plot from "@observablehq/plot";
import { sweptAttacks } from "./attack";
import type { Group, Sweep } from "./document";
import { choice, csv, download, el } from "./dom";
import { color, figure, plot, spread } from "./figure";
import { confusionChart, recallChart } from "./classes";
import { table, type Column } from "./table";
import { capital, hides, percent, percentRange, scoreName, shortened, small, trimmed, unique } from "./words";

interface Panel {
  title: string;
  groups: Group[];
}

interface Line {
  name: string;
  mean: number;
}

const epsilonText = (epsilon: number | null): string => (epsilon === null ? "no noise" : `ε = ${trimmed(epsilon)}`);

// One panel for each kind of guarantee: accuracies of different promises are not to be compared. A method that draws no
// noise keeps its promise at any epsilon (one that reads no edge, under an edge relation): it is a line to measure by.
function panels(groups: Group[]): Panel[] {
  const found = new Map<string, Panel>();
  for (const group of groups) {
    if (group.epsilon === null || !group.score) continue;
    const published = group.accounting === "published";
    const title = published
      ? "By the papers’ own arithmetic: not proved"
      : group.relation === null
        ? "No relation is named"
        : `Hides ${hides(group.relation, group.degree)}`;
    const panel = found.get(title) ?? { title, groups: [] };
    panel.groups.push(group);
    found.set(title, panel);
  }
  return [...found.values()];
}

const majorityOf = (groups: Group[]): number | null => groups.find((group) => group.majority !== null)?.majority ?? null;

// Lines to measure the others by: no noise, no edges, and, where it is near, saying the largest class of everybody.
function baselines(groups: Group[]): Line[] {
  const lines: Line[] = [];
  const known = new Set<string>();
  for (const group of groups) {
    if (group.noise || !group.score || known.has(group.series)) continue;
    known.add(group.series);
    lines.push({ name: `${group.series}, ${group.edges ? "no noise" : "no edges"}`, mean: group.score.mean });
  }
  const [low, high] = yDomain(groups, lines), majority = majorityOf(groups);
  if (majority !== null && majority > low - (high - low) / 2) lines.push({ name: "largest class", mean: majority });
  return lines;
}

function accuracyChart(panel: Panel, lines: Line[], series: string[], score: string, domain: [number, number]) {
  return (width: number): Element => {
    const epsilons = unique(panel.groups.map((group) => group.epsilon as number)).sort((a, b) => a - b);
    const height = Math.round(Math.min(420, Math.max(280, width * 0.62)));
    const names = unique(panel.groups.map((group) => group.series));
    const most = width < 480 ? 15 : 26;
    const edgeless = new Set(panel.groups.filter((group) => !group.edges).map((group) => group.series));
    const label = (name: string): string => shortened(edgeless.has(name) ? `${name}, no edges` : name, most);
    const longest = Math.max(...names.concat(lines.map((line) => line.name)).map((name) => label(name).length));
    const margin = { top: 14, right: Math.round(longest * 6.3 + 16), bottom: 40, left: 46 };
    const toPixel = (y: number): number =>
      margin.top + ((domain[1] - y) / (domain[1] - domain[0])) * (height - margin.top - margin.bottom);
    const toValue = (pixel: number): number =>
      domain[1] - ((pixel - margin.top) / (height - margin.top - margin.bottom)) * (domain[1] - domain[0]);
    const ends = [
      ...names.map((name) => {
        const last = panel.groups.filter((group) => group.series === name).at(-1) as Group;
        return { name, y: last.score!.mean, fill: color(series.indexOf(name)), weight: "600" };
      }),
      ...lines.map((line) => ({ name: line.name, y: line.mean, fill: "var(--muted)", weight: "400" })),
    ];
    const moved = spread(ends.map((end) => toPixel(end.y)), 14, margin.top, height - margin.bottom);
    const first = epsilons[0] as number, last = epsilons.at(-1) as number;
    const x: [number, number] = first === last ? [first / 2, last * 2] : [first, last];
    const rows = panel.groups.map((group) => ({
      name: group.series, epsilon: group.epsilon as number, mean: group.score!.mean,
      low: group.score!.low, high: group.score!.high, stroke: color(series.indexOf(group.series)),
      title: `${group.series}, ${epsilonText(group.epsilon)}\n${percentRange(group.score)}, ${group.runs} runs`,
    }));
    const marks: Plot.Markish[] = [
      Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1 }),
      ...lines.map((line) => Plot.ruleY([line.mean], { stroke: "var(--muted)", strokeDasharray: "4,4" })),
      ...names.flatMap((name) => {
        const own = rows.filter((row) => row.name === name);
        const stroke = color(series.indexOf(name));
        const banded = own.filter((row) => row.low !== null);
        return [
          epsilons.length > 1
            ? Plot.areaY(banded, { x: "epsilon", y1: "low", y2: "high", fill: stroke, fillOpacity: 0.16 })
            : Plot.ruleX(banded, { x: "epsilon", y1: "low", y2: "high", stroke, strokeWidth: 3, strokeOpacity: 0.4 }),
          Plot.line(own, { x: "epsilon", y: "mean", stroke, strokeWidth: 2, ...(edgeless.has(name) ? { strokeDasharray: "7,3" } : {}) }),
        ];
      }),
      Plot.dot(rows, { x: "epsilon", y: "mean", fill: "stroke", r: 3.5 }),
      Plot.tip(rows, Plot.pointer({ x: "epsilon", y: "mean", title: "title" })),
      ...ends.map((end, index) =>
        Plot.text([label(end.name)], {
          x: [x[1]], y: [toValue(moved[index] as number)], text: [label(end.name)], dx: 9, textAnchor: "start",
          fill: end.fill, fontWeight: end.weight,
        })),
    ];
    return plot(`${capital(scoreName(score))} against epsilon. ${panel.title}`, {
      width, height,
      marginTop: margin.top, marginRight: margin.right, marginBottom: margin.bottom, marginLeft: margin.left,
      x: { type: "log", domain: x, ticks: epsilons, tickFormat: (d: number) => trimmed(d), label: "ε (smaller is more private)",
           labelArrow: "none", labelAnchor: "center" },
      y: { domain, label: null, tickFormat: (d: number) => `${Math.round(100 * d)}%`, ticks: 6 },
      color: { type: "identity" },
      marks,
    });
  };
}

// From all that is drawn, with a little room.
function yDomain(groups: Group[], lines: Line[]): [number, number] {
  const values = lines.map((line) => line.mean);
  for (const group of groups) {
    if (!group.score) continue;
    values.push(group.score.low ?? group.score.mean, group.score.high ?? group.score.mean);
  }
  const low = Math.min(...values), high = Math.max(...values);
  const room = Math.max(0.02, (high - low) * 0.06);
  return [Math.max(0, low - room), Math.min(1, high + room)];
}

// What is best where methods promise the same: a line for each promise and epsilon.
function findings(groups: Group[]): HTMLElement[] {
  const parts: HTMLElement[] = [];
  for (const panel of panels(groups)) {
    const best = panel.groups.filter((group) => group.standing === "best").sort((a, b) => (a.epsilon ?? 0) - (b.epsilon ?? 0));
    if (!best.length) continue;
    parts.push(el("p", { class: "promise" }, panel.title), el("ul", { class: "findings" }, ...best.map((group) => {
      const close = panel.groups.filter((other) => other.epsilon === group.epsilon && other.standing.startsWith("within")).map((other) => other.series);
      return el("li", {}, el("strong", {}, `${epsilonText(group.epsilon)}: `), `${group.series} is highest with ${percentRange(group.score)}`,
        close.length ? `; ${close.join(", ")} ${close.length > 1 ? "are" : "is"} within noise of it` : "", ".");
    })));
  }
  return parts;
}

// Who is not shown to say more than one answer for everybody would.
function majorityNotice(groups: Group[]): HTMLElement | null {
  const weak = groups.filter((group) => group.beats_majority === false);
  if (!weak.length) return null;
  const names = unique(weak.map((group) => group.series)).map((name) =>
    `${name} (${weak.filter((group) => group.series === name).map((group) => epsilonText(group.epsilon)).join(", ")})`);
  return el("p", { class: "notice", role: "note" }, el("strong", {}, "Not shown to be better than saying the largest class of everybody"),
    `, which is right on ${percent(majorityOf(weak) ?? 0)}: ${names.join("; ")}.`);
}

function runRows(sweep: Sweep): (string | number | null)[][] {
  const head = ["graph", "series", "method", "relation", "protect_degree", "epsilon", "delta", "accounting", "seed", sweep.score,
    ...(sweep.score === "macro_f1" ? [] : ["macro_f1"]), "seconds"];
  return [head, ...sweep.runs.map(([index, seed, score, f1, seconds]) => {
    const group = sweep.groups[index] as Group;
    return [group.graph, group.series, group.method, group.relation, group.degree, group.epsilon, group.delta, group.accounting,
      seed, score, ...(sweep.score === "macro_f1" ? [] : [f1]), seconds];
  })];
}

function groupTable(sweep: Sweep): HTMLElement {
  const score = sweep.score;
  const columns: Column<Group>[] = [
    ...(unique(sweep.groups.map((g) => g.graph)).length > 1 ? [{ title: "Graph", value: (g: Group) => g.graph }] : []),
    { title: "Method", value: (g) => g.series },
    { title: "Hides", value: (g) => (g.epsilon === null ? "nothing" : g.relation), shown: (g) =>
        g.epsilon === null ? "nothing" : `${g.relation ?? ""}${g.degree === null ? "" : ` ≤ ${g.degree}`}${
          g.accounting === "published" ? ", not proved" : ""}` },
    { title: "ε", value: (g) => g.epsilon, shown: (g) => (g.epsilon === null ? "no noise" : trimmed(g.epsilon)), numeric: true },
    { title: "δ", value: (g) => g.delta, shown: (g) => (g.delta === null || g.epsilon === null ? "" : small(g.delta)), numeric: true },
    { title: capital(scoreName(score)), value: (g) => g.score?.mean ?? null, shown: (g) => percentRange(g.score), numeric: true },
    { title: "Macro F1", value: (g) => g.macro_f1?.mean ?? null, shown: (g) => (g.macro_f1 ? percent(g.macro_f1.mean) : ""), numeric: true },
    { title: "Worst class", value: (g) => (g.recall.length ? Math.min(...g.recall) : null),
      shown: (g) => (g.recall.length ? percent(Math.min(...g.recall)) : ""), numeric: true },
    { title: "Runs", value: (g) => g.runs, shown: (g) => `${g.runs}${g.failed ? ` (${g.failed} failed)` : ""}`, numeric: true },
    { title: "Seconds", value: (g) => g.seconds, shown: (g) => (g.seconds === null ? "" : g.seconds.toFixed(2)), numeric: true },
    { title: "Standing", value: (g) => g.standing, shown: (g) => g.standing.replace(" of the best", "").replace(" the best", "") },
  ];
  return table("Results by method and epsilon", columns, sweep.groups);
}

export function sweepSection(sweep: Sweep): HTMLElement {
  const graphs = unique(sweep.groups.map((group) => group.graph));
  const series = unique(sweep.groups.map((group) => group.series));
  const most = Math.max(0, ...sweep.groups.map((group) => group.runs));
  const section = el("section", { class: "part", "data-part": "sweep" },
    el("h2", {}, `${graphs.length ? "Comparison" : "Sweep"}: ${sweep.name}`),
    el("dl", { class: "figures" },
      ...[["methods", series.length], ["graphs", graphs.length], ["runs", sweep.runs.length], ["attacks", sweep.attacks.length], ["failed", sweep.failures.length]]
        .filter(([name, value]) => name === "failed" || value !== 0)
        .map(([name, value]) => el("div", {}, el("dt", {}, String(name)), el("dd", {}, String(value))))));
  if (sweep.unfinished) section.append(el("p", { class: "notice" }, "The last line of the results was not written to its end, and is left out: the sweep may still be running, or was killed."));
  if (!sweep.releasable) {
    section.append(el("p", {}, "Runs of a comparison have known seeds, so none of their models may be released: whoever guesses the seed can take the noise away. To choose by this table is to choose by private labels, which no guarantee covers: choose on data that are not private, or with --tune, and train the choice again without a seed."));
  }
  const place = el("div", { class: "graph" });
  const show = (index: number): void => {
    const graph = graphs[index];
    const groups = sweep.groups.filter((group) => group.graph === graph);
    const lines = baselines(groups), domain = yDomain(groups, lines);
    const list = panels(groups.filter((group) => group.noise));
    const charts = list.map((panel) => figure({ title: panel.title, chart: accuracyChart(panel, lines, series, sweep.score, domain) }));
    const grid = el("div", { class: charts.length > 1 ? "panels level" : "panels one" }, ...charts.map((each) => each.element));
    const notice = sweep.score === "accuracy" ? majorityNotice(groups) : null;
    place.replaceChildren(
      ...findings(groups),
      ...(notice ? [notice] : []),
      el("h3", {}, `${capital(scoreName(sweep.score))} against ε`),
      list.length ? grid : el("p", {}, "No run of this graph has noise."),
      el("p", { class: "note" }, most > 1
        ? `Bands: 95% interval of the mean over the seeds (Student’s t). Every method had the same split for a seed. Dashed: without noise, and without edges. Saying the largest class of everybody reaches ${percent(majorityOf(groups) ?? 0)}.${list.length > 1 ? " The panels promise different things and are not to be compared with each other." : ""}`
        : "One seed each: there is no interval, and small differences mean nothing."),
      ...classFigures(groups));
    for (const each of charts) each.redraw();
  };
  if (graphs.length) {
    if (graphs.length > 1) section.append(choice("Graph", graphs, 0, show));
    section.append(place, el("h3", {}, "All results"), groupTable(sweep));
    const button = el("button", { type: "button", class: "plain" }, "Download every run as CSV");
    button.addEventListener("click", () => download(`${sweep.name}.csv`, csv(runRows(sweep))));
    section.append(el("p", { class: "controls" }, button));
  }
  if (sweep.attacks.length) section.append(...sweptAttacks(sweep.attacks));
  if (sweep.failures.length) {
    section.append(el("h3", {}, "Runs that failed"),
      table("Runs that failed", [
        { title: "Graph", value: (f) => f.graph },
        { title: "Method", value: (f) => f.series },
        { title: "ε", value: (f) => f.epsilon, numeric: true },
        { title: "Seed", value: (f) => f.seed, numeric: true },
        { title: "Error", value: (f) => f.error },
      ], sweep.failures));
  }
  if (graphs.length) queueMicrotask(() => show(0));
  return section;
}

// Recall by class at every epsilon, and one confusion matrix, of a method that can be chosen.
function classFigures(groups: Group[]): HTMLElement[] {
  const having = groups.filter((group) => group.recall.length > 0);
  const names = unique(having.map((group) => group.series));
  if (!names.length) return [];
  let chosen = Math.max(0, names.findIndex((name) => having.some((g) => g.series === name && g.noise)));
  let column = 0;
  const own = (): Group[] => having.filter((group) => group.series === names[chosen]);
  const columns = (): Group[] => {
    const clear = having.filter((group) => !group.noise && group.series !== names[chosen]);
    return [...own(), ...clear.filter((group, index) => clear.findIndex((other) => other.series === group.series) === index)];
  };
  const recall = figure({
    title: "Recall by class: who pays for privacy", holder: true,
    note: "Share of a class’s test nodes that are found, mean over the seeds. Classes with many nodes stand first; the last columns are methods without noise.",
    controls: [choice("Method", names, chosen, (index) => {
      chosen = index;
      column = 0;
      recall.redraw();
      which.replaceChildren(epsilonChoice());
      confusion.redraw();
    })],
    chart: (width) => recallChart(width, columns().map((group) => ({
      name: group.series === names[chosen] ? epsilonText(group.epsilon) : group.series,
      classes: group.classes, support: group.support, recall: group.recall,
    }))),
  });
  const withCounts = (): Group[] => own().filter((group) => group.confusion.length > 0);
  const epsilonChoice = (): HTMLElement =>
    choice("At", withCounts().map((group) => epsilonText(group.epsilon)), column, (index) => {
      column = index;
      confusion.redraw();
    });
  const which = el("span", {}, epsilonChoice());
  const confusion = figure({
    title: "Confusion", holder: true, controls: [which],
    note: "Rows: the true class; columns: what was predicted. Shade: share of the row; numbers: test nodes, all seeds together.",
    chart: (width) => {
      const group = withCounts()[column];
      return group ? confusionChart(width, group.classes, group.confusion) : el("p", {}, "There are no counts, or too many classes to show them.");
    },
  });
  queueMicrotask(() => {
    recall.redraw();
    confusion.redraw();
  });
  return [el("div", { class: "panels" }, recall.element, confusion.element)];
}
