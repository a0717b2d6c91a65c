// Tables whose columns sort.
import { el } from "./dom";

export type Cell = string | number | null;

export interface Column<Row> {
  title: string;
  value: (row: Row) => Cell; // what is sorted by
  shown?: (row: Row) => string | Node; // what is seen, where that differs
  numeric?: boolean;
}

function compare(a: Cell, b: Cell): number {
  if (a === b) return 0;
  if (a === null) return 1; // what is not there comes last
  if (b === null) return -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// With `sorts` false the order of the rows is part of what the table says.
export function table<Row>(caption: string, columns: Column<Row>[], rows: Row[], sorts = true): HTMLElement {
  const body = el("tbody");
  const head = el("tr");
  let by = -1;
  let falling = false;
  const fill = (): void => {
    const column = columns[by];
    const sorted = rows.map((row, index) => ({ row, index }));
    if (column) {
      sorted.sort((a, b) => {
        const left = column.value(a.row), right = column.value(b.row);
        const order = compare(left, right);
        return (falling && left !== null && right !== null ? -order : order) || a.index - b.index;
      });
    }
    body.replaceChildren(
      ...sorted.map(({ row }) =>
        el("tr", {}, ...columns.map((each) => {
          const value = each.shown ? each.shown(row) : String(each.value(row) ?? "");
          return el("td", each.numeric ? { class: "number" } : {}, value);
        })),
      ),
    );
  };
  columns.forEach((column, index) => {
    const cell = el("th", { scope: "col", ...(column.numeric ? { class: "number" } : {}) });
    if (sorts) {
      const button = el("button", { type: "button", class: "sort" }, column.title);
      button.addEventListener("click", () => {
        falling = by === index ? !falling : column.numeric === true;
        by = index;
        [...head.children].forEach((other, i) => {
          if (i === index) other.setAttribute("aria-sort", falling ? "descending" : "ascending");
          else other.removeAttribute("aria-sort");
        });
        fill();
      });
      cell.append(button);
    } else {
      cell.append(column.title);
    }
    head.append(cell);
  });
  fill();
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", columns.length > 6 ? { class: "wide" } : {}, el("caption", { class: "unseen" }, caption), el("thead", {}, head), body));
}
