// Numbers and names as people read them.
import type { Interval } from "./document";

export const percent = (value: number): string => `${(100 * value).toFixed(1)}%`;

export function percentRange(interval: Interval | null): string {
  if (interval === null) return "not measured";
  if (interval.low === null || interval.high === null) return percent(interval.mean);
  return `${(100 * interval.mean).toFixed(1)} ± ${(100 * (interval.high - interval.mean)).toFixed(1)}%`;
}

const superscripts: Record<string, string> = {
  "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
};

// 0.0001 is 10⁻⁴, 3e-7 is 3·10⁻⁷; what is not small stays as it is.
export function small(value: number): string {
  if (value === 0) return "0";
  if (value >= 0.01) return trimmed(value);
  const [digits, power] = value.toExponential(2).split("e") as [string, string];
  const raised = [...String(Number(power))].map((c) => superscripts[c] ?? c).join("");
  const mantissa = String(Number(digits));
  return mantissa === "1" ? `10${raised}` : `${mantissa}·10${raised}`;
}

// Four digits, without zeros at the end.
export const trimmed = (value: number): string => String(Number(value.toPrecision(4)));

// Upper bounds never read lower than they are.
export function atMost(value: number): string {
  const scale = 10 ** (3 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-300))));
  return String(Number((Math.ceil(value * scale - 1e-9) / scale).toPrecision(4)));
}

// What is left never reads higher than it is.
export function atLeast(value: number): string {
  const scale = 10 ** (3 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-300))));
  return String(Number((Math.floor(value * scale + 1e-9) / scale).toPrecision(4)));
}

const hidden: Record<string, string> = {
  edge: "one directed edge",
  "undirected-edge": "one undirected edge",
  node: "one node with every edge at it",
  record: "one node's own record",
};

// What a relation hides, with the degree that it is quoted for.
export function hides(relation: string | null, degree: number | null): string {
  if (relation === null) return "nothing";
  const text = hidden[relation] ?? relation;
  return degree === null ? text : `${text}, for nodes with up to ${degree} outgoing edges`;
}

export const scoreName = (score: string): string =>
  ({ accuracy: "test accuracy", roc_auc: "test ROC AUC", auc: "attack AUC" })[score] ?? score.replaceAll("_", " ");

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;

export const unique = <T>(items: T[]): T[] => [...new Set(items)];
