import { availableParallelism } from "node:os";
import { against, type Attack, type AttackContext } from "./attack.ts";
import { damage } from "./canary.ts";
import { emptyTally, framed, sendAll } from "./wire.ts";

/** Megabytes of requests of unfinished jobs at the default settings. */
const budget = 64;
/** Megabytes that a process takes besides: what it has read and refused is in its heap until that is collected. */
const besides = 250;
/** Milliseconds for which a job runs: longer than the attack. */
const forever = 600_000;

/** Calls that fill a queue, with a given number of bytes. */
const kinds: Readonly<Record<string, (bytes: number) => { readonly path: string; readonly body: string }>> = {
  "a text": (bytes) => ({
    path: "/tool/hold",
    body: `{"milliseconds":${forever},"text":"${"q".repeat(bytes - 100)}"}`,
  }),
  "empty objects": (bytes) => ({ path: "/tool/hold", body: `[${"{},".repeat(bytes / 3 - 10)}0]` }),
  "jobs that are parked": (bytes) => ({ path: "/tool/parked", body: `{"text":"${"q".repeat(bytes - 100)}"}` }),
};

/** More requests than fit into the memory, each of which is answered at once and whose job does not end. */
export const attackWithQueue: Attack = async (context) => {
  const { bytes } = context.size;
  const requests = 4 * budget;
  const told: string[] = [];
  const breaches: string[] = [];
  for (const [kind, bodyOf] of Object.entries(kinds)) {
    const { statuses, most, harm } = await fill(context, bodyOf(bytes), requests);
    const taken = statuses.get(202) ?? 0;
    told.push(`${kind}: ${taken} taken, ${statuses.get(503) ?? 0} × 503, +${most.toFixed(0)} MB at most`);
    const others = [...statuses].filter(([status]) => status !== 202 && status !== 503);
    breaches.push(
      ...[
        ...harm,
        ...(taken < requests ? [] : ["none was refused"]),
        ...others.map(([status, count]) => `${count} × ${status}`),
        ...(most > budget + besides ? [`${most.toFixed(0)} MB more`] : []),
      ].map((text) => `${kind}: ${text}`),
    );
  }
  return {
    attack: "A queue that is filled with large requests of slow and of parked jobs, default settings",
    inputs: `${requests} requests of ${bytes.toLocaleString("en")} bytes of each kind, over one connection`,
    result: told.join("; "),
    peers: [],
    breaches,
  };
};

interface Filled {
  readonly statuses: ReadonlyMap<number, number>;
  /** Megabytes more than before, at the most. */
  readonly most: number;
  readonly harm: readonly string[];
}

function fill(
  { tenon, size }: AttackContext,
  { path, body }: { readonly path: string; readonly body: string },
  requests: number,
): Promise<Filled> {
  // Smaller requests fill a smaller budget, in the short form.
  const env =
    size.bytes < 1_000_000
      ? { TENON_QUEUE_BYTES: String(Math.round((budget * 2 ** 20 * size.bytes) / 1_000_000)) }
      : {};
  return against(tenon, { env }, async (target) => {
    const headers = { Prefer: "respond-async" };
    const warm = framed("/tool/hold", `{"milliseconds":${forever},"text":""}`, headers);
    // Takes all slots, so that what follows waits and is not even looked at.
    await sendAll(
      target.port,
      Array.from({ length: 4 * availableParallelism() }, () => warm),
      emptyTally(),
    );
    const before = (await target.memory()) ?? 0;
    let most = 0;
    const statuses = new Map<number, number>();
    const tally = emptyTally();
    const request = framed(path, body, headers);
    for (let sent = 0; sent < requests && target.ended === undefined; sent += 16) {
      await sendAll(
        target.port,
        Array.from({ length: 16 }, () => request),
        tally,
        {
          connections: 1,
          depth: 1,
          onAnswer: ({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
        },
      );
      most = Math.max(most, ((await target.memory()) ?? before) - before);
    }
    const harm = await damage(tenon, target);
    const lost = tally.unanswered > 0 ? [`${tally.unanswered} without an answer`] : [];
    return { statuses, most, harm: [...harm, ...lost] };
  });
}
