/** An element, or the text between elements with its entities decoded. */
export type HtmlNode = string | HtmlElement;

export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
}

const empty: ReadonlySet<string> = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"]);
/** Elements whose content is not text. */
const raw: ReadonlySet<string> = new Set(["script", "style", "template", "noscript", "svg", "math"]);
/** Elements that end an open one of the same row. */
const siblings: Readonly<Record<string, readonly string[]>> = {
  li: ["li"],
  p: ["p"],
  tr: ["tr", "td", "th"],
  td: ["td", "th"],
  th: ["td", "th"],
  dt: ["dt", "dd"],
  dd: ["dt", "dd"],
};
const maxDepth = 200;

/** No part runs over the next "<", and names are whole, so that the time grows with the length only. */
const token = /<!--[\s\S]*?(?:-->|$)|<[!?][^<>]*>|<(\/?)([a-z][\w:-]*)(?![\w:-])((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;
const attribute = /([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g;

/** A forgiving parser for HTML as documents have it: whatever does not fit is left out or closed. */
export function parseHtml(html: string): HtmlElement {
  const root: HtmlElement = { name: "#root", attributes: {}, children: [] };
  const open: HtmlElement[] = [root];
  const top = (): HtmlElement => open.at(-1) ?? root;
  let end = 0;
  token.lastIndex = 0;
  for (let match = token.exec(html); match !== null; match = token.exec(html)) {
    if (match.index > end) top().children.push(decodeEntities(html.slice(end, match.index)));
    end = token.lastIndex;
    const name = match[2]?.toLowerCase();
    if (name === undefined) continue;
    if (match[1] === "/") {
      const at = open.findLastIndex((element) => element.name === name);
      if (at > 0) open.length = at;
      continue;
    }
    if (siblings[name]?.includes(top().name) === true) open.pop();
    const element: HtmlElement = { name, attributes: attributesOf(match[3] ?? ""), children: [] };
    if (raw.has(name)) {
      const close = new RegExp(`</${name}`, "gi");
      close.lastIndex = end;
      end = close.exec(html)?.index ?? html.length;
      token.lastIndex = end;
      continue;
    }
    top().children.push(element);
    if (!empty.has(name) && open.length < maxDepth) open.push(element);
  }
  if (end < html.length) top().children.push(decodeEntities(html.slice(end)));
  return root;
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(attribute)].map(
    ([, name = "", ...values]) =>
      [name.toLowerCase(), decodeEntities(values.find((one) => one !== undefined) ?? "")] as const,
  );
  return Object.fromEntries(found);
}

// oxfmt-ignore
const entities: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", shy: "", hellip: "…", mdash: "—", ndash: "–",
  lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bull: "•", copy: "©", reg: "®", trade: "™", euro: "€", deg: "°",
  times: "×", middot: "·", para: "¶", sect: "§", laquo: "«", raquo: "»", auml: "ä", ouml: "ö", uuml: "ü", szlig: "ß",
};

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name: string) => {
    if (name !== undefined) return entities[name] ?? entities[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\ufffd";
  });
}
