import type { Admission, Gate } from "./gate.ts";
import type { Rate } from "../../service/config/config.ts";
import { ToolError } from "../../base/errors.ts";

/** Counts a request of somebody; throws `too-many-requests`, which says when to come again. */
export type RateLimit = (who: string) => void;

/** Callers of one generation; whoever is silent for the whole of the next one is forgotten. */
const generation = 10_000;

/**
 * A limit for everybody on their own. Who was silent may send the whole count at once, and then as often as the rate
 * says (the generic cell rate algorithm: one number per caller).
 *
 * @param now Milliseconds of a clock that never goes back.
 */
export function createRateLimit({ count, seconds }: Rate, now: () => number = () => performance.now()): RateLimit {
  const interval = (seconds * 1000) / count;
  const burst = interval * (count - 1);
  /** When the next request of each would be due if they came evenly. */
  let due = new Map<string, number>();
  let before = due;
  return (who) => {
    const time = now();
    const next = Math.max(due.get(who) ?? before.get(who) ?? 0, time);
    const wait = next - burst - time;
    // What no longer counts for anything would only be a rounding error here.
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

/** A gate that counts what another one, if there is one, lets in: by caller, else by address. */
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

/** The network that an address counts for; what headers say of it is not looked at. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return "";
  // Who has one IPv6 address has the 2^64 of its network.
  return address.includes(":") && !address.includes(".") ? address.split(":").slice(0, 4).join(":") : address;
}
