import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createHeaderViews } from "./header-view.ts";

/**
 * A request of `node:http` that can be answered without its stream and without the object of its headers: together they
 * cost a short call more than all else that is done for it. Whoever wants them has both as ever.
 */
export interface ShortRequest extends IncomingMessage {
  /**
   * Hands every chunk of the body to `take` as it comes, and null at its end. False, with nothing done, when the stream has
   * begun: read that one.
   */
  collect(take: (chunk: Buffer | null) => void): boolean;
  /** One `Host` and no `Transfer-Encoding`; false where that would take a search. */
  readonly hasPlainHead: boolean;
  /** From now on `headers` is Node's own object, whose members can be listed and changed. */
  expandHeaders(): void;
}

/** The class of requests for `createServer`. */
export function shortRequests(Base: typeof IncomingMessage): typeof IncomingMessage {
  const views = createHeaderViews();
  class Short extends Base implements ShortRequest {
    #take: ((chunk: Buffer | null) => void) | undefined;
    #begun = false;
    #view: IncomingHttpHeaders | undefined;
    #isExpanded = false;

    collect(take: (chunk: Buffer | null) => void): boolean {
      if (this.#begun) return false;
      this.#take = take;
      // Tells Node that the body is being read, so that it need not let it run dry behind the answer.
      this._read(0);
      return true;
    }

    get hasPlainHead(): boolean {
      return this.#view !== undefined && views.isPlain(this.#view);
    }

    expandHeaders(): void {
      this.#isExpanded = true;
    }

    /** What Node's parser calls with each piece of the body. */
    override push(chunk: unknown, encoding?: BufferEncoding): boolean {
      this.#begun = true;
      const take = this.#take;
      if (take === undefined) return super.push(chunk, encoding);
      take(chunk as Buffer | null);
      return true;
    }

    // Properties by their types, so that they cannot be overridden as what they are.
    static {
      Object.defineProperty(this.prototype, "headers", {
        get(this: Short): unknown {
          if (!this.#isExpanded) {
            const view = (this.#view ??= views.view(this.rawHeaders));
            if (view !== undefined) return view;
            this.#isExpanded = true;
          }
          return Reflect.get(Base.prototype, "headers", this);
        },
        set(this: Short, headers: unknown) {
          this.#isExpanded = true;
          Reflect.set(Base.prototype, "headers", headers, this);
        },
      });
      // A collected body is over with its last byte; for that of the stream Node would wait, and keep the request.
      Object.defineProperty(this.prototype, "readableEnded", {
        get(this: Short): unknown {
          return this.#take === undefined ? Reflect.get(Base.prototype, "readableEnded", this) : this.complete;
        },
      });
    }
  }
  return Short;
}
