import type { ClientRequest, IncomingMessage } from "node:http";
import {
  decideRequest,
  forwardHeader,
  jobIdHeader,
  type AddedHeaders,
  type Destination,
} from "../rules/decide-request.ts";
import { mergeHeaders, scanHeaders } from "../rules/header-shapes.ts";
import type { OutboundHook } from "../patches/hook.ts";
import { builtin, httpOrigin, isPlainRoute, readHttpArguments, type HttpOptions } from "./http-options.ts";
import { currentChain, type OutboundContext } from "./outbound-context.ts";
import type { ForwardProxy } from "../../../service/config/outbound-policy.ts";
import { noteRedirect, type Chain } from "../rules/redirect-chain.ts";

const noDrops: readonly string[] = [];
const directDrops: readonly string[] = [jobIdHeader];
const forwardDrops: readonly string[] = [jobIdHeader, forwardHeader, "host"];

/** The hook of `node:http` and `node:https`, where each hop of a redirect is a separate call. */
export function createHttpHook(context: OutboundContext): Pick<OutboundHook, "http"> {
  const { policy } = context;
  return {
    http(protocol, args, original) {
      const send: typeof original = (list) => {
        context.asked++;
        try {
          return original(list);
        } finally {
          context.asked--;
        }
      };
      const job = context.job();
      // Outside a job nothing is added. Unreadable arguments are passed to Node, which throws its own error.
      const read = job === undefined ? undefined : readHttpArguments(args);
      if (job === undefined || read === undefined) return send(args);
      const { options, callback } = read;
      const to = context.destination(httpOrigin(options, protocol));
      if (to === undefined) return send(args);
      const path = options["path"] ? String(options["path"]) : "/";
      if (/[^\x21-\xff]/.test(path) || options["method"] === "CONNECT") return send(args);

      const headers = ownHeaders(options["headers"]);
      const scanned = scanHeaders(headers);
      // Node turns `auth` into an Authorization header.
      const sent = options["auth"] ? { ...scanned, authorization: true } : scanned;
      const chain = currentChain(context);
      const plain = isPlainRoute(options, protocol, to.origin);
      const redirected = chain.refused?.has(to.origin) === true;
      const route = !plain ? "foreign" : redirected ? "redirected" : "known";
      const { add, forward } = decideRequest({ to, path, sent, route }, job, policy);
      if (!forward || policy.proxy === undefined) {
        options["headers"] = mergeHeaders(headers, scanned.replaceable ? directDrops : noDrops, add);
        // A local host over plain http can neither redirect to a wrong host nor lose encryption, so its redirects need
        // not be watched, unless a redirect has led to it.
        if (to.trusted && !redirected && to.origin.startsWith("http:")) return send([options, callback]);
        return context.runInChain(chain, () =>
          watch(context, send([options, callback]), { chain, redirected, to, base: to.origin + path }),
        );
      }
      const { proxy } = policy;
      const changed = throughProxy(options, proxy, to, headersToProxy(headers, proxy, add));
      const forwardUrl = add[forwardHeader] ?? "";
      return context.runInChain(chain, () =>
        watch(context, send([changed, callback]), { chain, redirected, to, base: forwardUrl, forwardUrl, proxy }),
      );
    },
  };
}

interface Watched {
  readonly chain: Chain;
  /** True if a redirect that must not carry the token has led here. */
  readonly redirected: boolean;
  readonly to: Destination;
  /** URL against which a relative `Location` is resolved. */
  readonly base: string;
  readonly forwardUrl?: string;
  readonly proxy?: ForwardProxy;
}

/**
 * Checks the answer before any listener gets it. It wraps `emit`, since a listener of its own would keep Node from
 * dropping the body of an answer that the author does not listen for.
 */
function watch(
  context: OutboundContext,
  request: ClientRequest,
  { chain, redirected, to, base, forwardUrl, proxy }: Watched,
): ClientRequest {
  const emit = request.emit;
  request.emit = function (this: ClientRequest, event: string | symbol, ...args: unknown[]): boolean {
    if (event === "response") {
      const { statusCode = 0, headers } = args[0] as IncomingMessage;
      noteRedirect(chain, base, redirected || !to.trusted, statusCode, headers.location);
      const header = (name: string): string | undefined => headers[name]?.toString();
      const error =
        proxy &&
        context.diagnose?.({ proxyOrigin: proxy.origin, forwardUrl: forwardUrl ?? "", status: statusCode, header });
      if (error !== undefined) {
        // The request is destroyed, and its `error` event gets the reason. `destroy(reason)` would not emit that event
        // once the answer has begun.
        this.destroy();
        process.nextTick(() => Reflect.apply(emit, this, ["error", error]));
        return false;
      }
    }
    return Reflect.apply(emit, this, [event, ...args]) as boolean;
  } as ClientRequest["emit"];
  return request;
}

// Options for the connection to the destination, which must not be used for the connection to the proxy.
const wayOptions: readonly string[] =
  "host defaultPort family hints lookup localAddress localPort _defaultAgent servername ca cert key pfx passphrase ciphers rejectUnauthorized checkServerIdentity ALPNProtocols secureContext secureProtocol minVersion maxVersion session".split(
    " ",
  );

function throughProxy(options: HttpOptions, proxy: ForwardProxy, to: Destination, headers: unknown): HttpOptions {
  const { protocol, hostname, port, path } = proxy;
  const changed: { [name: string]: unknown } = { ...options, protocol, hostname, port, path, headers };
  for (const name of wayOptions) delete changed[name];
  const { agent } = options;
  // The author's agent is used only for its own scheme.
  if (!to.origin.startsWith(protocol) || agent === undefined || agent === null)
    changed["agent"] = builtin(protocol).globalAgent;
  return changed;
}

/** Reads headers as Node does: an array unchanged, and the own properties of any other object. */
function ownHeaders(headers: unknown): unknown {
  if (Array.isArray(headers) || headers === undefined) return headers;
  return { ...(headers as object | null) };
}

function headersToProxy(headers: unknown, proxy: ForwardProxy, add: AddedHeaders): unknown {
  // The Host header is set here, since Node does not add it to an array of headers.
  const host = Array.isArray(headers) ? { host: proxy.origin.replace(/^https?:\/\//, "") } : undefined;
  return mergeHeaders(headers, forwardDrops, { ...host, ...add });
}
