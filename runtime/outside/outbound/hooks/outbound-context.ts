import { AsyncLocalStorage } from "../../../base/async-hooks.ts";
import { classifyDestination, type Destination } from "../rules/decide-request.ts";
import type * as ForwardErrors from "../rules/forward-errors.ts";
import type { OutboundJob } from "../rules/job-headers.ts";
import type { OutboundPolicy } from "../../../service/config/outbound-policy.ts";
import { startChain, type Chain } from "../rules/redirect-chain.ts";

/** State that the hooks of undici and of `node:http` share. */
export interface OutboundContext {
  /** Depth of `node:http` requests that the hook is making; a counter, since they can be nested. */
  asked: number;
  /** Explains an answer by which the proxy refuses a request; loaded at the start of a service with a proxy. */
  diagnose: typeof ForwardErrors.diagnoseForward | undefined;
  /** Warns the operator of the service, once per text. */
  readonly tell: (warning: string) => void;
  readonly policy: OutboundPolicy;
  readonly destination: (origin: unknown) => Destination | undefined;
  /** Job of the current async context. It is correct in author code, but not in callbacks of pools and sockets. */
  readonly job: () => OutboundJob | undefined;
  /** The chain of the current callback, if it belongs to the current job. */
  readonly chain: () => Chain | undefined;
  readonly runInChain: <Args extends unknown[], Result>(
    chain: Chain,
    run: (...args: Args) => Result,
    ...args: Args
  ) => Result;
}

/** Maximum number of origins whose policy is cached; the policy of others is determined each time. */
const maxOrigins = 1000;

/** Creates the state of the hooks. `warn` is called once per text. */
export function createContext(
  job: () => OutboundJob | undefined,
  policy: OutboundPolicy,
  warn: (text: string) => void = () => {},
): OutboundContext {
  const told = new Set<string>();
  const chains = new AsyncLocalStorage<Chain>();
  const origins = new Map<string, Destination>();
  const context: OutboundContext = {
    asked: 0,
    diagnose: undefined,
    tell(warning) {
      if (told.has(warning)) return;
      told.add(warning);
      warn(warning);
    },
    policy,
    job,
    destination(origin) {
      if (typeof origin !== "string" && !(origin instanceof URL)) return undefined;
      const text = String(origin);
      let found = origins.get(text);
      if (found === undefined) {
        const url = URL.parse(text);
        if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
        found = classifyDestination(url, policy);
        if (origins.size >= maxOrigins) origins.clear();
        origins.set(text, found);
      }
      return found;
    },
    chain() {
      const chain = chains.getStore();
      // A job that was started from a callback of another job inherits that callback's context.
      return chain !== undefined && chain.job === job() ? chain : undefined;
    },
    runInChain: chains.run.bind(chains) as OutboundContext["runInChain"],
  };
  if (policy.proxy !== undefined)
    void import("../rules/forward-errors.ts").then(
      ({ diagnoseForward }) => (context.diagnose = diagnoseForward),
      () => {},
    );
  return context;
}

/** The chain of the current context, or a new one. */
export function currentChain(context: OutboundContext): Chain {
  return context.chain() ?? startChain(context.job());
}
