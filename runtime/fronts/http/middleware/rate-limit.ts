import type { Admission, Gate } from "../exchange.ts";
import type { Rate } from "../../../service/config/read-settings.ts";
import { ToolError } from "../../../base/errors.ts";

/** Counts a request of a caller; throws `too-many-requests`, with the time after which to retry. */
export type RateLimit = (who: string) => void;

/** Number of callers per generation. A caller without requests during a whole generation is dropped. */
const generation = 10_000;

/**
 * A limit per caller. After a pause a caller may send the whole count at once, and continue at the given rate. This is
 * the generic cell rate algorithm, which stores one number per caller.
 *
 * @param now Milliseconds of a monotonic clock.
 */
export function createRateLimit({ count, seconds }: Rate, now: () => number = () => performance.now()): RateLimit {
  const interval = (seconds * 1000) / count;
  const burst = interval * (count - 1);
  /** Time at which each caller's next request would be due if requests came evenly. */
  let due = new Map<string, number>();
  let before = due;
  return (who) => {
    const time = now();
    const next = Math.max(due.get(who) ?? before.get(who) ?? 0, time);
    const wait = next - burst - time;
    // Smaller waits are ignored, since they are rounding errors.
    if (wait > 1e-6) {
      throw new ToolError("too-many-requests", `More than ${count} requests in ${seconds} s. Try again later.`, {
        retryAfter: wait / 1000,
      });
    }
    due.set(who, next + interval);
    if (due.size < generation) return;
    before = due;
    due = new Map();
  };
}

/**
 * Makes a check that limits the rate of requests which another check, if there is one, has admitted. Counts by caller,
 * else by address.
 */
export function limitedGate(limit: RateLimit, gate: Gate | undefined, open: ReadonlySet<string>): Gate {
  return (head) => {
    const count = (admission: Admission): Admission => {
      if (admission.answer === undefined && !open.has(head.path))
        limit(admission.caller?.owner ?? networkOf(head.address));
      return admission;
    };
    const admission = gate === undefined ? {} : gate(head);
    return admission instanceof Promise ? admission.then(count) : count(admission);
  };
}

/** Returns the network of a peer's address; forwarding headers are ignored. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return "";
  if (!address.includes(":") || address.includes(".")) return address;
  // An IPv6 address is reduced to its network, since a client can use all 2^64 addresses of its network.
  // Groups of zeros that `::` stands for; without it nothing is replaced.
  const zeros = "0:".repeat(9 - address.split(":").length);
  const [first, ...others] = address.replace("::", `:${zeros}`).split(":", 4);
  return [first || "0", ...others].join(":");
}
