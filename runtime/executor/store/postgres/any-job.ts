import type { JobUrn } from "../../../job/job.ts";
import { keyOf, toColumns } from "../rows.ts";
import type { ReplyAnswer, WriteAnswer } from "../job-store.ts";
import { phase } from "../phase.ts";
import { letInBehind, type LimitedRow } from "./limits.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Tables } from "./tables.ts";

interface Cancellation {
  readonly id: JobUrn;
  readonly reason: string;
}

interface EndedRow extends LimitedRow {
  readonly id: string;
  readonly tool: string;
}

/** Ends jobs as cancelled, whichever process runs them. */
export function cancelVerb(
  tables: Tables,
  finished: (tools: readonly string[]) => Promise<void>,
): Verb<Cancellation, WriteAnswer> {
  return {
    key: "cancel",
    touches: ({ id }) => [keyOf(id)],
    async run(wanted) {
      const ids = wanted.map(({ id }) => keyOf(id));
      const contents = wanted.map(({ reason }) => Buffer.from(contentOf(reason)));
      const ended = await tables.timed<EndedRow>(tables.sql.cancel, ids, contents);
      if (ended.length > 0) await finished(ended.map(({ tool }) => tool));
      await letInBehind(tables, ended);
      const now = new Set(ended.map(({ id }) => id));
      const others = ids.filter((id) => !now.has(id));
      const known = others.length === 0 ? [] : await tables.timed<{ readonly id: string }>(tables.sql.refusals, others);
      const before = new Set(known.map(({ id }) => id));
      return ids.map((id) => (now.has(id) ? "ok" : before.has(id) ? "ended" : "unknown"));
    },
  };
}

interface Replies {
  readonly id: JobUrn;
  /** JSON without line breaks. */
  readonly line: string;
}

/** Adds the answers of clients, whichever process runs the jobs. */
export function answerVerb(tables: Tables): Verb<Replies, ReplyAnswer> {
  return {
    key: "answer",
    touches: ({ id }) => [keyOf(id)],
    bytes: ({ line }) => line.length,
    async run(wanted) {
      const ids = wanted.map(({ id }) => keyOf(id));
      const lines = wanted.map(({ line }) => line);
      const taken = await tables.timed<{ readonly id: string }>(tables.sql.answer, ids, lines);
      const now = new Set(taken.map(({ id }) => id));
      const others = ids.filter((id) => !now.has(id));
      const known = others.length === 0 ? [] : await tables.timed<RefusedRow>(tables.sql.refusals, others);
      const phases = new Map(known.map((row) => [row.id, row.phase]));
      return ids.map((id) => (now.has(id) ? "ok" : whyNot(phases.get(id))));
    },
  };
}

interface RefusedRow {
  readonly id: string;
  readonly phase: number;
}

function whyNot(at: number | undefined): ReplyAnswer {
  if (at === undefined) return "unknown";
  return at >= phase.ended ? "ended" : "full";
}

/** Puts dead letters back. */
export function redriveVerb(tables: Tables): Verb<JobUrn, "ok" | "unknown"> {
  return {
    key: "redrive",
    touches: (id) => [keyOf(id)],
    isOpen: () => true,
    async run(ids) {
      const answers: ("ok" | "unknown")[] = [];
      for (const id of ids) {
        const back = await tables.timed<LimitedRow>(tables.sql.redrive, keyOf(id));
        await letInBehind(tables, back);
        answers.push(back.length === 1 ? "ok" : "unknown");
      }
      return answers;
    },
  };
}

function contentOf(reason: string): string | Uint8Array {
  return toColumns({ state: "cancelled", error: { kind: "cancelled", message: reason } }).content;
}
