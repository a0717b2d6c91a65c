// Figures: a heading, a chart that follows the width of the page, and a line on how to read it.
import * as Plot from "@observablehq/plot";
import { el, type Child } from "./dom";

export type Chart = (width: number) => Element;

interface Drawn {
  place: HTMLElement;
  chart: Chart;
  width: number;
}

const drawn: Drawn[] = [];

function draw(each: Drawn, width: number): void {
  if (width < 40 || width === each.width) return;
  each.width = width;
  each.place.replaceChildren(each.chart(width));
}

// Draws every chart whose place has changed its width.
export function drawAll(): void {
  for (const each of drawn) if (each.place.isConnected) draw(each, Math.floor(each.place.clientWidth));
}

// `redraw` draws the chart again after what it shows has changed.
export function figure(options: { title: string; note?: Child; holder?: boolean; controls?: Child[]; chart: Chart }): {
  element: HTMLElement;
  redraw: () => void;
} {
  const place = el("div", { class: "chart" });
  const each: Drawn = { place, chart: options.chart, width: 0 };
  drawn.push(each);
  const element = el("figure", {},
    el("figcaption", {}, el("h4", {}, options.title, options.holder && holderTag())),
    options.controls?.length ? el("div", { class: "controls" }, ...options.controls) : null,
    place,
    options.note ? el("p", { class: "note" }, options.note) : null);
  return {
    element,
    redraw: () => {
      each.width = 0;
      draw(each, place.clientWidth);
    },
  };
}

export const holderTag = (): HTMLElement =>
  el("span", { class: "tag holder", title: "For the data holder alone: it reads private records" }, "holder’s");

// What every chart has in common.
export function plot(label: string, options: Plot.PlotOptions): Element {
  const chart = Plot.plot({
    style: { fontFamily: "inherit", fontSize: "12px", background: "transparent", overflow: "visible" },
    ...options,
  });
  // The chart is one picture with one name; names of its groups are for tests.
  for (const group of chart.querySelectorAll("[aria-label]")) {
    group.setAttribute("data-marks", group.getAttribute("aria-label") ?? "");
    group.removeAttribute("aria-label");
  }
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", label);
  return chart;
}

const palette = 8;
// The color of the nth of several; beyond the palette colors come again, and labels tell.
export const color = (index: number): string => `var(--c${(index % palette) + 1})`;

// Moves labels apart, at least `gap` pixels, and keeps them between `top` and `bottom`.
export function spread(places: number[], gap: number, top: number, bottom: number): number[] {
  const order = places.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  let last = top - gap;
  for (const item of order) {
    item.y = Math.max(item.y, last + gap);
    last = item.y;
  }
  let next = bottom + gap;
  for (const item of [...order].reverse()) {
    item.y = Math.min(item.y, next - gap);
    next = item.y;
  }
  const moved = new Array<number>(places.length);
  for (const item of order) moved[item.index] = item.y;
  return moved;
}
