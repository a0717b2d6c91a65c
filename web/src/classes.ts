// Charts of classes: recall by column, and confusion.
import * as Plot from "@observablehq/plot";
import { plot } from "./figure";
import { shortened } from "./words";

export interface RecallColumn {
  name: string;
  classes: string[];
  support: number[];
  recall: number[];
}

// No cell is so dark that the ink of the page could not be read on it, in either theme.
const shade = (share: number): string => `color-mix(in oklab, var(--shade) ${Math.round(4 + 50 * share)}%, var(--card))`;

// Names of classes on an axis: by number where two would look the same.
function axisNames(classes: string[], most: number): string[] {
  const short = classes.map((name) => shortened(name, most));
  return short.map((name, index) => (short.indexOf(name) === index ? name : `${shortened(name, most - 3)} ${index}`));
}

export function recallChart(width: number, columns: RecallColumn[]): Element {
  const first = columns[0];
  if (!first) return document.createElement("p");
  const most = width < 480 ? 12 : 22;
  const names = axisNames(first.classes, most);
  const order = names.map((name, index) => ({ name, support: first.support[index] ?? 0 }))
    .sort((a, b) => b.support - a.support).map((each) => each.name);
  const titles = axisNames(columns.map((column) => column.name), width < 480 ? 9 : 14);
  const cells = columns.flatMap((column, c) => names.map((name, k) => ({
    column: titles[c] as string, name, share: column.recall[k] ?? 0,
    text: `${Math.round(100 * (column.recall[k] ?? 0))}`,
  })));
  const left = Math.max(...names.map((name) => name.length)) * 6.6 + 14;
  const steep = columns.length * 58 > width - left;
  return plot("Recall in percent by class and epsilon", {
    width, height: order.length * 30 + (steep ? 96 : 44), marginLeft: left, marginTop: steep ? 90 : 30, marginBottom: 8, marginRight: 4,
    x: { domain: titles, axis: "top", label: null, tickSize: 0, padding: 0.04, ...(steep ? { tickRotate: -55 } : {}) },
    y: { domain: order, label: null, tickSize: 0, padding: 0.06 },
    color: { type: "identity" },
    marks: [
      Plot.cell(cells, { x: "column", y: "name", fill: (d: { share: number }) => shade(d.share) }),
      Plot.text(cells, { x: "column", y: "name", text: "text", fill: "currentColor" }),
    ],
  });
}

export function confusionChart(width: number, classes: string[], counts: number[][]): Element {
  const names = axisNames(classes.length ? classes : counts.map((_, k) => String(k)), width < 480 ? 10 : 18);
  const cells = counts.flatMap((row, i) => {
    const sum = Math.max(1, row.reduce((a, b) => a + b, 0));
    return row.map((count, j) => ({ actual: names[i] as string, predicted: names[j] as string, count, share: count / sum }));
  });
  const left = Math.max(...names.map((name) => name.length)) * 6.6 + 14;
  const cell = Math.min(46, (width - left - 8) / names.length);
  const longest = Math.max(...names.map((name) => name.length));
  const steep = longest * 7 > cell;
  const top = steep ? longest * 5.4 + 22 : 26;
  const room = cell >= 24; // for numbers
  return plot("Confusion matrix: true classes by predicted classes", {
    width: Math.min(width, left + cell * names.length + 26), height: cell * names.length + top + 6,
    marginLeft: left, marginTop: top, marginBottom: 6, marginRight: 26,
    x: { domain: names, axis: "top", label: null, tickSize: 0, ...(steep ? { tickRotate: -55 } : {}), padding: 0.04 },
    y: { domain: names, label: null, tickSize: 0, padding: 0.04 },
    color: { type: "identity" },
    marks: [
      Plot.cell(cells, { x: "predicted", y: "actual", fill: (d: { share: number }) => shade(d.share),
        title: (d: { actual: string; predicted: string; count: number }) => `${d.actual} as ${d.predicted}: ${d.count}` }),
      ...(room ? [Plot.text(cells, { x: "predicted", y: "actual", text: (d: { count: number }) => (d.count ? String(d.count) : ""),
        fill: "currentColor", fontSize: cell < 32 ? 10 : 12 })] : []),
    ],
  });
}
