import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Names of headers that clients and proxies usually send. A request with any other name gets no header view. */
const names: readonly string[] = [
  "host connection accept accept-encoding accept-language user-agent origin referer content-type",
  "content-length content-encoding transfer-encoding expect authorization mcp-protocol-version",
  "mcp-method mcp-name mcp-session-id last-event-id sec-fetch-mode job-id prefer timeout",
  "idempotency-key job-attempt job-lease is-error traceparent tracestate baggage cache-control",
  "x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip x-request-id",
].flatMap((line) => line.split(" "));

/**
 * A request of `node:http` that can be answered without its stream and its `headers` object. Creating these costs more
 * than all other work for a short call. Both still work for code that uses them.
 */
export interface ShortRequest extends IncomingMessage {
  /**
   * Passes every chunk of the body to `take`, and null at its end. Returns false, without effect, when the stream has
   * already begun and must be read instead.
   */
  collect(take: (chunk: Buffer | null) => void): boolean;
  /** True if there is exactly one `Host` and no `Transfer-Encoding`. Also false if finding out would need a search. */
  readonly hasPlainHead: boolean;
  /** The value of a header, by its name in lower case, without the `headers` object where that is possible. */
  readHeader(name: string): string | undefined;
  /** Replaces `headers` by Node's own object, whose members can be listed and changed. */
  expandHeaders(): void;
}

// Deno and Bun have a `node:http` of their own, whose parser does not hand bodies over by `push`.
const isNode = process.versions["deno"] === undefined && process.versions["bun"] === undefined;

/** Returns the class of requests for `createServer`; on engines other than Node, the unchanged class. */
export function shortRequests(Base: typeof IncomingMessage): typeof IncomingMessage {
  if (!isNode) return Base;
  const views = createHeaderViews();
  class Short extends Base implements ShortRequest {
    #take: ((chunk: Buffer | null) => void) | undefined;
    #begun = false;
    #view: IncomingHttpHeaders | undefined;
    #isExpanded = false;

    collect(take: (chunk: Buffer | null) => void): boolean {
      if (this.#begun) return false;
      this.#take = take;
      // Tells Node that the body is being read. Otherwise Node would read and drop the body after the answer.
      this._read(0);
      return true;
    }

    get hasPlainHead(): boolean {
      const view = this.#viewed();
      return view !== undefined && views.isPlain(view);
    }

    /** Returns the view that replaces the headers, unless they have been expanded. */
    #viewed(): IncomingHttpHeaders | undefined {
      if (this.#isExpanded) return undefined;
      this.#view ??= views.view(this.rawHeaders);
      this.#isExpanded = this.#view === undefined;
      return this.#view;
    }

    readHeader(name: string): string | undefined {
      const view = this.#viewed();
      // Values are texts: only `Set-Cookie` would be a list, which no code here reads.
      return view === undefined ? (this.headers[name] as string | undefined) : views.read(view, name);
    }

    expandHeaders(): void {
      this.#isExpanded = true;
    }

    /** Called by Node's parser with each chunk of the body. */
    override push(chunk: unknown, encoding?: BufferEncoding): boolean {
      this.#begun = true;
      const take = this.#take;
      if (take === undefined) return super.push(chunk, encoding);
      take(chunk as Buffer | null);
      return true;
    }

    // Defined as accessors, since data properties cannot be overridden otherwise.
    static {
      Object.defineProperty(this.prototype, "headers", {
        get(this: Short): unknown {
          const view = this.#viewed();
          if (view !== undefined) return view;
          return Reflect.get(Base.prototype, "headers", this);
        },
        set(this: Short, headers: unknown) {
          this.#isExpanded = true;
          Reflect.set(Base.prototype, "headers", headers, this);
        },
      });
      // The end of the stream is reported after the last byte of a body that is read without the stream. Otherwise Node
      // would wait for that end, and keep the request in memory.
      Object.defineProperty(this.prototype, "readableEnded", {
        get(this: Short): unknown {
          return this.#take === undefined ? Reflect.get(Base.prototype, "readableEnded", this) : this.complete;
        },
      });
    }
  }
  return Short;
}

/** Names of headers in the order in which a client sends them, and the positions of their values in the list. */
interface Order {
  readonly names: readonly string[];
  /** Positions by lower-case name. */
  readonly at: ReadonlyMap<string, number>;
  /** True if there is one `Host`, and no `Transfer-Encoding`. */
  readonly isPlain: boolean;
}

/**
 * Views of the headers of requests, which cost a tenth of Node's object. A view has members by lower-case name like
 * Node's object, but they cannot be listed or changed.
 */
export interface HeaderViews {
  /**
   * Makes a view of headers. Undefined when a name is rare or occurs twice, because Node's own rules then apply.
   *
   * @param raw Names and values alternate
   */
  view(raw: readonly string[]): IncomingHttpHeaders | undefined;
  /** Reads a member of a view without the property search that a computed name would need. */
  read(view: IncomingHttpHeaders, name: string): string | undefined;
  /** True for one `Host` and no `Transfer-Encoding`, so that the framing needs no check. */
  isPlain(view: IncomingHttpHeaders): boolean;
}

export function createHeaderViews(): HeaderViews {
  // Made here instead of at module level, since a start over stdio loads this module without needing the set.
  const known = new Set(names);
  const HeaderView = headerViewClass();
  // Caches the last order of names, for each number of names: clients send the same names in the same order with each
  // request of a kind, and requests of several kinds alternate.
  const orders: Order[] = Array.from(names, () => ({ names: [], at: new Map(), isPlain: false }));
  return {
    view(raw) {
      const count = raw.length / 2;
      let order = orders[count - 1];
      if (order === undefined) return undefined;
      if (!hasNames(raw, order.names)) {
        const found = orderOf(raw, known);
        if (found === undefined) return undefined;
        orders[count - 1] = order = found;
      }
      return new HeaderView(raw, order) as IncomingHttpHeaders;
    },
    read: HeaderView.read,
    isPlain: HeaderView.isPlain,
  };
}

interface HeaderViewClass {
  new (raw: readonly string[], order: Order): object;
  read(view: object, name: string): string | undefined;
  isPlain(view: object): boolean;
}

/** Makes the class of header views. They create no object of headers: each member finds its value in the list. */
function headerViewClass(): HeaderViewClass {
  return class HeaderView {
    readonly #raw: readonly string[];
    readonly #order: Order;

    constructor(raw: readonly string[], order: Order) {
      this.#raw = raw;
      this.#order = order;
    }

    static read(this: void, view: object, name: string): string | undefined {
      const { at } = (view as HeaderView).#order;
      const place = at.get(name);
      return place === undefined ? undefined : (view as HeaderView).#raw[place];
    }

    static isPlain(this: void, view: object): boolean {
      return (view as HeaderView).#order.isPlain;
    }

    static {
      for (const name of names) {
        Object.defineProperty(this.prototype, name, {
          get(this: HeaderView): string | undefined {
            return HeaderView.read(this, name);
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

function orderOf(raw: readonly string[], known: ReadonlySet<string>): Order | undefined {
  const at = new Map<string, number>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    if (!known.has(name) || at.has(name)) return undefined;
    at.set(name, index + 1);
  }
  const isPlain = at.has("host") && !at.has("transfer-encoding");
  return { names: raw.filter((_, index) => index % 2 === 0), at, isPlain };
}
