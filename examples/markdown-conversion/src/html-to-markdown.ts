import { tableOf } from "./csv-to-markdown.ts";
import { parseHtml, type HtmlElement, type HtmlNode } from "./parse-html.ts";

/** Elements that stand in a line of text; any other one is a block of its own. */
// oxfmt-ignore
const inline: ReadonlySet<string> = new Set([
  "a", "abbr", "b", "br", "cite", "code", "del", "em", "i", "img", "ins", "kbd", "label", "mark", "q", "s", "samp",
  "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
]);

/**
 * Stands for a line break until white space is put in order; a private character, which no document means anything by.
 */
const lineBreak = "\ue000";

/** An HTML document as Markdown: headings, paragraphs, lists, links, images, quotes, code and tables. */
export function htmlToMarkdown(html: string): string {
  const text = blocks(parseHtml(html).children).join("\n\n");
  return text === "" ? "" : `${text}\n`;
}

function blocks(nodes: readonly HtmlNode[]): string[] {
  const found: string[] = [];
  let line: HtmlNode[] = [];
  const endLine = (): void => {
    const text = flow(line);
    if (text !== "") found.push(text);
    line = [];
  };
  for (const node of nodes) {
    if (typeof node === "string" || inline.has(node.name)) line.push(node);
    else {
      endLine();
      for (const text of block(node)) found.push(text);
    }
  }
  endLine();
  return found;
}

function block(element: HtmlElement): string[] {
  const { name, children } = element;
  switch (name) {
    case "head":
      return [];
    case "hr":
      return ["---"];
    case "pre":
      return [fence(plain(element))];
    case "blockquote":
      return [prefix(blocks(children).join("\n\n"), "> ", "> ")];
    case "ul":
      return [listItems(element, () => "- ")];
    case "ol":
      return [listItems(element, (index) => `${index + Number(element.attributes["start"] ?? 1)}. `)];
    case "table":
      return [tableOf(rowsOf(element)).trimEnd()].filter((text) => text !== "");
    default: {
      const level = /^h([1-6])$/.exec(name)?.[1];
      if (level === undefined) return blocks(children);
      const text = flow(children);
      return text === "" ? [] : [`${"#".repeat(Number(level))} ${text}`];
    }
  }
}

/** Text of a line: white space counts once, and not at its ends. */
function flow(nodes: readonly HtmlNode[]): string {
  return nodes
    .map(inlineText)
    .join("")
    .replaceAll(/[ \t\r\n]+/g, " ")
    .replaceAll(/ ?\ue000 ?/g, "\\\n")
    .replaceAll(/^(?:\\\n| )+|(?:\\\n| )+$/g, "");
}

function inlineText(node: HtmlNode): string {
  if (typeof node === "string") return node.replaceAll(lineBreak, "").replaceAll(/[\\`*_[\]]/g, "\\$&");
  const { name, attributes, children } = node;
  const text = (): string => children.map(inlineText).join("");
  switch (name) {
    case "br":
      return lineBreak;
    case "img":
      return `![${attributes["alt"] ?? ""}](${attributes["src"] ?? ""})`;
    case "a":
      return attributes["href"] === undefined ? text() : `[${flow(children)}](${attributes["href"]})`;
    case "strong":
    case "b":
      return around("**", flow(children));
    case "em":
    case "i":
      return around("*", flow(children));
    case "code":
    case "kbd":
    case "samp":
      return codeSpan(plain(node));
    default:
      return text();
  }
}

function around(mark: string, text: string): string {
  return text === "" ? "" : mark + text + mark;
}

/** The fence is longer than any row of backticks inside. */
function codeSpan(text: string): string {
  const ticks = "`".repeat(longestRow(text) + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return ticks + space + text.replaceAll(/\s+/g, " ") + space + ticks;
}

function fence(text: string): string {
  const ticks = "`".repeat(Math.max(3, longestRow(text) + 1));
  return `${ticks}\n${text.replace(/^\n/, "").trimEnd()}\n${ticks}`;
}

function longestRow(text: string): number {
  let most = 0;
  for (const [row] of text.matchAll(/`+/g)) most = Math.max(most, row.length);
  return most;
}

function listItems({ children }: HtmlElement, marker: (index: number) => string): string {
  const items = children.filter((node) => typeof node !== "string" && node.name === "li") as HtmlElement[];
  return items
    .map((item, index) => {
      const mark = marker(index);
      return prefix(blocks(item.children).join("\n"), mark, " ".repeat(mark.length));
    })
    .join("\n");
}

function rowsOf(element: HtmlElement): string[][] {
  const rows: string[][] = [];
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (child.name !== "tr") for (const row of rowsOf(child)) rows.push(row);
    else rows.push(child.children.filter((cell) => typeof cell !== "string").map((cell) => flow(cell.children)));
  }
  return rows;
}

function plain(node: HtmlNode): string {
  return typeof node === "string" ? node : node.name === "br" ? "\n" : node.children.map(plain).join("");
}

function prefix(text: string, first: string, rest: string): string {
  return text
    .split("\n")
    .map((line, index) => ((index === 0 ? first : rest) + line).trimEnd())
    .join("\n");
}
