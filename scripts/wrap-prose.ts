const width = 120;

/** Wraps the paragraphs of a Markdown text that have a longer line than 120 characters. */
export function wrapProse(markdown: string): string {
  let fenced = false;
  const blocks: string[][] = [];
  let open: string[] | undefined;
  for (const line of markdown.split("\n")) {
    const isFence = /^\s*```/.test(line);
    const isProse = !fenced && !isFence && !/^\s*(?:$|\||#|<!--|```)/.test(line);
    if (isFence) fenced = !fenced;
    const begins = /^\s*(?:[-*]|\d+\.) /.test(line);
    if (isProse && open !== undefined && !begins) open.push(line);
    else blocks.push(isProse ? (open = [line]) : ((open = undefined), [line]));
  }
  return blocks.map((block) => (isLong(block) ? wrap(block) : block).join("\n")).join("\n");
}

/** Lines of prose with more than 120 characters; tables and code are exempt. */
export function longLines(markdown: string): readonly string[] {
  const prose = markdown.replace(/^(\s*)```.*?^\1```/gms, "");
  return prose.split("\n").filter((line) => line.length > width && !line.startsWith("|") && line.trim().includes(" "));
}

function isLong(block: readonly string[]): boolean {
  return block.some((line) => line.length > width) && !block[0]?.startsWith("|");
}

function wrap([first = "", ...rest]: readonly string[]): readonly string[] {
  const [lead = ""] = /^\s*(?:(?:[-*]|\d+\.) )?/.exec(first) ?? [];
  const words = [first.slice(lead.length), ...rest].join(" ").trim().split(/\s+/);
  const lines = [""];
  for (const word of words) {
    const indent = lines.length === 1 ? lead : " ".repeat(lead.length);
    const last = lines.at(-1) ?? "";
    const next = last === "" ? indent + word : `${last} ${word}`;
    if (next.length <= width || last === "") lines[lines.length - 1] = next;
    else lines.push(" ".repeat(lead.length) + word);
  }
  return lines;
}
