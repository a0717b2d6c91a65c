// Attacks and audits: what an adversary reached, beside what was promised.
import * as Plot from "@observablehq/plot";
import type { Attack, Audit, Interval, SweptAttack } from "./document";
import { el } from "./dom";
import { color, figure, plot, spread } from "./figure";
import { table } from "./table";
import { shortened, small, trimmed } from "./words";

const named: Record<string, string> = {
  membership: "Who trained the model, by shadow models",
  lira: "Who trained the model, by likelihood ratios",
  links: "Which nodes are joined",
};

const range = (i: Interval): string =>
  i.low === null || i.high === null ? i.mean.toFixed(3) : `${i.mean.toFixed(3)} ± ${(i.high - i.mean).toFixed(3)}`;

function rocFigure(attack: Attack): HTMLElement | null {
  const curves = attack.curves.filter((curve) => curve.points.length > 1);
  if (!curves.length) return null;
  const lowest = Math.min(...curves.map((curve) => curve.points[0]![0]));
  const floor = lowest;
  return figure({
    title: "True positives against false positives", holder: true,
    note: [
      "Both axes are logarithmic: what matters is how many are found while next to nobody is accused wrongly.",
      curves.some((curve) => curve.repeats > 1) ? " Bands: 95% interval of the mean over the repeats." : "",
      attack.bound.length
        ? ` The heavy curve is the most that (ε, δ) = (${trimmed(attack.epsilon ?? 0)}, ${small(attack.delta ?? 0)}) allows somebody who must tell one node there from the same node blank, whatever else they know.`
        : ` ${attack.why_no_bound}`,
    ].join(""),
    chart: (width) => {
      const height = Math.min(460, Math.max(300, width * 0.72));
      const margin = { top: 12, right: width < 480 ? 92 : 132, bottom: 42, left: 52 };
      const clip = (y: number): number => Math.max(y, floor);
      const toPixel = (y: number): number => margin.top + (Math.log(clip(y)) / Math.log(floor)) * (height - margin.top - margin.bottom);
      const toValue = (pixel: number): number => Math.exp(((pixel - margin.top) / (height - margin.top - margin.bottom)) * Math.log(floor));
      // Labels stand where curves are apart: at the left end every curve of an attack is at its rarest accusation.
      const middle = Math.sqrt(floor);
      const at = (points: [number, number][]): number => points.reduce((best, point) => (Math.abs(Math.log(point[0] / middle)) < Math.abs(Math.log(best[0] / middle)) ? point : best))[1];
      const labels = [
        ...curves.map((curve, index) => ({ text: shortened(curve.name, width < 480 ? 12 : 18), y: at(curve.points.map((p) => [p[0], p[1]])), fill: color(index) })),
        ...(attack.bound.length ? [{ text: "allowed", y: at(attack.bound), fill: "var(--ink)" }] : []),
        { text: "guessing", y: middle, fill: "var(--muted)" },
      ];
      const moved = spread(labels.map((label) => toPixel(label.y)), 14, margin.top, height - margin.bottom);
      const rows = curves.flatMap((curve, index) => curve.points.map((p) => ({ x: p[0], y: clip(p[1]), low: clip(p[2] ?? p[1]), high: clip(p[3] ?? p[1]), index })));
      const decades = Array.from({ length: Math.floor(-Math.log10(floor) + 1e-9) + 1 }, (_, k) => 10 ** -k);
      const format = (d: number): string => (d >= 0.01 ? `${Math.round(100 * d)}%` : `${Number((100 * d).toPrecision(1))}%`);
      return plot(`ROC of ${attack.attack} on ${attack.method}`, {
        width, height, marginTop: margin.top, marginRight: margin.right, marginBottom: margin.bottom, marginLeft: margin.left,
        x: { type: "log", domain: [floor, 1], ticks: decades, tickFormat: format, label: "false positives", labelAnchor: "center", labelArrow: "none" },
        y: { type: "log", domain: [floor, 1], ticks: decades, tickFormat: format, label: null },
        marks: [
          Plot.gridX(decades, { stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.gridY(decades, { stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.line([[floor, floor], [1, 1]], { stroke: "var(--muted)", strokeDasharray: "4,4" }),
          ...(attack.bound.length ? [Plot.line(attack.bound.map(([x, y]) => [x, clip(y)]), { stroke: "var(--ink)", strokeWidth: 3 })] : []),
          ...curves.flatMap((_, index) => {
            const own = rows.filter((row) => row.index === index);
            return [
              Plot.areaY(own, { x: "x", y1: "low", y2: "high", fill: color(index), fillOpacity: 0.16 }),
              Plot.line(own, { x: "x", y: "y", stroke: color(index), strokeWidth: 2 }),
            ];
          }),
          ...labels.map((label, index) => Plot.text([label.text], { x: [1], y: [toValue(moved[index] as number)], text: [label.text], dx: 8, textAnchor: "start", fill: label.fill, fontWeight: 600 })),
        ],
      });
    },
  }).element;
}

export function attackSection(attack: Attack): HTMLElement {
  return el("section", { class: "part", "data-part": "attack" },
    el("h2", {}, `Attack: ${attack.attack} on ${attack.method}`),
    el("p", {}, `${named[attack.attack] ?? attack.attack}${attack.epsilon === null ? ", without privacy" : `, ε = ${trimmed(attack.epsilon)}`}. An attack that finds little proves nothing; one that finds much shows what leaks.`),
    rocFigure(attack),
    table("Attack", [
      { title: "Told apart", value: (c) => c.name },
      { title: "AUC", value: (c) => c.auc.mean, shown: (c) => range(c.auc), numeric: true },
      { title: "AUC that (ε, δ) allows", value: () => attack.allowed_auc, shown: () => (attack.allowed_auc === null ? "not bounded" : attack.allowed_auc.toFixed(3)), numeric: true },
      { title: "Found at 1% false positives", value: (c) => c.tpr_at_1_percent.mean, shown: (c) => range(c.tpr_at_1_percent), numeric: true },
      { title: "Repeats", value: (c) => c.repeats, numeric: true },
    ], attack.curves));
}

// What the attacks of a sweep reached, one line each, beside what (ε, δ) allows. Curves are in the files of `attack --out`.
export function sweptAttacks(attacks: SweptAttack[]): HTMLElement[] {
  const rows = attacks.flatMap((attack) => attack.curves.map((curve) => ({
    ...curve, attack, what: `${attack.row}${attack.curves.length > 1 ? `, ${curve.name}` : ""}${
      new Set(attacks.map((each) => each.graph)).size > 1 && !attack.row.includes(attack.graph) ? `, ${attack.graph}` : ""}`,
  })));
  const chart = figure({
    title: "Area under the attack’s curve", holder: true,
    note: `0.5 is guessing, 1 tells everybody apart.${rows.some((row) => row.auc.low !== null) ? " Lines: 95% interval over the repeats." : ""}${
      rows.some((row) => row.attack.allowed_auc !== null) ? " Upright: the most that (ε, δ) allows." : ""} An attack that finds little proves nothing.`,
    chart: (width) => {
      const most = width < 560 ? 20 : 48;
      const names = rows.map((row, index) => `${shortened(row.what, most)}${rows.findIndex((r) => shortened(r.what, most) === shortened(row.what, most)) === index ? "" : ` (${index + 1})`}`);
      const data = rows.map((row, index) => ({ name: names[index] as string, mean: row.auc.mean, low: row.auc.low, high: row.auc.high, allowed: row.attack.allowed_auc }));
      const low = Math.min(0.5, ...data.map((row) => row.low ?? row.mean));
      return plot("Area under the curve of every attack", {
        width, height: rows.length * 28 + 60, marginLeft: Math.min(Math.max(...names.map((name) => name.length)) * 6.4 + 14, width * 0.5),
        marginRight: 20, marginTop: 10, marginBottom: 38,
        x: { domain: [Math.max(0, low - 0.02), 1], label: "AUC", labelAnchor: "center", labelArrow: "none", ticks: width < 560 ? 4 : 8 },
        y: { domain: names, label: null, tickSize: 0, padding: 0.3 }, color: { type: "identity" },
        marks: [
          Plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.ruleX([0.5], { stroke: "var(--muted)", strokeDasharray: "4,4" }),
          Plot.link(data.filter((row) => row.low !== null), { x1: "low", x2: "high", y1: "name", y2: "name", stroke: "var(--c1)", strokeWidth: 3, strokeOpacity: 0.45 }),
          Plot.tickX(data.filter((row) => row.allowed !== null), { x: "allowed", y: "name", stroke: "var(--ink)", strokeWidth: 3 }),
          Plot.dot(data, { x: "mean", y: "name", r: 5, fill: "var(--c1)" }),
        ],
      });
    },
  });
  return [el("h3", {}, "Attacks"), chart.element, table("Attacks of this sweep", [
    { title: "Attack", value: (r) => r.what },
    { title: "Method", value: (r) => r.attack.method },
    { title: "ε", value: (r) => r.attack.epsilon, shown: (r) => (r.attack.epsilon === null ? "no noise" : trimmed(r.attack.epsilon)), numeric: true },
    { title: "AUC", value: (r) => r.auc.mean, shown: (r) => range(r.auc), numeric: true },
    { title: "AUC that (ε, δ) allows", value: (r) => r.attack.allowed_auc, shown: (r) => (r.attack.allowed_auc === null ? "not bounded" : r.attack.allowed_auc.toFixed(3)), numeric: true },
    { title: "Found at 1% false positives", value: (r) => r.tpr_at_1_percent.mean, shown: (r) => range(r.tpr_at_1_percent), numeric: true },
  ], rows)];
}

export function auditSection(audit: Audit): HTMLElement {
  const rows = audit.rows;
  const chart = figure({
    title: "Claimed, and shown from below",
    note: `A lower bound holds with confidence ${audit.confidence}. A bound below its claim proves nothing; one above refutes it.`,
    chart: (width) => {
      const narrow = width < 560;
      const names = rows.map((row, index) => `${shortened(row.what, narrow ? 22 : 48)}${rows.findIndex((r) => r.what === row.what) === index ? "" : ` ${index + 1}`}`);
      const left = Math.max(...names.map((name) => name.length)) * 6.4 + 14;
      const data = rows.map((row, index) => ({ ...row, name: names[index] as string }));
      const claimed = data.filter((row) => row.claimed !== null);
      return plot("Claimed epsilon and lower bound, by row", {
        width, height: rows.length * 28 + 74, marginLeft: Math.min(left, width * 0.5), marginRight: 20, marginTop: 30, marginBottom: 38,
        x: { domain: [0, Math.max(...data.map((row) => Math.max(row.low, row.claimed ?? 0))) * 1.08], label: "ε", labelAnchor: "center", labelArrow: "none" },
        y: { domain: names, label: null, tickSize: 0, padding: 0.3 }, color: { type: "identity" },
        marks: [
          Plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.link(claimed, { x1: "low", x2: "claimed", y1: "name", y2: "name", stroke: "var(--muted)", strokeWidth: 2 }),
          Plot.tickX(claimed, { x: "claimed", y: "name", stroke: "var(--ink)", strokeWidth: 3 }),
          Plot.dot(data, { x: "low", y: "name", r: 5, fill: (d: { refuted: boolean }) => (d.refuted ? "var(--bad)" : "var(--c1)") }),
          Plot.text(["● at least    | claimed"], { frameAnchor: "top-left", dy: -20, text: ["● shown from below    ▏claimed"], fill: "var(--muted)" }),
        ],
      });
    },
  });
  return el("section", { class: "part", "data-part": "audit" },
    el("h2", {}, `Audit of ${audit.target}`),
    el("p", {}, audit.refuted ? "A claim is refuted: more leaks than was promised." : "Nothing was refuted."),
    chart.element,
    table("Audit", [
      { title: "What", value: (r) => r.what },
      { title: "ε claimed", value: (r) => r.claimed, shown: (r) => (r.claimed === null ? "nothing" : r.claimed.toFixed(3)), numeric: true },
      { title: "ε at least", value: (r) => r.low, shown: (r) => r.low.toFixed(3), numeric: true },
      { title: "δ", value: (r) => r.delta, shown: (r) => small(r.delta), numeric: true },
      { title: "Trials a side", value: (r) => r.trials, numeric: true },
      { title: "Refuted", value: (r) => (r.refuted ? "yes" : "no") },
    ], rows));
}
