// A budget book: what is spent, reserved and left, and how it came to that.
import * as Plot from "@observablehq/plot";
import type { Book } from "./document";
import { el } from "./dom";
import { figure, plot } from "./figure";
import { table } from "./table";
import { atLeast, atMost, hides, small, trimmed } from "./words";

type Release = Book["releases"][number];

function gauge(book: Book): HTMLElement {
  return figure({
    title: "The budget",
    note: "Reserved is planned, or may have been drawn by a run that did not end: it counts.",
    chart: (width) => {
      const spent = book.spent ?? book.cap, all = book.all ?? book.cap;
      const parts = [
        { name: "spent", from: 0, to: Math.min(spent, book.cap), fill: "var(--c1)" },
        { name: "reserved", from: Math.min(spent, book.cap), to: Math.min(all, book.cap), fill: "var(--c6)" },
        { name: "left", from: Math.min(all, book.cap), to: book.cap, fill: "var(--grid)" },
      ].filter((part) => part.to - part.from > 0);
      return plot("Epsilon spent, reserved and left of the budget", {
        width, height: 104, marginLeft: 8, marginRight: 16, marginTop: 30, marginBottom: 36,
        x: { domain: [0, book.cap], label: "ε", labelAnchor: "center", labelArrow: "none", ticks: 6 },
        y: { axis: null }, color: { type: "identity" },
        marks: [
          Plot.barX(parts, { x1: "from", x2: "to", fill: "fill" }),
          Plot.text(parts, { x: (d) => (d.from + d.to) / 2, frameAnchor: "top", dy: -16, fill: "currentColor", fontWeight: 600,
            text: (d) => ((d.to - d.from) / book.cap > 0.1 ? `${d.name} ${d.name === "left" ? atLeast(d.to - d.from) : atMost(d.to - d.from)}` : "") }),
        ],
      });
    },
  }).element;
}

function growth(book: Book): HTMLElement | null {
  const rows = book.releases.map((release, index) => ({ ...release, number: index + 1 })).filter((row) => row.total !== null);
  if (rows.length < 2) return null;
  return figure({
    title: "What all releases so far cost together",
    note: "Releases compose to less than the sum of what each costs by itself (pale).",
    chart: (width) => {
      let sum = 0;
      const sums = book.releases.map((release, index) => ({ number: index + 1, sum: (sum += release.stage === "freed" ? 0 : (release.epsilon ?? 0)) }));
      const top = Math.max(book.cap, ...rows.map((row) => row.total as number)) * 1.06;
      return plot("Epsilon of all releases together, after each release", {
        width, height: 260, marginLeft: 40, marginRight: 20, marginTop: 20, marginBottom: 40,
        x: { domain: [1, Math.max(2, book.releases.length)], label: "release", labelAnchor: "center", labelArrow: "none", ticks: book.releases.length > 12 ? 8 : book.releases.map((_, index) => index + 1), tickFormat: "d" },
        y: { domain: [0, top], label: null, ticks: 5 },
        marks: [
          Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.line(sums.filter((row) => row.sum <= top), { x: "number", y: "sum", stroke: "var(--muted)", strokeOpacity: 0.5, curve: "step-after" }),
          Plot.line(rows, { x: "number", y: "total", stroke: "var(--c1)", strokeWidth: 2, curve: "step-after" }),
          Plot.dot(rows, { x: "number", y: "total", fill: "var(--c1)", r: 3.5, title: (d: Release) => d.what }),
          Plot.ruleY([book.cap], { stroke: "var(--c2)", strokeWidth: 2 }),
          Plot.text([book.cap], { y: [book.cap], frameAnchor: "left", dx: 4, dy: -8, textAnchor: "start", text: [`allowed ${trimmed(book.cap)}`], fill: "var(--c2)", fontWeight: 600 }),
        ],
      });
    },
  }).element;
}

export function bookSection(book: Book): HTMLElement {
  const facts = [
    ["allowed", `ε = ${trimmed(book.cap)} at δ = ${small(book.delta)}`],
    ["hides", hides(book.relation, book.degree)],
    ["opened", book.opened.slice(0, 10)],
  ];
  return el("section", { class: "part", "data-part": "book" },
    el("h2", {}, `Budget${book.name ? ` of ${book.name}` : ""}`),
    el("div", { class: "guarantee" },
      el("div", { class: `card ${book.all === null || book.all > book.cap ? "bad" : "good"}` },
        el("p", { class: "status" }, "Left"),
        el("p", { class: "big" }, el("span", { class: "symbol" }, "ε "), book.all === null ? "none" : atLeast(book.left), el("small", {}, ` of ${trimmed(book.cap)}`)),
        el("dl", {}, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name ?? ""), el("dd", {}, value ?? ""))))),
      el("div", { class: "words" },
        el("p", { class: "lead" }, book.all === null
          ? "For what was released so far no finite ε holds under the book’s relation."
          : `All that train and predict gave out under this book is (${atMost(book.all)}, ${small(book.delta)})-differentially private together.`),
        el("p", {}, "This holds for runs that nothing seen of the data has decided on: neither what was released before, nor accuracies that only the holder knows."),
        book.entity > 1 ? el("p", {}, `It speaks of people who are at most ${book.entity} nodes each, which was declared and not checked.`) : null,
        book.disjoint ? el("p", {}, `${book.disjoint} of its graphs were declared to share nobody with the others, which was not checked.`) : null,
        book.looks.length ? el("p", {}, `The holder looked ${book.looks.length} times without any guarantee; nothing of that may leave or decide.`) : null)),
    el("div", { class: "panels" }, gauge(book), growth(book)),
    el("h3", {}, "Releases"),
    book.releases.length
      ? table("Releases", [
          { title: "No.", value: (r) => r.id, numeric: true },
          { title: "When", value: (r) => r.when },
          { title: "What", value: (r) => r.what },
          { title: "State", value: (r) => r.stage },
          { title: "Relation", value: (r) => r.relation },
          { title: "ε by itself", value: (r) => r.epsilon, shown: (r) => r.epsilon_text, numeric: true },
        ], book.releases)
      : el("p", {}, "Nothing was released yet."),
    el("p", { class: "note" }, `Entry ${book.entries} of the book, hash `, el("code", {}, book.hash)));
}
