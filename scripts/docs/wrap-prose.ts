const width = 120;

/** A paragraph or list item, or one line of anything else. */
interface Block {
  readonly isProse: boolean;
  readonly lines: string[];
}

/** Wraps the paragraphs of a Markdown text that have a longer line than 120 characters. */
export function wrapProse(markdown: string): string {
  let fenced = false;
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of markdown.split("\n")) {
    const isFence = /^\s*```/.test(line);
    const isProse = !fenced && !isFence && !/^\s*(?:$|\||#|!\[|<!--|```)/.test(line);
    if (isFence) fenced = !fenced;
    const begins = /^\s*(?:[-*]|\d+\.) /.test(line);
    if (isProse && open?.isProse === true && !begins) open.lines.push(line);
    else blocks.push((open = { isProse, lines: [line] }));
  }
  return blocks.map((block) => (isLong(block) ? wrap(block.lines) : block.lines).join("\n")).join("\n");
}

/** Lines of prose with more than 120 characters; tables, pictures and code are exempt. */
export function longLines(markdown: string): readonly string[] {
  const prose = markdown.replace(/^( *)```.*?^\1```/gms, "");
  return prose
    .split("\n")
    .filter((line) => line.length > width && !/^(?:\||!\[)/.test(line) && line.trim().includes(" "));
}

function isLong({ isProse, lines }: Block): boolean {
  return isProse && lines.some((line) => line.length > width);
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
