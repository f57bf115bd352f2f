import { bindHandler, type SeeAnswer } from "./bind-handler.ts";
import { decideRequest, forwardHeader, jobIdHeader } from "../rules/decide-request.ts";
import { dispatcherFacts, type DispatcherFacts } from "./dispatcher-facts.ts";
import { lateChain } from "./late-copies.ts";
import { isLate } from "../patches/late-mark.ts";
import { mergeHeaders, scanHeaders, settleHeaders } from "../rules/header-shapes.ts";
import type { Dispatch, OutboundHook } from "../patches/hook.ts";
import { currentChain, type OutboundContext } from "./outbound-context.ts";
import type { ForwardProxy } from "../../../service/config/outbound-policy.ts";
import { followChain, type Chain } from "../rules/redirect-chain.ts";

type Options = { readonly [name: string | symbol]: unknown };

/**
 * Data about a request that is stored in its options: interceptors copy the options, and the data is still there when a
 * queue is emptied.
 */
interface Tag {
  readonly chain: Chain;
  /** Origin for which the decision was made. A request with another origin or path needs a new decision. */
  readonly origin?: string;
  readonly path?: unknown;
  /** The token that the hook has added, so that it is not taken for the author's own. */
  readonly token?: string | undefined;
  /** True if the decision must not be repeated by dispatchers below, since the route to the host is not known. */
  readonly final?: boolean;
}

const tagKey: unique symbol = Symbol("tenon.outbound.tag");
const noDrops: readonly string[] = [];
const firstDrops: readonly string[] = [jobIdHeader];
const ownDrops: readonly string[] = [jobIdHeader, forwardHeader, "authorization"];
const laterDrops: readonly string[] = [jobIdHeader, forwardHeader];
const forwardDrops: readonly string[] = [jobIdHeader, forwardHeader, "host"];
const ownForwardDrops: readonly string[] = [...forwardDrops, "authorization"];

/** Adds the request's chain to a copy of its options, since authors may use one options object for many jobs. */
export function tagOptions(options: object, chain: Chain): object {
  return withTag({ ...options }, { chain });
}

/** Sets the tag of a copy by assignment: a computed name in the literal makes every later access slower. */
function withTag<T extends object>(copy: T & { [tagKey]?: Tag }, tag: Tag): T {
  copy[tagKey] = tag;
  return copy;
}

/** The hook below all of undici's clients. It runs once per hop and per try, below redirects and retries. */
export function createDispatchHook(context: OutboundContext): Pick<OutboundHook, "dispatch" | "compose"> {
  const pools = new WeakMap<object, Dispatcher>();
  return {
    compose(original, options, handler) {
      const untagged = isOptions(options) && options[tagKey] === undefined;
      return original(untagged ? tagOptions(options, currentChain(context)) : options, handler);
    },
    dispatch(dispatcher, original, options, handler) {
      // A tunnel gets no job, since many jobs share it.
      if (!isOptions(options) || options["method"] === "CONNECT") return original.call(dispatcher, options, handler);
      const tag = options[tagKey] as Tag | undefined;
      if (tag?.final === true) return original.call(dispatcher, options, handler);
      const chain = tag?.chain ?? (isLate(dispatcher) ? lateChain(context, handler) : currentChain(context));
      const facts = dispatcherFacts(dispatcher);
      if (chain.job === undefined || facts.kind === "through") {
        // Requests outside of a job are tagged and bound as well: a pool or a retry may send them later, within a job.
        const marked = tag === undefined ? tagOptions(options, chain) : options;
        return original.call(dispatcher, marked, bindHandler(handler));
      }
      // An agent passes the request on to a pool, and a pool to a client: both use the agent's decision in the tag.
      if (facts.kind === "origin" && tag?.origin === facts.origin && tag.path === options["path"]) {
        return original.call(dispatcher, options, handler);
      }
      const to = context.destination(facts.kind === "origin" ? facts.origin : options["origin"]);
      // A request without a valid origin is left to the client, which refuses it.
      if (to === undefined) return original.call(dispatcher, options, handler);
      if (tag?.origin === to.origin && tag.path === options["path"]) return original.call(dispatcher, options, handler);
      const path = fullPath(options);
      if (path === undefined) return original.call(dispatcher, options, handler);

      const headers = settleHeaders(options["headers"]);
      const sent = scanHeaders(headers, tag?.token);
      const followed = followChain(chain, to.origin, !to.trusted);
      const route = facts.kind === "foreign" ? "foreign" : followed;
      const { add, forward } = decideRequest({ to, path, sent, route }, chain.job, context.policy);
      const own = tag?.token !== undefined && !sent.authorization;
      const { proxy } = context.policy;
      if (!forward || proxy === undefined) {
        const token = add.authorization ?? (own ? undefined : tag?.token);
        const drops = own
          ? ownDrops
          : !sent.replaceable
            ? noDrops
            : tag?.origin === undefined
              ? firstDrops
              : laterDrops;
        const final = route === "foreign";
        const next = withTag(
          { ...options, headers: mergeHeaders(headers, drops, add) },
          { chain, origin: to.origin, path: options["path"], token, final },
        );
        return original.call(dispatcher, next, bindHandler(handler));
      }
      if (isClosed(dispatcher)) return original.call(dispatcher, options, handler);
      const rewritten = {
        ...options,
        origin: proxy.origin,
        path: proxy.path,
        query: undefined,
        servername: undefined,
        headers: mergeHeaders(headers, own ? ownForwardDrops : forwardDrops, add),
      };
      const forwarded = withTag(rewritten, { chain, origin: proxy.origin, path: proxy.path });
      const watched = bindHandler(handler, seeAnswer(context, proxy, add[forwardHeader] ?? ""));
      if (facts.kind !== "origin") return original.call(dispatcher, forwarded, watched);
      return poolToProxy(pools, dispatcher, facts, proxy).dispatch(forwarded, watched);
    },
  };
}

interface Dispatcher {
  readonly dispatch: Dispatch;
  readonly destroyed?: boolean;
}

/** A pool or client has a fixed origin, so requests to the proxy use another of the same kind with its limits. */
function poolToProxy(
  pools: WeakMap<object, Dispatcher>,
  dispatcher: object,
  { limits }: Extract<DispatcherFacts, { kind: "origin" }>,
  proxy: ForwardProxy,
): Dispatcher {
  const made = pools.get(dispatcher);
  if (made !== undefined && made.destroyed !== true) return made;
  const { constructor } = dispatcher as { constructor: new (origin: string, options: object) => Dispatcher };
  const pool = new constructor(proxy.origin, limits);
  pools.set(dispatcher, pool);
  return pool;
}

function seeAnswer(context: OutboundContext, { origin }: ForwardProxy, forwardUrl: string): SeeAnswer {
  return (status, header) => {
    const error = context.diagnose?.({ proxyOrigin: origin, forwardUrl, status, header });
    if (error !== undefined) throw error;
  };
}

/** Path with the options' `query`, as undici writes it; undefined if undici refuses it. */
function fullPath({ path, query }: Options): string | undefined {
  if (typeof path !== "string" || !isWritable(path)) return undefined;
  if (path[0] !== "/" && !/^https?:\/\//.test(path)) return undefined;
  if (query === undefined || query === null) return path;
  if (typeof query !== "object" || /[?#]/.test(path)) return undefined;
  const text = process.getBuiltinModule("node:querystring").stringify(query as Record<string, string>);
  return text === "" ? path : `${path}?${text}`;
}

/**
 * True for a path without spaces, control characters and characters beyond Latin-1. A regular expression would cost
 * more than the rest of this file.
 */
function isWritable(path: string): boolean {
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code < 0x21 || code > 0xff) return false;
  }
  return true;
}

function isOptions(options: unknown): options is Options {
  return typeof options === "object" && options !== null;
}

function isClosed(dispatcher: object): boolean {
  const { destroyed, closed } = dispatcher as { destroyed?: unknown; closed?: unknown };
  return destroyed === true || closed === true;
}
