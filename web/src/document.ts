// The document that the program puts into the page: src/graphveil/report/document.h.

export interface Interval {
  mean: number;
  low: number | null;
  high: number | null;
}

export interface Group {
  graph: string;
  series: string;
  method: string;
  relation: string | null;
  degree: number | null;
  epsilon: number | null;
  delta: number | null;
  accounting: string;
  proved: boolean;
  edges: boolean;
  noise: boolean;
  runs: number;
  failed: number;
  score: Interval | null;
  macro_f1: Interval | null;
  majority: number | null;
  beats_majority: boolean | null;
  seconds: number | null;
  standing: string;
  classes: string[];
  recall: number[];
  support: number[];
  confusion: number[][];
}

export interface Failure {
  graph: string;
  series: string;
  epsilon: number | null;
  seed: number;
  command: string;
  error: string;
}

export interface Sweep {
  name: string;
  path: string;
  score: string;
  unfinished: boolean;
  releasable: boolean;
  groups: Group[];
  runs: [number, number, number | null, number | null, number | null][];
  attacks: SweptAttack[];
  failures: Failure[];
}

export interface Statement {
  audience: string;
  what: string;
  relation: string;
  degree: number | null;
  epsilon: number | null;
  epsilon_text: string;
  delta: number;
}

export interface Mechanism {
  label: string;
  mechanism: string;
  sampling: string;
  count: number;
  sensitivity: number;
  norm: string;
  noise: number;
  epsilon: number | null;
  epsilon_text: string;
}

export interface NodeMap {
  nodes: number;
  classes: number;
  width: number;
  height: number;
  x: number[];
  y: number[];
  predicted: number[];
}

export interface Scores {
  repeats: Record<string, number>[];
  classes: { name: string; nodes: number; recall: number; precision: number }[];
  confusion?: number[][];
  warning: string | null;
}

export interface Run {
  name: string;
  path: string;
  method: string;
  created: string;
  version: string;
  holds: boolean;
  releasable: boolean;
  relation: string;
  neighbors: string;
  accounting: string;
  words: string[];
  not_releasable: string[];
  unchecked: string[];
  epsilon: number | null;
  epsilon_text: string | null;
  delta: number;
  plainly: string | null;
  statements: Statement[];
  mechanisms: Mechanism[];
  epsilon_at: { delta: number; epsilon: number | null }[];
  config: [string, string][];
  public: Record<string, number>;
  fingerprints: Record<string, string>;
  totals: { what: string; covers: string; epsilon: number | null; epsilon_text: string; delta: number }[];
  scores: Scores | null;
  curves: { name: string; pass: string; points: [number, number][] }[];
  class_names: string[];
  map_audience: string;
  map: NodeMap | null;
}

export interface Book {
  name: string;
  path: string;
  id: string;
  opened: string;
  relation: string;
  neighbors: string;
  degree: number | null;
  entity: number;
  cap: number;
  delta: number;
  spent: number | null;
  all: number | null;
  left: number;
  words: string;
  disjoint: number;
  looks: string[];
  entries: number;
  hash: string;
  releases: {
    id: number;
    when: string;
    what: string;
    stage: string;
    relation: string;
    degree: number | null;
    epsilon: number | null;
    epsilon_text: string;
    total: number | null;
  }[];
}

export interface Attack {
  attack: string;
  method: string;
  epsilon: number | null;
  delta: number | null;
  why_no_bound: string;
  bound: [number, number][];
  allowed_auc: number | null;
  curves: {
    name: string;
    auc: Interval;
    tpr_at_1_percent: Interval;
    repeats: number;
    points: ([number, number] | [number, number, number, number])[];
  }[];
}

// A run of a sweep: areas without their curves.
export interface SweptAttack {
  row: string;
  graph: string;
  attack: string;
  method: string;
  epsilon: number | null;
  allowed_auc: number | null;
  curves: { name: string; auc: Interval; tpr_at_1_percent: Interval }[];
}

export interface Audit {
  target: string;
  level: string;
  accounting: string;
  confidence: number;
  refuted: boolean;
  rows: { what: string; claimed: number | null; low: number; delta: number; refuted: boolean; trials: number }[];
}

export interface Report {
  format: string;
  version: string;
  made: string;
  title: string;
  audience: "holder" | "public";
  sources: { path: string; kind: string }[];
  runs: Run[];
  sweeps: Sweep[];
  books: Book[];
  attacks: Attack[];
  audits: Audit[];
}
