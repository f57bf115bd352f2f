import { outboundKey, patchedKey } from "../../../contract/process-keys.ts";
import type { Dispatch } from "../patches/hook.ts";
import { patchDispatcher } from "../patches/patch-dispatcher.ts";

/**
 * Routing of a dispatcher. `origin`: it connects to this origin, whatever a request says. `agent`: it connects to the
 * origin of each request. `through`: dispatchers inside it decide. `foreign`: its destination is unknown.
 */
export type DispatcherFacts =
  | { readonly kind: "origin"; readonly origin: string; readonly limits: Readonly<Record<string, number>> }
  | { readonly kind: "agent" | "through" | "foreign" };

const known = new WeakMap<object, DispatcherFacts>();

/**
 * Reads the routing of an instance of undici's classes from the descriptions of its symbols: class names do not survive
 * minification, and every copy of undici has symbols of its own.
 */
export function dispatcherFacts(dispatcher: object): DispatcherFacts {
  let facts = known.get(dispatcher);
  if (facts === undefined) {
    facts = readFacts(dispatcher);
    known.set(dispatcher, facts);
  }
  return facts;
}

function readFacts(dispatcher: object): DispatcherFacts {
  const members = new Map<string | undefined, unknown>();
  for (const symbol of Object.getOwnPropertySymbols(dispatcher)) {
    members.set(symbol.description, (dispatcher as { [name: symbol]: unknown })[symbol]);
  }
  // The order of these checks matters: agents for proxies also contain agents and addresses.
  if (members.has("proxy agent") || members.has("proxy url") || members.has("proxy headers"))
    return { kind: "foreign" };
  if (members.has("no proxy agent")) {
    patchInner(members.values());
    return { kind: "through" };
  }
  const url = members.get("url");
  if (url instanceof URL) {
    return { kind: "origin", origin: url.origin, limits: limitsOf(members) };
  }
  const clients = members.get("clients");
  if (clients instanceof Map && members.has("factory")) return { kind: "agent" };
  return { kind: Array.isArray(clients) ? "through" : "foreign" };
}

/** Options that hold for whichever host answers, with the descriptions of the symbols under which a client has them. */
const limitNames = {
  connections: "connections",
  headersTimeout: "headers timeout",
  bodyTimeout: "body timeout",
  maxHeaderSize: "max headers size",
  maxResponseSize: "max response size",
} as const;

/** The limits of a client, or of a pool, which has most of them in its options. */
function limitsOf(members: ReadonlyMap<string | undefined, unknown>): Readonly<Record<string, number>> {
  const options = Object(members.get("options")) as Readonly<Record<string, unknown>>;
  const limits = Object.entries(limitNames).map(
    ([option, symbol]) => [option, options[option] ?? members.get(symbol)] as const,
  );
  return Object.fromEntries(limits.filter((limit): limit is [string, number] => typeof limit[1] === "number"));
}

/**
 * Patches the classes of a dispatcher that no build transform has reached (of Node's own undici, for example), and of
 * the dispatchers it holds. Returns the prototypes that were not patched before.
 */
export function patchClassesOf(dispatcher: object): readonly object[] {
  const members = Object.getOwnPropertySymbols(dispatcher).map(
    (symbol) => (dispatcher as { [name: symbol]: unknown })[symbol],
  );
  return [...patchPrototypes(dispatcher), ...patchInner(members)];
}

function patchInner(members: Iterable<unknown>): readonly object[] {
  return [...members].flatMap((member) =>
    typeof member === "object" && member !== null && "dispatch" in member ? patchPrototypes(member) : [],
  );
}

function patchPrototypes(dispatcher: object): readonly object[] {
  const patched: object[] = [];
  let at = Object.getPrototypeOf(dispatcher) as object | null;
  for (; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    // `destroyed` is a member of undici's base class; its wrappers and hand-written dispatchers lack it.
    if (!Object.hasOwn(at, "dispatch") || !("destroyed" in at)) continue;
    if (patchDispatcher(at as unknown as { dispatch: Dispatch }, outboundKey, patchedKey)) patched.push(at);
  }
  return patched;
}
