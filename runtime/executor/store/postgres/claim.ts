import { keyOf, toClaim, type ClaimRow } from "../rows.ts";
import type { Claim, ClaimOptions } from "../job-store.ts";
import type { JobUrn } from "../../../job/job.ts";
import { wakeLimited } from "./housekeeping.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Tables } from "./tables.ts";

/** A row as it was before its claim, with the claim's token and the number of the job's last event. */
interface ClaimedRow {
  readonly columns: ClaimRow;
  readonly token: string;
  readonly last: number;
}

interface NamedClaim {
  readonly id: JobUrn;
  readonly seconds: number;
  readonly worker: string | undefined;
}

/** Claims jobs by name. */
export function namedClaimVerb(tables: Tables): Verb<NamedClaim, Claim | undefined> {
  return {
    key: "claim by name",
    touches: ({ id }) => [keyOf(id)],
    async run(wanted) {
      const ids = wanted.map(({ id }) => keyOf(id));
      const seconds = wanted.map((one) => one.seconds);
      const workers = wanted.map(({ worker }) => worker ?? null);
      const lists = await tables.timedLists<readonly unknown[]>(tables.sql.claimNamed, ids, seconds, workers);
      const claims = new Map(lists.map(toClaimedRow).map((row) => [row.columns[2], claimOf(row)]));
      return ids.map((id) => claims.get(id));
    },
  };
}

/**
 * Claims the oldest jobs of given tools, or of all tools, each for the worker that its call names. Rows that another
 * replica is claiming at the moment are skipped.
 */
export function oldestClaimVerb(
  tables: Tables,
  { seconds, tools, withoutSuspects = false }: ClaimOptions,
): Verb<string | undefined, Claim | undefined> {
  return {
    key: `claim ${JSON.stringify([seconds, tools, withoutSuspects])}`,
    touches: () => [],
    isOpen: () => true,
    // These methods change only jobs that have a lease. Such jobs cannot be claimed, so a claim may run before or after
    // them.
    passes: ["renew", "gathered", "settle"],
    async run(wanted) {
      await wakeLimited(tables);
      const from = tools ?? (await waitingTools(tables));
      if (from.length === 0) return wanted.map(() => undefined);
      const names = [...new Set(from)];
      const workers = wanted.map((worker) => worker ?? null);
      const values = [names, wanted.length, seconds, withoutSuspects, workers];
      const early = names.filter((tool) => tables.isEarly(tool));
      const { claimOldest, claimEarliest } = tables.sql;
      const lists =
        early.length === 0
          ? await tables.timedLists<readonly unknown[]>(claimOldest, ...values)
          : await tables.timedLists<readonly unknown[]>(claimEarliest, ...values, early);
      const rows = lists.map(toClaimedRow).toSorted((a, b) => a.columns[0] - b.columns[0]);
      const claims = rows.map(claimOf);
      return wanted.map((_, index) => claims[index]);
    },
  };
}

async function waitingTools(tables: Tables): Promise<readonly string[]> {
  const rows = await tables.timed<{ readonly tool: string }>(tables.sql.waitingTools);
  return rows.map(({ tool }) => tool);
}

function claimOf({ columns, token, last }: ClaimedRow): Claim {
  return toClaim(columns, token, last);
}

/** Separates the columns that a claim adds from the columns of its row. */
function toClaimedRow(values: readonly unknown[]): ClaimedRow {
  const [token, last] = values.slice(-2);
  return { columns: values.slice(0, -2) as unknown as ClaimRow, token: String(token), last: Number(last) };
}
