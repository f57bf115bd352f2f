import type { StepWrite } from "../../../job/steps/kept-step.ts";
import type { Lease, StoredEvent, WriteAnswer } from "../job-store.ts";
import { keyOf } from "../rows.ts";
import { maxEvents } from "../shared-rules.ts";
import { stepColumns } from "../step-rows.ts";
import { isDuplicate } from "./connection/postgres-error.ts";
import { answers, leaseColumns, refusal, touched, type WrittenRow } from "./held-writes.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Tables } from "./tables.ts";

export interface EventText {
  readonly sequence: number;
  readonly body: string;
}

export function eventText({ sequence, body }: StoredEvent): EventText {
  return { sequence, body: JSON.stringify(body) };
}

/** Events and steps of a job for one statement; more can be added until the statement begins. */
export interface Gathered {
  readonly lease: Lease;
  readonly events: EventText[];
  readonly steps: StepWrite[];
  /** Sum of the characters of the events and steps. */
  length: number;
  isTaken: boolean;
}

/** Adds events, and stores steps. */
export function gatheredVerb(tables: Tables): Verb<Gathered, WriteAnswer> {
  return {
    key: "gathered",
    touches: touched,
    isParallel: true,
    bytes: ({ length }) => length,
    async run(inputs) {
      for (const input of inputs) input.isTaken = true;
      const spoken = inputs.flatMap(({ lease, events }) => events.map((event) => ({ id: keyOf(lease.id), ...event })));
      const events = [
        spoken.map(({ id }) => id),
        spoken.map(({ sequence }) => sequence),
        // JSON has no line breaks, and one text is passed quicker than a list, in which each quote is escaped.
        spoken.map(({ body }) => body).join("\n"),
      ];
      const leases = leaseColumns(inputs);
      const isLong = spoken.some(({ sequence }) => sequence > maxEvents);
      const rows = inputs.every(({ steps }) => steps.length === 0)
        ? await tables.query<GatheredRow>(tables.sql.progress, ...leases, ...events)
        : await keepAll(tables, [...leases, ...stepsOf(inputs), ...events, isLong]);
      const last = new Map(spoken.map(({ id, sequence }) => [id, sequence]));
      const long = rows.filter(({ id, first }) => (last.get(id) ?? 0) - (first ?? 1) >= maxEvents);
      if (long.length > 0) {
        await tables.query(
          tables.sql.dropOldEvents,
          long.map(({ seq }) => seq),
          maxEvents,
        );
      }
      return answers(tables, inputs, rows, refusal);
    },
  };
}

type GatheredRow = WrittenRow & { readonly seq: number; readonly first: number | null };

/** Stores steps and events; some of them may be stored already, by an earlier try whose answer was lost. */
async function keepAll(tables: Tables, values: readonly unknown[]): Promise<readonly GatheredRow[]> {
  try {
    return await tables.timed<GatheredRow>(tables.sql.keep, ...values);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return tables.timed<GatheredRow>(tables.sql.keepAgain, ...values);
  }
}

/** Columns of the steps of all calls. A step that is in a call twice has the values of the later one. */
function stepsOf(inputs: readonly Gathered[]): readonly (readonly unknown[])[] {
  const steps = inputs.flatMap(({ lease, steps: own }) =>
    [...new Map(own.map((step) => [step.key, step])).values()].map((step) => ({ id: keyOf(lease.id), step })),
  );
  const columns = steps.map(({ step }) => stepColumns(step));
  return [
    steps.map(({ id }) => id),
    ...[0, 1, 2, 3, 4, 5].map((index) => columns.map((values) => values[index])),
    steps.map(({ step }) => step.delay ?? null),
    steps.map(({ step }) => step.until ?? null),
    steps.map(({ step }) => step.took ?? 0),
  ];
}
