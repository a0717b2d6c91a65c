// Elements from text. Nothing here parses markup: names and paths of strangers stay text.

export type Child = Node | string | null | undefined | false;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child) element.append(child);
  return element;
}

let made = 0;
// An id that no other element has.
export function fresh(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}

// A labeled choice; `changed` hears the number of what was chosen.
export function choice(label: string, options: string[], chosen: number, changed: (index: number) => void): HTMLElement {
  const id = fresh("choice");
  const select = el("select", { id });
  options.forEach((text, index) => {
    const option = el("option", { value: String(index) }, text);
    option.selected = index === chosen;
    select.append(option);
  });
  select.addEventListener("change", () => changed(Number(select.value)));
  return el("div", { class: "choice" }, el("label", { for: id }, label), select);
}

// A file for the reader to keep, made here.
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// Cells that a spreadsheet would run as a formula begin with a quote.
export function csv(rows: (string | number | null)[][]): string {
  const cell = (value: string | number | null): string => {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
