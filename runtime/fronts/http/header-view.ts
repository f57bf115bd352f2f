import type { IncomingHttpHeaders } from "node:http";

/** The usual header names of clients and proxies. */
const names: readonly string[] = [
  "host",
  "connection",
  "accept",
  "accept-encoding",
  "accept-language",
  "user-agent",
  "origin",
  "referer",
  "content-type",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "expect",
  "authorization",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "last-event-id",
  "sec-fetch-mode",
  "job-id",
  "prefer",
  "timeout",
  "idempotency-key",
  "job-attempt",
  "job-lease",
  "is-error",
  "traceparent",
  "tracestate",
  "baggage",
  "cache-control",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "x-request-id",
];

/** Positions of values in a list of headers, for one order of names. */
interface Order {
  readonly names: readonly string[];
  /** Indexed by the position of the name. */
  readonly at: readonly (number | undefined)[];
  /** One `Host`, and no `Transfer-Encoding`. */
  readonly isPlain: boolean;
}

/** Views of the headers of requests. */
export interface HeaderViews {
  /**
   * A view of the headers of a request, at a tenth of what it takes to make Node's object of them. Undefined when there is
   * a name that is rare or there twice: Node's own rules count for those.
   *
   * It has members by lower-case name, as Node's object; it has no others, and none of them can be listed or changed.
   *
   * @param raw Names and values in turn
   */
  view(raw: readonly string[]): IncomingHttpHeaders | undefined;
  /** Headers with one `Host` and without `Transfer-Encoding`, so that nothing of their framing needs a look. */
  isPlain(view: IncomingHttpHeaders): boolean;
}

export function createHeaderViews(): HeaderViews {
  // Made here and not with the module, which a start over stdio loads as well.
  const places = new Map(names.map((name, place) => [name, place]));
  const HeaderView = headerViewClass();
  // Clients send the same names in the same order with each request of a kind. The last order of each number of names
  // is kept: requests of several kinds take turns.
  const orders: Order[] = Array.from(names, () => ({ names: [], at: [], isPlain: false }));
  return {
    view(raw) {
      const count = raw.length / 2;
      let order = orders[count - 1];
      if (order === undefined) return undefined;
      if (!hasNames(raw, order.names)) {
        const found = orderOf(raw, places);
        if (found === undefined) return undefined;
        orders[count - 1] = order = found;
      }
      return new HeaderView(raw, order) as IncomingHttpHeaders;
    },
    isPlain: HeaderView.isPlain,
  };
}

interface HeaderViewClass {
  new (raw: readonly string[], order: Order): object;
  isPlain(view: object): boolean;
}

/** The class of headers by name, without an object of their own: each member looks for its value in the list. */
function headerViewClass(): HeaderViewClass {
  return class HeaderView {
    readonly #raw: readonly string[];
    readonly #order: Order;

    constructor(raw: readonly string[], order: Order) {
      this.#raw = raw;
      this.#order = order;
    }

    static isPlain(this: void, view: object): boolean {
      return #order in view && view.#order.isPlain;
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
  const has = (name: string): boolean => at[places.get(name) ?? 0] !== undefined;
  return {
    names: raw.filter((_, index) => index % 2 === 0),
    at,
    isPlain: has("host") && !has("transfer-encoding"),
  };
}
