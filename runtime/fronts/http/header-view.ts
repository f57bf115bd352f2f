import type { IncomingHttpHeaders } from "node:http";

/** The usual header names of clients and proxies. */
const names: readonly string[] = [
  ...["host", "connection", "accept", "accept-encoding", "accept-language", "user-agent", "origin", "referer"],
  ...["content-type", "content-length", "content-encoding", "transfer-encoding", "expect", "authorization"],
  ...["mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "last-event-id", "sec-fetch-mode"],
  ...["job-id", "prefer", "timeout", "idempotency-key", "traceparent", "tracestate", "cache-control"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "x-request-id"],
];

/** Positions of values in a list of headers, for one order of names. */
interface Order {
  readonly names: readonly string[];
  /** Indexed by the position of the name. */
  readonly at: readonly (number | undefined)[];
}

/**
 * Creates a lazy view of the request headers, about ten times cheaper than Node's `headers` object. Returns undefined
 * for rare or repeated names: Node's own rules apply to those.
 *
 * Takes alternating names and values. The view has members by lower-case name, as Node's object has, and no others.
 * They cannot be listed or changed.
 */
export function createHeaderViews(): (raw: readonly string[]) => IncomingHttpHeaders | undefined {
  // Created here and not with the module, which a start over stdio loads as well.
  const places = new Map(names.map((name, place) => [name, place]));
  const HeaderView = headerViewClass();
  // A cache: clients send the same names in the same order with each request.
  let last: Order = { names: [], at: [] };
  return (raw) => {
    if (!hasNames(raw, last.names)) {
      const order = orderOf(raw, places);
      if (order === undefined) return undefined;
      last = order;
    }
    return new HeaderView(raw, last) as IncomingHttpHeaders;
  };
}

/** The class of such views, without an object per request: each member looks up its value in the list. */
function headerViewClass(): new (raw: readonly string[], order: Order) => object {
  return class HeaderView {
    readonly #raw: readonly string[];
    readonly #order: Order;

    constructor(raw: readonly string[], order: Order) {
      this.#raw = raw;
      this.#order = order;
    }

    static {
      for (const [place, name] of names.entries()) {
        Object.defineProperty(this.prototype, name, {
          get(this: HeaderView): string | undefined {
            const at = this.#order.at[place];
            return at === undefined ? undefined : this.#raw[at];
          },
        });
      }
    }
  };
}

function hasNames(raw: readonly string[], known: readonly string[]): boolean {
  if (raw.length !== 2 * known.length) return false;
  for (let index = 0; index < known.length; index++) if (raw[2 * index] !== known[index]) return false;
  return true;
}

function orderOf(raw: readonly string[], places: ReadonlyMap<string, number>): Order | undefined {
  const at: (number | undefined)[] = names.map(() => undefined);
  for (let index = 0; index < raw.length; index += 2) {
    const place = places.get((raw[index] ?? "").toLowerCase());
    if (place === undefined || at[place] !== undefined) return undefined;
    at[place] = index + 1;
  }
  return { names: raw.filter((_, index) => index % 2 === 0), at };
}
