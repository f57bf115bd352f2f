import type { IncomingHttpHeaders } from "node:http";

/** The names that usual clients and proxies send with a call. */
const names: readonly string[] = [
  ...["Host", "Connection", "Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Origin", "Referer"],
  ...["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding", "Expect", "Authorization"],
  ...["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"],
  ...["Job-Id", "Prefer", "Timeout", "Idempotency-Key", "Traceparent", "Tracestate", "Cache-Control"],
  ...["Sec-Fetch-Mode", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "X-Request-ID"],
];

/** The place of a name, in the spellings that clients use. */
const places: ReadonlyMap<string, number> = new Map(
  names.flatMap((name, place) => [name, name.toLowerCase(), title(name)].map((spelling) => [spelling, place] as const)),
);

/** Headers by name, without an object of their own: each member looks at its place in the list. */
class HeaderView {
  readonly #values: readonly (string | undefined)[];

  constructor(values: readonly (string | undefined)[]) {
    this.#values = values;
  }

  static {
    for (const [place, name] of names.entries()) {
      Object.defineProperty(this.prototype, name.toLowerCase(), {
        get(this: HeaderView): string | undefined {
          return this.#values[place];
        },
      });
    }
  }
}

/**
 * What the headers of a request say, at a tenth of what it takes to make Node's object of them. Undefined when there is a
 * name that is rare, in an odd spelling or there twice: Node's own rules count for those.
 *
 * @param raw Names and values in turn.
 * @returns Members by lower-case name, as of Node's object; it has no other members, and none of them can be listed.
 */
export function viewHeaders(raw: readonly string[]): IncomingHttpHeaders | undefined {
  const values: (string | undefined)[] = [...nothing];
  for (let at = 0; at < raw.length; at += 2) {
    const place = places.get(raw[at] ?? "");
    if (place === undefined || values[place] !== undefined) return undefined;
    values[place] = raw[at + 1];
  }
  return new HeaderView(values) as object as IncomingHttpHeaders;
}

const nothing: readonly undefined[] = names.map(() => undefined);

/** `mcp-name` as `Mcp-Name`. */
function title(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
