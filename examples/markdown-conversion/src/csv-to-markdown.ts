/** A CSV file (RFC 4180) as a Markdown table; its first row is the head. */
export function csvToMarkdown(text: string): string {
  return tableOf(parseCsv(text));
}

/** Rows as a Markdown table, as wide as the widest row. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0) return "";
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => cellOf(cells[index] ?? "")).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), `|${" --- |".repeat(width)}`, ...body.map(line), ""].join("\n");
}

/** A cell is one line, and a bar would end it. */
function cellOf(text: string): string {
  return text
    .trim()
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ");
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|\r|$)/y;
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const [, cell = "", end = ""] = field.exec(text) ?? [];
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    // A quote in the middle of a field is not valid CSV; what comes before it counts.
    if (field.lastIndex === 0) break;
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}
