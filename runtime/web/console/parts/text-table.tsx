import type { ComponentChildren, VNode } from "preact";

interface TextTableProps {
  readonly lines: readonly string[];
  /** Shows the marks of a cell. */
  readonly inline: (text: string) => ComponentChildren;
}

/** Shows a table of a Markdown text. */
export function TextTable({ lines: [head = "", below = "", ...rows], inline }: TextTableProps): VNode {
  const kinds = cellsOf(below).map((cell) => (/^-+:$/.test(cell) ? "number" : undefined));
  return (
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {cellsOf(head).map((cell, index) => (
              <th class={kinds[index]}>{inline(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {cellsOf(row).map((cell, index) => (
                <td class={kinds[index]}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The cells of a row, which bars without a backslash divide. */
function cellsOf(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}
