import { AsyncLocalStorage, AsyncResource } from "../../../base/async-hooks.ts";

type Callback = (...args: unknown[]) => unknown;
type Handler = Record<string, Callback>;

/** Gets status and headers of an answer before the handler does. If it throws, the request fails. */
export type SeeAnswer = (status: number, header: (name: string) => string | undefined) => void;

// Callbacks of both generations of undici's handler interface.
const callbacks: readonly string[] =
  "onConnect onError onUpgrade onResponseStarted onHeaders onData onComplete onBodySent onRequestSent onRequestStart onRequestUpgrade onResponseStart onResponseData onResponseEnd onResponseError".split(
    " ",
  );

const bound = new WeakSet<object>();

/**
 * Binds a handler's callbacks to the async context of this call. Pools call handlers from any socket, and redirect and
 * retry handlers send the next request from there. Handlers that keep their context are returned unchanged, because
 * binding costs more than the rest.
 */
export function bindHandler(handler: unknown, see?: SeeAnswer): unknown {
  if (typeof handler !== "object" || handler === null) return handler;
  const needsContext = !isOfFetch(handler) && !(handler instanceof AsyncResource);
  if ((!needsContext && see === undefined) || bound.has(handler)) return handler;
  const target = handler as Handler;
  const run: (callback: () => unknown) => unknown = needsContext
    ? AsyncLocalStorage.snapshot()
    : (callback) => callback();
  const made = Object.create(handler) as Handler;
  for (const name of callbacks) {
    const callback = target[name];
    if (typeof callback !== "function") continue;
    made[name] = (...args) =>
      run(() => {
        if (see !== undefined && name === "onHeaders") see(args[0] as number, (header) => rawHeader(args[1], header));
        if (see !== undefined && name === "onResponseStart")
          see(args[1] as number, (header) => namedHeader(args[2], header));
        return callback.apply(target, args);
      });
  }
  bound.add(made);
  return made;
}

/** `fetch` passes a literal with these members. Its answers continue in promises, which keep their context. */
function isOfFetch(handler: object): boolean {
  return Object.getPrototypeOf(handler) === Object.prototype && "abort" in handler && "body" in handler;
}

function rawHeader(headers: unknown, name: string): string | undefined {
  if (!Array.isArray(headers)) return undefined;
  const at = headers.findIndex((item, index) => index % 2 === 0 && String(item).toLowerCase() === name);
  return at === -1 ? undefined : String(headers[at + 1]);
}

function namedHeader(headers: unknown, name: string): string | undefined {
  const value = (headers as { [name: string]: unknown } | undefined)?.[name];
  return value === undefined ? undefined : String(value);
}
