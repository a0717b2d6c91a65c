// Puts the page together from the document that the program wrote into it.
import { attackSection, auditSection } from "./attack";
import { bookSection } from "./book";
import type { Report } from "./document";
import { el } from "./dom";
import { drawAll } from "./figure";
import { runSections } from "./run";
import { sweepSection } from "./sweep";

const themes = ["auto", "light", "dark"] as const;

// The reader's choice is kept where the browser allows that to a file.
function themeButton(): HTMLElement {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem("graphveil-theme");
  } catch {
    kept = null;
  }
  let at = Math.max(0, themes.findIndex((name) => name === kept));
  const button = el("button", { type: "button", class: "plain", id: "theme" });
  const show = (): void => {
    const name = themes[at] as string;
    if (name === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = name;
    button.textContent = `Theme: ${name}`;
  };
  button.addEventListener("click", () => {
    at = (at + 1) % themes.length;
    show();
    try {
      localStorage.setItem("graphveil-theme", themes[at] as string);
    } catch {
      // A choice that is not kept is made again.
    }
  });
  show();
  return button;
}

function reading(report: Report): HTMLElement {
  const terms: [string, string][] = [
    ["ε (epsilon)", "How much what is given out may depend on the thing that is hidden: the probability of whatever is concluded grows by a factor of at most e^ε. 0.1 is almost nothing learned, 1 is a good default, 8 is weak but still rules out certain memorization."],
    ["δ (delta)", "The probability that is left out of that promise: to be far below one in the number of people."],
    ["hides", "Which two graphs cannot be told apart. One edge, one node with every edge at it, or one node’s own record: promises of different kinds are not to be compared."],
  ];
  if (report.sweeps.length) {
    terms.push(["95% interval", "Of the mean over seeds, by Student’s t. It says how sure the mean is, not how far runs differ."]);
    terms.push(["paired", "Every method has the same split for a seed, so differences are taken seed by seed."]);
  }
  if (report.audience === "holder") {
    terms.push(["holder’s", "It reads private labels, edges or predictions. No guarantee covers it, and it must not leave, nor decide which run is released next."]);
  }
  return el("section", { class: "part" }, el("h2", {}, "How to read this"),
    el("dl", { class: "terms" }, ...terms.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])));
}

function start(): void {
  const source = document.getElementById("data")?.textContent ?? "";
  const report = JSON.parse(source) as Report;
  document.title = `${report.title}: graphveil report`;
  const page = document.getElementById("page") as HTMLElement;
  page.replaceChildren(
    el("header", {},
      el("div", { class: "top" }, el("p", { class: "eyebrow" }, "graphveil report"), themeButton()),
      el("h1", {}, report.title),
      el("p", { class: "meta" }, `Made ${report.made.slice(0, 16).replace("T", " ")} UTC by graphveil ${report.version} from ${
        report.sources.map((each) => `${each.path} (${each.kind})`).slice(0, 6).join(", ")}${report.sources.length > 6 ? ` and ${report.sources.length - 6} more` : ""}`)),
    report.audience === "holder"
      ? el("div", { class: "banner", role: "note" }, el("strong", {}, "For the data holder alone."),
          " This page shows what is the data holder’s to know, such as accuracies on private labels. It must not be published, unless all of the data are public anyway.")
      : el("div", { class: "banner public", role: "note" }, el("strong", {}, "May be published."),
          " This page shows only what the certificates of these runs let everybody see."),
    el("main", {},
      ...report.sweeps.map(sweepSection),
      ...runSections(report.runs),
      ...report.books.map(bookSection),
      ...report.attacks.map(attackSection),
      ...report.audits.map(auditSection),
      reading(report)),
    el("footer", {},
      el("p", {}, "What the numbers rest on is in docs/guarantees.md of graphveil. Charts are drawn with Observable Plot; its license and those of what it uses are in the source of this page.")));
  drawAll();
  let waiting = 0;
  new ResizeObserver(() => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(drawAll);
  }).observe(page);
  // On paper the page is narrower than most windows.
  const printing = (on: boolean): void => {
    document.documentElement.classList.toggle("printing", on);
    for (const each of document.querySelectorAll("details")) if (on) each.open = true;
    drawAll();
  };
  addEventListener("beforeprint", () => printing(true));
  addEventListener("afterprint", () => printing(false));
  for (const each of document.querySelectorAll("details")) each.addEventListener("toggle", drawAll);
  // After the charts of this turn are in the page.
  requestAnimationFrame(() => {
    performance.mark("ready");
    document.documentElement.dataset["ready"] = "yes";
  });
}

start();
