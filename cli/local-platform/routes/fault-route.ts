import { ToolError } from "../../../runtime/base/errors.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import type { Exchange } from "./exchange.ts";
import type { Faults, FaultSwitch } from "./fault-switch.ts";
import { callerOf, refuseJobs } from "./job-access.ts";

const maxBytes = 10_000;
/** Milliseconds of the longest delay. */
const longestDelay = 600_000;

/** `GET /faults` tells the injected faults, `PUT /faults` sets them: the switches of `--fault`. */
export async function faultRoute(exchange: Exchange, faults: FaultSwitch, tokens: JobTokens): Promise<void> {
  refuseJobs(callerOf(exchange, tokens));
  if (exchange.method === "PUT") faults.set(readFaults(parseJsonBody(await exchange.body(maxBytes)), faults.current));
  else if (exchange.method !== "GET") throw new ToolError("method-not-allowed", "Use GET or PUT here.");
  const { drop, dup, delay, killLease } = faults.current;
  exchange.json(200, { drop, dup, delay, "kill-lease": killLease });
}

function readFaults(body: unknown, { seed }: Faults): Faults {
  const given = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const number = (name: string, most: number): number => {
    const { [name]: value = 0 } = given;
    if (typeof value === "number" && value >= 0 && value <= most) return value;
    throw new ToolError("bad-request", `${name} must be a number from 0 to ${most}.`);
  };
  return {
    drop: number("drop", 1),
    dup: number("dup", 1),
    delay: number("delay", longestDelay),
    killLease: number("kill-lease", 1),
    seed,
  };
}
