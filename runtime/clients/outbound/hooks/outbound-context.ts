import { AsyncLocalStorage } from "../../../base/async-hooks.ts";
import { classifyDestination } from "../rules/decide-request.ts";
import type { Destination } from "../rules/decide-request.ts";
import type { OutboundJob } from "../rules/job-headers.ts";
import type { OutboundPolicy } from "../../../service/config/outbound-policy.ts";
import { startChain } from "../rules/redirect-chain.ts";
import type { Chain } from "../rules/redirect-chain.ts";

/** What the hooks of undici and of `node:http` share. */
export interface OutboundContext {
  /** `node:http` is making a request that its hook knows; counted, as one may be made within another. */
  asked: number;
  /** Takes a warning for whoever runs the service; each text is passed on once. */
  readonly tell: (warning: string) => void;
  readonly policy: OutboundPolicy;
  readonly destination: (origin: unknown) => Destination | undefined;
  /** Job of the current async context. Right where author code calls, wrong in callbacks of pools and sockets. */
  readonly job: () => OutboundJob | undefined;
  /** The chain whose callback runs here, if it belongs to the current job. */
  readonly chain: () => Chain | undefined;
  readonly runInChain: <Args extends unknown[], Result>(
    chain: Chain,
    run: (...args: Args) => Result,
    ...args: Args
  ) => Result;
}

/** Origins whose place in the policy is remembered; more are looked up again. */
const maxOrigins = 1000;

export function createContext(
  job: () => OutboundJob | undefined,
  policy: OutboundPolicy,
  warn: (text: string) => void = () => {},
): OutboundContext {
  const told = new Set<string>();
  const chains = new AsyncLocalStorage<Chain>();
  const origins = new Map<string, Destination>();
  return {
    asked: 0,
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
      // A job that was started from a callback of another one inherits that one's context.
      return chain !== undefined && chain.job === job() ? chain : undefined;
    },
    runInChain: chains.run.bind(chains) as OutboundContext["runInChain"],
  };
}

/** The chain that goes on here, else a new one. */
export function currentChain(context: OutboundContext): Chain {
  return context.chain() ?? startChain(context.job());
}
