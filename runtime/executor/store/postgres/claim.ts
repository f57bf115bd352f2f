import { keyOf, toClaim } from "../rows.ts";
import type { ClaimRow } from "../rows.ts";
import type { Claim } from "../job-store.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Tables } from "./tables.ts";

/** The columns of a claim, its token, and the number of the last event. */
type ClaimedRow = readonly [...row: ClaimRow, token: string, last: number];

interface NamedClaim {
  readonly id: JobUrn;
  readonly seconds: number;
}

/** Claims jobs by name. */
export function namedClaimVerb(tables: Tables): Verb<NamedClaim, Claim | undefined> {
  return {
    key: "claim by name",
    touches: ({ id }) => [keyOf(id)],
    async run(wanted) {
      const ids = wanted.map(({ id }) => keyOf(id));
      const seconds = wanted.map((one) => one.seconds);
      const rows = await tables.timedLists<ClaimedRow>(tables.sql.claimNamed, ids, seconds);
      const claims = new Map(rows.map((row) => [row[2], claimOf(row)]));
      return ids.map((id) => claims.get(id));
    },
  };
}

/** Claims the oldest jobs of some tools, or of all. Rows that another replica is about to claim are passed over. */
export function oldestClaimVerb(
  tables: Tables,
  seconds: number,
  tools: readonly string[] | undefined,
): Verb<undefined, Claim | undefined> {
  return {
    key: `claim ${JSON.stringify([seconds, tools])}`,
    touches: () => [],
    isOpen: () => true,
    async run(wanted) {
      const from = tools ?? (await waitingTools(tables));
      if (from.length === 0) return wanted.map(() => undefined);
      const names = [...new Set(from)];
      const rows = await tables.timedLists<ClaimedRow>(tables.sql.claimOldest, names, wanted.length, seconds);
      const claims = rows.toSorted(([a], [b]) => a - b).map(claimOf);
      return wanted.map((_, index) => claims[index]);
    },
  };
}

async function waitingTools(tables: Tables): Promise<readonly string[]> {
  const rows = await tables.timed<{ readonly tool: string }>(tables.sql.waitingTools);
  return rows.map(({ tool }) => tool);
}

function claimOf(row: ClaimedRow): Claim {
  const [seq, attempt, id, tool, owner, key, digest, ttl, maxAttempts, traceparent, tracestate, input, token, last] =
    row;
  const columns: ClaimRow = [
    ...([seq, attempt, id, tool, owner, key, digest, ttl, maxAttempts, traceparent, tracestate, input] as const),
  ];
  return toClaim(columns, token, last);
}
