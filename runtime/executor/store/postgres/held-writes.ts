import { keyOf, outcomeOf, type OutcomeColumns, type RecordRow } from "../rows.ts";
import { endsDead } from "../dead-letters.ts";
import type { Lease, RenewAnswer, StoredOutcome, WriteAnswer } from "../job-store.ts";
import { phase } from "../phase.ts";
import type { Statement } from "./connection/database.ts";
import { letInBehind } from "./limits.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Tables } from "./tables.ts";

/** A write under a lease. */
export interface Held {
  readonly lease: Lease;
}

interface Settled extends Held {
  readonly columns: OutcomeColumns;
  readonly outcome: StoredOutcome;
}

type RefusalRow = Pick<RecordRow, "id" | "phase" | "outcome" | "content">;

export interface WrittenRow {
  readonly id: string;
  /** Tool of a job that has ended; null for a dead letter. */
  readonly tool?: string | null;
  /** Key of a limit that has a free slot after the write. */
  readonly limit_key?: string | null;
}

type Column<I> = (input: I) => unknown;

/** The writes that require a lease. For a refused write, the answer is the reason. */
export interface HeldWrites {
  readonly renew: Verb<Held & { readonly seconds: number }, RenewAnswer>;
  readonly release: Verb<Held & { readonly delay: number }, WriteAnswer>;
  readonly settle: Verb<Settled, WriteAnswer>;
  readonly ask: Verb<Held & { readonly talk: string }, WriteAnswer>;
  readonly lose: Verb<Held & { readonly detail: string }, WriteAnswer>;
}

export interface HeldWriteHooks {
  /** Called with the tools of jobs that have finished. */
  readonly finished: (tools: readonly string[]) => Promise<void>;
  /** Called when jobs may have become dead letters. */
  readonly buried: () => Promise<void>;
  /** Seconds for which a dead letter is stored. */
  readonly deadLetterTtl: number;
  readonly interrupted: Uint8Array;
}

export function heldWrites(tables: Tables, hooks: HeldWriteHooks): HeldWrites {
  const { sql } = tables;
  return {
    renew: {
      key: "renew",
      touches: touched,
      async run(inputs) {
        const seconds = inputs.map((input) => input.seconds);
        const rows = await tables.timed<WrittenRow>(sql.renew, ...leaseColumns(inputs), seconds);
        return answers<RenewAnswer>(tables, inputs, rows, (row) => cancelOf(row) ?? refusal(row));
      },
    },
    release: heldVerb(tables, "release", sql.release, [({ delay }) => delay]),
    settle: {
      ...heldVerb<Settled>(
        tables,
        "settle",
        sql.settle,
        [
          ({ columns }) => columns.outcome,
          ({ columns }) => columns.content_type,
          ({ columns: { content } }) => (typeof content === "string" ? Buffer.from(content) : content),
          ({ outcome }) => (endsDead(outcome) ? hooks.deadLetterTtl : null),
        ],
        async (rows) => {
          await hooks.finished(rows.flatMap(({ tool }) => tool ?? []));
          if (rows.some(({ tool }) => tool === null)) await hooks.buried();
        },
      ),
      bytes: ({ columns }) => columns.content.length,
    },
    ask: {
      ...heldVerb<Held & { readonly talk: string }>(tables, "ask", sql.ask, [({ talk }) => talk]),
      bytes: ({ talk }) => talk.length,
    },
    lose: {
      key: "lose",
      touches: touched,
      async run(inputs) {
        // NUL is replaced: the output of a dead worker may contain any byte, but PostgreSQL allows no NUL in a text.
        const details = inputs.map(({ detail }) => detail.replaceAll("\0", "\u{fffd}"));
        const values = [...leaseColumns(inputs), details, hooks.deadLetterTtl, hooks.interrupted];
        const rows = await tables.timed<WrittenRow>(sql.lose, ...values);
        if (rows.length > 0) await hooks.buried();
        await letInBehind(tables, rows);
        return answers(tables, inputs, rows, refusal);
      },
    },
  };
}

/** Makes a {@link Verb} from one statement, which returns the ids of the changed rows. */
function heldVerb<I extends Held>(
  tables: Tables,
  key: string,
  statement: Statement,
  columns: readonly Column<I>[],
  written: (rows: readonly WrittenRow[]) => Promise<void> = async () => {},
): Verb<I, WriteAnswer> {
  return {
    key,
    touches: touched,
    async run(inputs) {
      const values = columns.map((column) => inputs.map(column));
      const rows = await tables.timed<WrittenRow>(statement, ...leaseColumns(inputs), ...values);
      if (rows.length > 0) await written(rows);
      await letInBehind(tables, rows);
      return answers(tables, inputs, rows, refusal);
    },
  };
}

/** Returns the jobs that a call is about. */
export function touched({ lease }: Held): readonly string[] {
  return [keyOf(lease.id)];
}

/** The leases of all calls, as the first columns of a statement. */
export function leaseColumns(inputs: readonly Held[]): readonly (readonly unknown[])[] {
  return [
    inputs.map(({ lease }) => keyOf(lease.id)),
    inputs.map(({ lease }) => lease.attempt),
    inputs.map(({ lease }) => lease.token),
  ];
}

/** Returns "ok" for jobs in `rows`; for the others, the reason that `refuse` derives from their stored rows. */
export async function answers<A>(
  tables: Tables,
  inputs: readonly Held[],
  rows: readonly WrittenRow[],
  refuse: (row: RefusalRow | undefined) => A,
): Promise<readonly (A | "ok")[]> {
  const written = new Set(rows.map(({ id }) => id));
  const refused = inputs.map(({ lease }) => keyOf(lease.id)).filter((id) => !written.has(id));
  const found = refused.length === 0 ? [] : await tables.timed<RefusalRow>(tables.sql.refusals, refused);
  const refusals = new Map(found.map((row) => [row.id, row]));
  return inputs.map(({ lease }) => (written.has(keyOf(lease.id)) ? "ok" : refuse(refusals.get(keyOf(lease.id)))));
}

/** The reason why a write under a lease had no effect. */
export function refusal(row: RefusalRow | undefined): WriteAnswer {
  if (row === undefined) return "unknown";
  return row.phase >= phase.ended ? "ended" : "stale";
}

function cancelOf(row: RefusalRow | undefined): RenewAnswer | undefined {
  const outcome = row === undefined ? undefined : outcomeOf({ ...row, content_type: null });
  return outcome?.state === "cancelled" ? { cancel: outcome.error.message } : undefined;
}
