// The function of this file also goes into bundles as text, so it uses only its arguments and globals.
import type { ClientRequest } from "node:http";
import type { outboundKey, patchedKey } from "../../../contract/process-keys.ts";
import type { OutboundHook } from "./hook.ts";

interface HttpModule {
  request: unknown;
  get: unknown;
  ClientRequest?: unknown;
}

/**
 * Connects `node:http` or `node:https` to the hook, both for code that has read its functions early and for later
 * readers.
 */
export function patchHttp(
  module: HttpModule,
  protocol: "http:" | "https:",
  key: typeof outboundKey,
  mark: typeof patchedKey,
): void {
  const scope = globalThis as { [key]?: OutboundHook };
  type Send = (...args: unknown[]) => ClientRequest;
  const original = module.request as Send & { [mark]?: true };
  if (original[mark] === true) return;
  const request = function (...args: unknown[]): ClientRequest {
    const hook = scope[key];
    return hook === undefined ? original(...args) : hook.http(protocol, args, (list) => original(...list));
  };
  Object.defineProperties(request, {
    name: { value: "request" },
    length: { value: original.length },
    [mark]: { value: true },
  });
  module.request = request;
  module.get = function get(...args: unknown[]): ClientRequest {
    const made = request(...args);
    made.end();
    return made;
  };
  const Original = module.ClientRequest as { new (...args: unknown[]): ClientRequest; prototype: object } | undefined;
  if (Original === undefined) return;
  // Called with `new`, by `super` and, in old code, as a plain function on an object of its own.
  const Patched = function (this: ClientRequest, ...args: unknown[]): ClientRequest {
    const target = new.target as unknown as typeof Original | undefined;
    const send = (list: readonly unknown[]): ClientRequest => {
      if (target !== undefined) return Reflect.construct(Original, list, target) as ClientRequest;
      Reflect.apply(Original as unknown as Send, this, list);
      return this;
    };
    const hook = scope[key];
    return hook === undefined ? send(args) : hook.http(protocol, args, send);
  };
  Patched.prototype = Original.prototype;
  Object.defineProperty(Patched, "name", { value: "ClientRequest" });
  module.ClientRequest = Object.setPrototypeOf(Patched, Original) as unknown;
}
