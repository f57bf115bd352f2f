import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createHeaderViews } from "./header-view.ts";

/**
 * A request of `node:http` that can be answered without its stream and its `headers` object. Creating these costs more
 * than all other work for a short call. Both still work for code that uses them.
 */
export interface ShortRequest extends IncomingMessage {
  /**
   * Passes every chunk of the body to `take`, and null at its end. Returns false, without effect, when the stream has
   * begun: then read the stream.
   */
  collect(take: (chunk: Buffer | null) => void): boolean;
  /** One `Host` and no `Transfer-Encoding`; false where that would take a search. */
  readonly hasPlainHead: boolean;
  /** From now on `headers` is Node's own object, whose members can be listed and changed. */
  expandHeaders(): void;
}

// Deno and Bun have a `node:http` of their own, whose parser does not hand bodies over by `push`.
const isNode = process.versions["deno"] === undefined && process.versions["bun"] === undefined;

/** The class of requests for `createServer`; the class itself on engines other than Node. */
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
      // Tells Node that the body is being read, so that it does not drain it after the answer.
      this._read(0);
      return true;
    }

    get hasPlainHead(): boolean {
      const view = this.#viewed();
      return view !== undefined && views.isPlain(view);
    }

    /** The view of the headers, while it stands for them. */
    #viewed(): IncomingHttpHeaders | undefined {
      if (this.#isExpanded) return undefined;
      this.#view ??= views.view(this.rawHeaders);
      this.#isExpanded = this.#view === undefined;
      return this.#view;
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

    // Defined as accessors, since they cannot be overridden otherwise.
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
      // A collected body ends with its last byte. Node would wait for the end of the stream, and keep the request.
      Object.defineProperty(this.prototype, "readableEnded", {
        get(this: Short): unknown {
          return this.#take === undefined ? Reflect.get(Base.prototype, "readableEnded", this) : this.complete;
        },
      });
    }
  }
  return Short;
}
